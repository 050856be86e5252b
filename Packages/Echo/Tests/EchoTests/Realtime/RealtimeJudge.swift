// SPDX-License-Identifier: MIT

import Foundation

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
        let folder = FileManager.default.temporaryDirectory.appending(path: "echo-realtime-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output, errors) = (
            folder.appending(path: "input"), folder.appending(path: "output"), folder.appending(path: "errors")
        )
        try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: false, encoding: .utf8)
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        let process = Process()
        process.executableURL = URL(filePath: python)
        let path = here.appending(path: "../../Fixtures/Realtime/\(script)").standardized.path
        process.arguments = ["-B", path, input.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard process.terminationStatus == 0 else {
            throw Failure(description: try String(contentsOf: errors, encoding: .utf8))
        }
        return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
