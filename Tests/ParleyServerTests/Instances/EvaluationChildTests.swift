// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DomainTestSupport
import Foundation
import Glibc
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

/// Evaluations in processes of their own: real programs that answer, crash, hang, take all memory or write without end.
@Suite(.timeLimit(.minutes(5))) struct EvaluationChildTests {
    private static let server = ChildProcess.path(besideTests: "parley-server")
    private let recording = Recording(
        cue: .init(), createdAt: Date(timeIntervalSince1970: 1_700_000_000), duration: 1, format: .flac,
        sampleRate: 16_000, byteCount: 10, contentHash: String(repeating: "a", count: 64))
    private let cue: Cue

    init() throws {
        let english = try #require(LanguageTag("en"))
        cue = try #require(
            Cue(
                text: "What is the capital of Texas?", language: english, topic: "x", level: 1,
                createdAt: Date(timeIntervalSince1970: 1_700_000_000)))
    }

    private func reason(
        _ program: String, _ arguments: [String], file: String = "/dev/null", memory: Int = 2 << 30
    ) async throws -> String {
        let evaluator = ChildSoundEvaluator(program: program, arguments: arguments, memoryBytes: memory)
        let failure = await #expect(throws: EvaluationFailure.self) {
            _ = try await evaluator.evaluate(file: file, recording, of: cue)
        }
        return try #require(failure).reason
    }

    private func shell(_ script: String) -> [String] { ["-c", script] }

    private func evaluateOne(cpu: Int = 240) -> [String] { ["evaluate-one", "--cpu-seconds", "\(cpu)"] }

    /// A question that somebody speaks, `count` times.
    private func spoken(_ count: Int, in folder: TemporaryFolder) throws -> String {
        let sample = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Apps/parley/Samples/capital-of-texas.wav")
        var bytes = try Data(contentsOf: sample)
        let sound = bytes.dropFirst(44)
        for _ in 1..<count { bytes.append(sound) }
        withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
        withUnsafeBytes(of: UInt32(bytes.count - 44).littleEndian) { bytes.replaceSubrange(40..<44, with: $0) }
        let file = folder.file("spoken.wav")
        try bytes.write(to: URL(filePath: file))
        return file
    }

    @Test func `a process evaluates what somebody said`() async throws {
        let folder = try TemporaryFolder()
        let evaluator = ChildSoundEvaluator(
            program: Self.server, arguments: evaluateOne(), memoryBytes: 2 << 30)
        let evaluation = try await evaluator.evaluate(file: spoken(1, in: folder), recording, of: cue)
        #expect(evaluation.count(.right) >= 5)
        let reason = try await reason(Self.server, evaluateOne(), file: "/dev/null")
        #expect(reason == "The recording cannot be read as sound." || reason == "The recording is empty.")
    }

    @Test func `a process that takes too much memory ends`() async throws {
        let folder = try TemporaryFolder()
        // The model of the recogniser does not fit.
        let few = try await reason(Self.server, evaluateOne(), file: spoken(1, in: folder), memory: 40 << 20)
        // Memory that grows without end, in a program that would never answer.
        let endless = try await reason(
            "/bin/sh", shell("exec awk 'BEGIN { while (1) kept[i++] = i }'"), memory: 30 << 20)
        for reason in [few, endless] { #expect(reason == ChildSoundEvaluator.reason(.tooMuchMemory)) }
    }

    @Test func `a process that computes too long ends`() async throws {
        let folder = try TemporaryFolder()
        let reason = try await reason(Self.server, evaluateOne(cpu: 1), file: spoken(200, in: folder))
        #expect(reason == ChildSoundEvaluator.reason(.ended(.killed(signal: SIGXCPU))))
        #expect(reason.contains("computing time"))
    }

    @Test func `a crash and an exit code are failures`() async throws {
        for script in ["kill -SEGV $$", "kill -ABRT $$", "exit 3", "exit 1; cat"] {
            #expect(try await reason("/bin/sh", shell(script)).contains("broke off"), "\(script)")
        }
    }

    @Test func `a cancelled process is dead, and so are its children`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("pids")
        let evaluator = ChildSoundEvaluator(
            program: "/bin/sh",
            arguments: shell("trap '' TERM; sleep 1000 & echo $$ $! > \(file).new; mv \(file).new \(file); wait"),
            memoryBytes: 2 << 30)
        let task = Task { try await evaluator.evaluate(file: "/dev/null", recording, of: cue) }
        try await eventually("it runs") { FileManager.default.fileExists(atPath: file) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let pids = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        for pid in pids.compactMap({ pid_t($0) }) {
            // The grandchild is reaped by the system's first process.
            try await eventually("\(pid) ends") {
                let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
                return state.map { $0.contains(") Z ") } ?? true
            }
        }
    }

    @Test func `an answer without end or without sense is an error`() async throws {
        for script in ["cat /dev/zero", "echo hello", "true"] {
            let evaluator = ChildSoundEvaluator(
                program: "/bin/sh", arguments: shell(script), memoryBytes: 2 << 30)
            await #expect(throws: (any Error).self, "\(script)") {
                _ = try await evaluator.evaluate(file: "/dev/null", recording, of: cue)
            }
        }
        let missing = ChildSoundEvaluator(program: "/no/such/program", arguments: [], memoryBytes: 1)
        await #expect(throws: EvaluationChildError.self) {
            _ = try await missing.evaluate(file: "/dev/null", recording, of: cue)
        }
    }

    /// The program ends when the worker does, which keeps the other end of its input.
    @Test func `a process ends with its worker`() throws {
        let folder = try TemporaryFolder()
        let request = SoundEvaluationTask.Request(
            file: try spoken(2_000, in: folder), recording: RecordingDTO(recording), cue: CueDTO(cue))
        let file = folder.file("request")
        try Data(WireJSON.encode(request) + [UInt8(ascii: "\n")]).write(to: URL(filePath: file))
        // The input is the request and then its end, as if the worker had died.
        let result = try ChildProcess(
            "/bin/sh", ["-c", "exec \"$0\" evaluate-one < \"$1\"", Self.server, file]
        ).finish()
        #expect(result.code == 1)
    }
}
