// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// The request types of OpenAI's Python SDK, from the environment that Scripts/test-peers makes.
enum SDKJudge {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Checks requests, a line of JSON each with `path` and `body`.
    static func check(_ lines: [String]) async throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let python = tests.appending(path: "../../../.venv-peers/bin/python").standardized.path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failure(description: "there is no \(python): run Scripts/test-peers")
        }
        let folder = try TemporaryFolder()
        let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "lines")
        let script = tests.appending(path: "../../EchoSimulator/Tests/EchoSimulatorTests/Fixtures/bodies.py")
            .standardized.path
        let result = try await ChildProcess(python, ["-B", script, input], output: .discarded, errors: .captured)
            .finished()
        guard result.code == 0 else { throw Failure(description: result.errors) }
    }
}
