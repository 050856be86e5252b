// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// A server in Python that a test starts and ends.
final class PythonPeer: Sendable {
    /// The port on 127.0.0.1.
    let port: Int
    private let process: ChildProcess

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
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/\(script)").path
        process = try ChildProcess(python, [path] + arguments, input: .pipe)
        guard let port = process.line().flatMap({ Int($0) }) else { throw CocoaError(.executableLoad) }
        self.port = port
    }

    /// What the server prints next after its port; nil at its end.
    func line() async -> String? { await process.detached { $0.line() } }
}
