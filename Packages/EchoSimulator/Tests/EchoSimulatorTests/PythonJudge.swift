// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit

/// OpenAI's Python SDK, run over files or against a simulator. What it prints on standard error is the failure.
enum PythonJudge {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The interpreter of the environment that Scripts/test-peers makes.
    private static var python: String {
        URL(filePath: #filePath).appending(path: "../../../../../.venv-peers/bin/python").standardized.path
    }

    /// Runs a script of `Fixtures` to its end, and returns its output.
    @discardableResult
    static func run(_ script: String, _ arguments: [String]) async throws -> String {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failure(description: "there is no \(python): run Scripts/test-peers")
        }
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(script)").path
        let result = try await ChildProcess(python, ["-B", path] + arguments, errors: .captured).finished()
        guard result.code == 0 else { throw Failure(description: result.errors) }
        return result.output
    }

    /// Has the SDK, as a client, go through parts of `client.py`.
    static func client(_ simulator: EchoSimulator, _ parts: String...) async throws {
        try await run("client.py", [simulator.baseURL.absoluteString] + parts)
    }

    /// Checks values that the simulator answered, each with its kind, by the SDK's types.
    static func check(_ answers: [(kind: String, value: JSONValue)]) async throws {
        let lines = answers.map { JSONValue.object(["kind": .string($0.kind), "value": $0.value]).text }
        let count = try await run(lines: lines, script: "answers.py")
        guard count == lines.count else { throw Failure(description: "\(count ?? 0) of \(lines.count) were checked") }
    }

    /// Checks requests, as `SimulatorConfiguration.onRequest` gets them, by the SDK's types.
    static func check(requests lines: [String]) async throws {
        let count = try await run(lines: lines, script: "bodies.py")
        guard count == lines.count else { throw Failure(description: "\(count ?? 0) of \(lines.count) were checked") }
    }

    static func run(lines: [String], script: String) async throws -> Int? {
        let folder = try TemporaryFolder()
        let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "lines.jsonl")
        let text = try await run(script, [path])
        withExtendedLifetime(folder) {}
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
