// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// `parley-server serve --dev` as a process of its own.
final class ServerProcess {
    let home: String
    /// What the server says it is.
    let address: String
    private let process = Process()
    private let errors: URL

    /// Starts the server and waits for its line.
    init(home: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        self.home = home
        errors = URL(filePath: home + "/stderr-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.executableURL = Self.executable
        process.arguments = ["serve", "--dev", "--port", "0", "--home", home] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), let value = byte.first, value != 10 {
            line.append(value)
        }
        struct Line: Decodable {
            let address: String
        }
        address = try JSONDecoder().decode(Line.self, from: line).address
    }

    /// The lines that the server has written to standard error so far.
    var log: [String] {
        get throws { try String(contentsOf: errors, encoding: .utf8).split(separator: "\n").map(String.init) }
    }

    /// What another of the program's commands writes to standard output, and its exit code.
    static func run(_ arguments: [String]) throws -> (output: String, code: Int32) {
        let result = try runToEnd(arguments)
        return (result.output, result.code)
    }

    /// The same with what it writes to standard error, at most a pipe's buffer.
    static func runToEnd(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (output: String, errors: String, code: Int32) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            String(decoding: bytes, as: UTF8.self), String(decoding: complaints, as: UTF8.self),
            process.terminationStatus
        )
    }

    deinit {
        kill()
    }

    /// Ends it without a warning, and waits until it has ended.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it as an operator does; gives its exit code.
    func stop() -> Int32 {
        Foundation.kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Lets it read its keys and its certificate again.
    func hangUp() {
        Foundation.kill(process.processIdentifier, SIGHUP)
    }

    /// The most memory that it has had resident, in bytes (`VmHWM` of proc(5)).
    var peakMemory: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let kilobytes = status.firstMatch(of: /VmHWM:\s+([0-9]+) kB/).flatMap { Int($0.output.1) }
            return try #require(kilobytes) << 10
        }
    }

    /// The program beside the test runner, which SwiftPM builds with it.
    private static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "parley-server")
    }
}
