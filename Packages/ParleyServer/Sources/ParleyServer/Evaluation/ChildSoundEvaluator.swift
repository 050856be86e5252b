// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
import Glibc
import PracticeWire

/// The most that the process of an evaluation may take.
public struct EvaluationLimits: Sendable, Hashable {
    /// The most bytes of memory that are resident at once, as the worker sees every 20 ms.
    ///
    /// Not a limit of address space (setrlimit(2), `RLIMIT_AS`): a program whose threads are refused waits for them
    /// without end.
    public var memoryBytes: Int
    /// The most seconds of computing time over all threads (`RLIMIT_CPU`).
    public var cpuSeconds: Int

    /// Limits that are both greater than 0.
    public init(memoryBytes: Int, cpuSeconds: Int) {
        (self.memoryBytes, self.cpuSeconds) = (memoryBytes, cpuSeconds)
    }

    /// Limits the computing time of this process for good. A crash leaves no core file, which would hold the sound.
    public static func apply(cpuSeconds: Int) {
        // At the lower limit comes SIGXCPU, which says why; at the upper one SIGKILL.
        for (resource, value, margin) in [
            (RLIMIT_CPU, rlim_t(cpuSeconds), 5), (RLIMIT_CORE, 0, 0),
        ] as [(__rlimit_resource, rlim_t, rlim_t)] {
            var limit = rlimit(rlim_cur: value, rlim_max: value + margin)
            setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }
    }
}

/// Evaluates each recording in a process of its own, so that a sound that takes all memory, never ends or crashes the
/// evaluator harms nothing else. The process is killed when the task is cancelled.
public struct ChildSoundEvaluator: SoundEvaluator {
    private let program: String
    private let arguments: [String]
    private let memoryBytes: Int

    /// - Parameters:
    ///   - program: The path of a program that calls ``SoundEvaluationTask/run(_:workerDied:)``.
    ///   - arguments: Its arguments.
    ///   - memoryBytes: The most bytes of memory that the process may have.
    public init(program: String, arguments: [String], memoryBytes: Int) {
        (self.program, self.arguments, self.memoryBytes) = (program, arguments, memoryBytes)
    }

    /// See ``SoundEvaluator``.
    public func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
        let request = SoundEvaluationTask.Request(
            file: file, recording: RecordingDTO(recording), cue: cue.map { CueDTO($0) })
        let (output, end) = try await EvaluationChild(program, arguments, memoryBytes: memoryBytes).run(
            input: WireJSON.encode(request) + [UInt8(ascii: "\n")])
        guard end == .ended(.exited(0)) else { throw EvaluationFailure(reason: Self.reason(end)) }
        let answer = try WireJSON.decode(SoundEvaluationTask.Answer.self, from: output)
        guard let evaluation = answer.evaluation else {
            throw EvaluationFailure(reason: answer.reason ?? "The recording could not be evaluated.")
        }
        return try evaluation.evaluation()
    }

    /// The sentence for an end without an answer.
    static func reason(_ end: EvaluationChild.End) -> String {
        switch end {
        case .ended(.killed(signal: SIGXCPU)): "The evaluation took more computing time than it is allowed."
        case .tooMuchMemory: "The evaluation took more memory than it is allowed."
        case .ended: "The evaluation broke off. The recording may be damaged."
        }
    }
}
