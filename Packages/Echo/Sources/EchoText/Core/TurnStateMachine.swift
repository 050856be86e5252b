// SPDX-License-Identifier: MIT

/// Decides the next step of an assistant's turn: ask the model, run tools, hand calls to the program, or end.
struct TurnStateMachine: Sendable {
    enum Action: Sendable {
        case ask
        case run([ToolCall])
        /// The program carries them out and submits the results.
        case handOver([ToolCall])
        case finish
        case fail(EchoError)
    }

    private let maximumRounds: Int
    private let isAutomatic: Bool
    private var rounds = 0

    init(maximumRounds: Int, isAutomatic: Bool) {
        self.maximumRounds = maximumRounds
        self.isAutomatic = isAutomatic
    }

    /// Handles the model's answer, which requests these calls.
    mutating func answered(_ calls: [ToolCall]) -> Action {
        guard !calls.isEmpty else { return .finish }
        rounds += 1
        guard rounds <= maximumRounds else {
            return .fail(.tooManyCalls(rounds: rounds, limit: maximumRounds))
        }
        return isAutomatic ? .run(calls) : .handOver(calls)
    }
}
