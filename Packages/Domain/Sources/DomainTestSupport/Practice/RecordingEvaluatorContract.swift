// SPDX-License-Identifier: MIT

public import Domain

/// An evaluator, and a recording of a cue.
public struct RecordingEvaluatorSubject: Sendable {
    let evaluator: any RecordingEvaluator
    let recording: Recording
    let cue: Cue
    let failing: Failing<any RecordingEvaluator>

    /// A subject.
    ///
    /// - Parameters:
    ///   - evaluator: The evaluator.
    ///   - recording: A recording that it can evaluate.
    ///   - cue: The cue that is said in it.
    ///   - failing: Evaluators that fail; with `notFound` where the sound is missing.
    public init(
        evaluator: any RecordingEvaluator, recording: Recording, cue: Cue, failing: Failing<any RecordingEvaluator>
    ) {
        self.evaluator = evaluator
        self.recording = recording
        self.cue = cue
        self.failing = failing
    }

    fileprivate func states(of evaluator: any RecordingEvaluator) async throws -> [EvaluationProgress] {
        var states: [EvaluationProgress] = []
        for try await state in evaluator.evaluate(recording, of: cue) { states.append(state) }
        return states
    }

    fileprivate func evaluation() async throws -> Evaluation {
        let last = try await states(of: evaluator).last
        guard case .done(let evaluation)? = last else {
            throw BrokenContract(description: "it ended with \(String(describing: last))")
        }
        return evaluation
    }
}

/// The contract of `RecordingEvaluator`.
public enum RecordingEvaluatorContract {
    /// Every promise.
    public static let checks: [ContractCheck<RecordingEvaluatorSubject>] = [
        .init("the evaluation is the last state, and uploads only grow") { subject in
            let states = try await subject.states(of: subject.evaluator)
            var sent = 0
            for (index, state) in states.enumerated() {
                switch state {
                case .uploading(let count, let total):
                    try require((sent...max(sent, total)).contains(count), "\(count) of \(total) after \(sent)")
                    sent = count
                case .analysing: continue
                case .done: try require(index == states.count - 1, "states after the evaluation")
                }
            }
            guard case .done? = states.last else {
                throw BrokenContract(description: "it ended with \(String(describing: states.last))")
            }
        },
        .init("the same recording is evaluated in the same way again") { subject in
            try await require(subject.evaluation() == subject.evaluation(), "it differs")
        },
        .init("evaluations at the same time all end") { subject in
            let expected = try await subject.evaluation()
            try await concurrently(3) { _ in try await require(subject.evaluation() == expected, "it differs") }
        },
        .init("a reader that is cancelled gets no evaluation") { subject in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await subject.states(of: subject.evaluator)
            }
            do {
                let states = try await task.value
                try require(!states.contains { if case .done = $0 { true } else { false } }, "evaluated all the same")
            } catch is CancellationError {}
        },
        .init("a missing sound and other failures are told by their error") { subject in
            try require(subject.failing["notFound"] != nil, "a missing sound is not among the failures")
            for (code, make) in subject.failing {
                let evaluator = try await make()
                try await requireError(code: code) { _ = try await subject.states(of: evaluator) }
            }
        },
    ]
}
