// SPDX-License-Identifier: MIT

public import Domain
import Glibc
import PracticeWire

/// Evaluates each recording in a process of its own, so that a sound that takes all memory, never ends or crashes the
/// evaluator harms nothing else. The process is killed when the task is cancelled.
public struct ChildSoundEvaluator: SoundEvaluator {
    private let program: String
    private let arguments: [String]

    /// - Parameters:
    ///   - program: The path of a program that calls ``SoundEvaluationTask/run(_:workerDied:)``.
    ///   - arguments: Its arguments.
    public init(program: String, arguments: [String]) {
        (self.program, self.arguments) = (program, arguments)
    }

    /// See ``SoundEvaluator``.
    public func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
        let request = SoundEvaluationTask.Request(
            file: file, recording: RecordingDTO(recording), cue: cue.map { CueDTO($0) })
        let (output, end) = try await EvaluationChild(program, arguments).run(
            input: WireJSON.encode(request) + [UInt8(ascii: "\n")])
        guard end == .exited(0) else { throw EvaluationFailure(reason: Self.reason(end)) }
        let answer = try WireJSON.decode(SoundEvaluationTask.Answer.self, from: output)
        guard let evaluation = answer.evaluation else {
            throw EvaluationFailure(reason: answer.reason ?? "The recording could not be evaluated.")
        }
        return try evaluation.evaluation()
    }

    /// The sentence for an end without an answer. Memory that is refused ends a program in several ways.
    static func reason(_ end: EvaluationChild.End) -> String {
        switch end {
        case .killed(SIGXCPU): "The evaluation took more computing time than it is allowed."
        case .killed, .exited:
            "The evaluation broke off. The recording may be damaged, or needs more memory than is allowed."
        }
    }
}
