// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A server in Python that a test starts and ends.
final class PythonPeer: Sendable {
    /// The port on 127.0.0.1.
    let port: Int
    private let process: Process
    private let input = Pipe.uninherited()
    /// What the server prints after its port.
    let lines: LineReader

    /// The interpreter of the environment that Scripts/test-peers makes.
    static var environmentPython: String {
        URL(filePath: #filePath).appending(path: "../../../../../../.venv-peers/bin/python").standardized.path
    }

    /// Whether the tests that need that environment are left out, because somebody said so. Without it they fail.
    static var isWanted: Bool { ProcessInfo.processInfo.environment["NETWORKING_SKIP_PEERS"] == nil }
    static let skipped: Comment = "NETWORKING_SKIP_PEERS is set"

    /// Starts a script of this folder and waits for its first line, the port.
    ///
    /// - Parameter python: The interpreter; by default the one of the environment.
    init(_ script: String, _ arguments: [String] = [], python: String = environmentPython) throws {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw CommandFailure(
                description: "there is no \(python): run Scripts/test-peers, or set NETWORKING_SKIP_PEERS=1")
        }
        process = Process()
        process.executableURL = URL(filePath: python)
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/\(script)").path
        process.arguments = [path] + arguments
        let pipe = Pipe.uninherited()
        process.standardInput = input
        process.standardOutput = pipe
        let handle = pipe.fileHandleForReading
        lines = LineReader(handle)
        try process.run()
        var first = Data()
        while let byte = try handle.read(upToCount: 1), let value = byte.first, value != 10 { first.append(value) }
        guard let port = Int(String(decoding: first, as: UTF8.self)) else {
            process.terminate()
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
    }
}
