// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// `parley-server serve --dev` as a process of its own.
final class ServerProcess: Sendable {
    let home: String
    /// What the server says it is.
    let address: String
    private let process: ChildProcess
    private let errors: String
    private static let executable = ChildProcess.path(besideTests: "parley-server")

    /// Starts the server and waits for its line.
    init(home: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        self.home = home
        errors = home + "/stderr-\(UUID().uuidString)"
        process = try ChildProcess(
            Self.executable, ["serve", "--dev", "--port", "0", "--home", home] + arguments,
            environment: .adding(environment), errors: .file(errors))
        struct Line: Decodable {
            let address: String
        }
        address = try JSONDecoder().decode(Line.self, from: Data((process.line() ?? "").utf8)).address
    }

    /// The lines that the server has written to standard error so far.
    var log: [String] {
        get throws { try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n").map(String.init) }
    }

    /// Runs another of the program's commands to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess.Result {
        try ChildProcess(executable, arguments, environment: .adding(environment), errors: .captured).finish()
    }

    /// Ends it without a warning, and waits until it has ended.
    func kill() {
        process.kill()
        process.wait()
    }

    /// Ends it as a crash does; gives the signal's number below zero.
    func abort() -> Int32 {
        process.kill(SIGABRT)
        return process.wait().code
    }

    /// Ends it as an operator does; gives its exit code.
    func stop() -> Int32 {
        process.kill(SIGTERM)
        return process.wait().code
    }

    /// Lets it read its keys and its certificate again.
    func hangUp() { process.kill(SIGHUP) }

    /// The most memory that it has had resident, in bytes (`VmHWM` of proc(5)).
    var peakMemory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
            let kilobytes = status.firstMatch(of: /VmHWM:\s+([0-9]+) kB/).flatMap { Int($0.output.1) }
            return try #require(kilobytes) << 10
        }
    }
}

extension ServerProcess {
    /// An access token of somebody's, who signs in by mail.
    func signIn(_ client: CurlTransport) async throws -> String {
        func post(_ path: String, _ fields: [String: String]) async throws -> [UInt8] {
            let url = try #require(URL(string: address + path))
            let response = try await client.send(
                HTTPRequest(
                    .post, url, headers: ["Content-Type": "application/json"],
                    body: .bytes([UInt8](try JSONEncoder().encode(fields)))))
            try #require(response.status == 200)
            return try await response.body.collect(upTo: 1 << 20)
        }
        _ = try await post("/otp", ["email": "ada@example.org"])
        let folder = home + "/mail/new"
        try await eventually("a mail arrives") { try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty }
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let mail = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        let answer = try await post(
            "/verify", ["type": "email", "email": "ada@example.org", "token": ServerFixture.proofs(in: mail).code])
        return try JSONDecoder().decode(ServerFixture.Tokens.self, from: Data(answer)).accessToken
    }
}
