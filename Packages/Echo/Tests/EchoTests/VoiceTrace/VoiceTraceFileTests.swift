// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Echo

@Suite struct VoiceTraceFileTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// - Returns: Whether it is full.
    @discardableResult
    private func record(
        _ seed: UInt64, to path: String, limit: Int = VoiceTraceFile.defaultLimit
    ) async throws -> Bool {
        var conversation = TracedConversation(seed: seed)
        conversation.run(50)
        let file = try VoiceTraceFile(path: path, limit: limit)
        for line in conversation.lines.all { file.take(line) }
        try await file.finish()
        return file.isFull
    }

    @Test func conversationsGoOneBehindTheOther() async throws {
        try await inFolder { folder in
            let path = folder + "/trace"
            try await record(1, to: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            // The program was ended within a line.
            let cut = try bytes(path).dropLast(20)
            try Data(cut).write(to: URL(filePath: path))
            try await record(2, to: path)
            let traces = try VoiceTrace.conversations(in: try bytes(path))
            #expect(traces.map(\.isCut) == [true, false])
            for trace in traces { try trace.replay() }
        }
    }

    @Test func whatIsNoTraceStaysAsItIs() async throws {
        try await inFolder { folder in
            let path = folder + "/notes.txt"
            try "notes".write(toFile: path, atomically: true, encoding: .utf8)
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            for path in [path, link, folder, folder + "/none/trace", "/dev/null"] {
                #expect(throws: EchoError.self, "\(path)") { try VoiceTraceFile(path: path) }
            }
            #expect(try bytes(path) == Array("notes".utf8))
        }
    }

    @Test func itGrowsNoLargerThanItMay() async throws {
        try await inFolder { folder in
            let path = folder + "/trace"
            #expect(try await !record(2, to: path))
            let before = try bytes(path).count
            #expect(try await record(3, to: path, limit: before + 4_000))
            let written = try bytes(path)
            #expect(written.count <= before + 4_000)
            let traces = try VoiceTrace.conversations(in: written)
            #expect(traces.map(\.isCut) == [false, true])
            for trace in traces { try trace.replay() }
            // It says so at once, and stays as it is.
            #expect(throws: EchoError.self) { try VoiceTraceFile(path: path) }
            #expect(try bytes(path) == written)
        }
    }
}
