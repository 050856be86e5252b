// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// Programs in the Python environment that Scripts/test-peers makes.
enum PeerProgram {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// The environment's interpreter.
    private static var python: String {
        URL(filePath: #filePath).appending(path: "../../../../../.venv-peers/bin/python").standardized.path
    }

    /// Starts a script of the folder Fixtures.
    static func start(
        _ script: String, _ arguments: [String] = [], input: ChildProcess.Input = .pipe
    ) throws -> ChildProcess {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Missing(description: "there is no \(python): run Scripts/test-peers")
        }
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(script)").path
        return try ChildProcess(python, [path] + arguments, input: input)
    }
}

/// A Wyoming server of the reference library, and its lines.
final class WyomingPeer: Sendable {
    let port: Int
    private let process: ChildProcess

    init(_ options: [String] = []) async throws {
        process = try PeerProgram.start("wyoming_server.py", options)
        guard let port = await process.detached({ $0.line() }).flatMap({ Int($0) }) else {
            throw PeerProgram.Missing(description: "the Wyoming server has not started")
        }
        self.port = port
    }

    /// The next line that it prints.
    func line() async -> String? { await process.detached { $0.line() } }
}
