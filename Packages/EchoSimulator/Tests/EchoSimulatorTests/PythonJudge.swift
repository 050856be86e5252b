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
        let folder = try TemporaryFolder()
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        let process = Process()
        process.executableURL = URL(filePath: python)
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(script)").path
        process.arguments = ["-B", path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard process.terminationStatus == 0 else {
            throw Failure(description: try String(contentsOfFile: errors, encoding: .utf8))
        }
        return try String(contentsOfFile: output, encoding: .utf8)
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
        let path = folder.path + "/lines.jsonl"
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        let text = try await run(script, [path])
        withExtendedLifetime(folder) {}
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
