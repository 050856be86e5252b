// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Echo

@Suite(.timeLimit(.minutes(5))) struct VoiceTraceFileTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await body(folder.path)
        withExtendedLifetime(folder) {}
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

    /// What nobody may write to in the file's place: it fails in the middle, as a full disk does.
    @Test func whatCannotBeWrittenIsToldOnceAndAtOnce() async throws {
        try await inFolder { folder in
            let path = folder + "/trace"
            var conversation = TracedConversation(seed: 4)
            conversation.run(50)
            let file = try VoiceTraceFile(path: path)
            let told = Collected<VoiceTraceError>()
            file.whenFailed { told.append($0) }
            for line in conversation.lines.all.prefix(20) { file.take(line) }
            try await file.finish()
            let whole = try bytes(path)
            #expect(told.values.isEmpty)
            let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(next) }
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                if link == path, let descriptor = Int32(name) { #expect(dup2(next, descriptor) == descriptor) }
            }
            for line in conversation.lines.all.dropFirst(20) { file.take(line) }
            // Before the end.
            let failure = try await told.first(1)[0]
            #expect(failure.description.contains("Free space") && failure.description.contains(path))
            await #expect(throws: failure) { try await file.finish() }
            #expect(told.values.count == 1 && !file.isFull)
            #expect(try bytes(path) == whole)
            // Whoever asks late is told too.
            let late = Collected<VoiceTraceError>()
            file.whenFailed { late.append($0) }
            #expect(try await late.first(1) == [failure])
        }
    }
}
