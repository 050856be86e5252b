// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// OpenAI's Python SDK, which knows what events are.
enum RealtimeJudge {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The lines that a script of `Fixtures/Realtime` prints, given these lines in a file.
    static func run(_ script: String, lines: [String] = []) async throws -> [String] {
        let here = URL(filePath: #filePath)
        let python = here.appending(path: "../../../../../../.venv-peers/bin/python").standardized.path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failure(description: "there is no \(python): run Scripts/test-peers")
        }
        let folder = try TemporaryFolder()
        let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "input")
        let path = here.appending(path: "../../Fixtures/Realtime/\(script)").standardized.path
        let result = try await ChildProcess(python, ["-B", path, input], errors: .captured).finished()
        guard result.code == 0 else { throw Failure(description: result.errors) }
        return result.output.split(separator: "\n").map(String.init)
    }
}
