// SPDX-License-Identifier: MIT

import Foundation

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
        let folder = FileManager.default.temporaryDirectory.appending(path: "echo-wire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, errors) = (folder.appending(path: "lines"), folder.appending(path: "errors"))
        try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: false, encoding: .utf8)
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = URL(filePath: python)
        let script = tests.appending(path: "../../EchoSimulator/Tests/EchoSimulatorTests/Fixtures/bodies.py")
            .standardized
        process.arguments = ["-B", script.path, input.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard process.terminationStatus == 0 else {
            throw Failure(description: try String(contentsOf: errors, encoding: .utf8))
        }
    }
}
