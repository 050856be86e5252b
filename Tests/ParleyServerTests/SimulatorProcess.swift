// SPDX-License-Identifier: MIT

import Foundation
import Networking

/// `parley-server simulate-openai` on a port of its own.
final class SimulatorProcess {
    /// The base URL that it prints.
    let address: String
    private let process: Process

    /// Starts it and waits for its first line.
    init(_ arguments: [String]) throws {
        process = Self.process(["--port", "0"] + arguments)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), let value = byte.first, value != 10 {
            line.append(value)
        }
        address = String(decoding: line, as: UTF8.self).replacing("listening at ", with: "")
    }

    deinit { _ = stop(SIGKILL) }

    var port: Int { URL(string: address)?.port ?? 0 }

    /// Ends it by a signal, and gives its exit code.
    func stop(_ signal: Int32) -> Int32 {
        guard process.isRunning else { return process.terminationStatus }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    func post(_ path: String, _ body: String) async throws -> String {
        guard let url = URL(string: address + path) else { throw URLError(.badURL) }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        let transport = try CurlTransport(configuration: configuration)
        var request = HTTPRequest(.post, url)
        request.headers.add(name: "Authorization", value: "Bearer test")
        request.body = .bytes(Array(body.utf8))
        var bytes: [UInt8] = []
        for try await chunk in try await transport.send(request).body { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs it to its end, with what it writes to standard error.
    static func run(_ arguments: [String]) throws -> (errors: String, code: Int32) {
        let process = process(arguments)
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }

    /// The program beside the test runner, which SwiftPM builds with it.
    private static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "parley-server")
        process.arguments = ["simulate-openai"] + arguments
        return process
    }
}
