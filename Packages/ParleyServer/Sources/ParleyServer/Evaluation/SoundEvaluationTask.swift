// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Glibc
import PracticeWire

/// The work of a process that ``ChildSoundEvaluator`` starts: a request on standard input, the answer on standard output.
public enum SoundEvaluationTask {
    struct Request: Codable, Sendable {
        let file: String
        let recording: RecordingDTO
        let cue: CueDTO?
    }

    struct Answer: Codable, Sendable {
        var evaluation: EvaluationDTO?
        /// A sentence for the person.
        var reason: String?
    }

    /// Evaluates one recording.
    ///
    /// - Parameters:
    ///   - evaluator: The evaluator.
    ///   - workerDied: Ends the process. Called on a thread of its own when standard input ends: the worker that started
    ///     the process has died.
    /// - Throws: An error other than ``EvaluationFailure``; the worker then sees an exit code.
    public static func run(
        _ evaluator: any SoundEvaluator, workerDied: @escaping @Sendable () -> Void
    ) async throws {
        let request = try WireJSON.decode(Request.self, from: await BlockingCall.run { readLine() })
        _ = DetachedThread.start(name: "worker-watch") {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) != 0 {}
            workerDied()
        }
        var answer = Answer()
        do {
            let cue = try request.cue?.cue()
            let evaluation = try await evaluator.evaluate(
                file: request.file, request.recording.recording(), of: cue)
            answer.evaluation = EvaluationDTO(evaluation)
        } catch let failure as EvaluationFailure {
            answer.reason = failure.reason
        } catch let error as DomainError {
            answer.reason = error.detail
        }
        let bytes = [UInt8](try WireJSON.encode(answer))
        await BlockingCall.run { write(bytes) }
    }

    private static func readLine() -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return line
    }

    private static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
