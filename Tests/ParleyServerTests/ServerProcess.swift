// SPDX-License-Identifier: MIT

import Foundation
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
