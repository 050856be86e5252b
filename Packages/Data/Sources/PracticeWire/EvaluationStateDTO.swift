// SPDX-License-Identifier: MIT

public import Domain

/// The state of the server's evaluation of a recording, on the wire: the answer to a request, and the data of an event.
public struct EvaluationStateDTO: Codable, Hashable, Sendable {
    /// A stage of the evaluation.
    public enum Stage: String, Sendable, CaseIterable {
        /// The evaluation has not started.
        case waiting
        /// The evaluation is under way.
        case running
        /// The evaluation exists.
        case done
        /// There will be no evaluation; the reason says why.
        case failed
    }

    /// The name of a ``Stage``.
    public var state: String
    /// The evaluation; present at the stage `done`.
    public var evaluation: EvaluationDTO?
    /// The reason for a missing evaluation, for a person.
    public var reason: String?

    enum CodingKeys: String, CodingKey { case state, evaluation, reason }

    /// Makes the wire form of a state.
    public init(_ stage: Stage, evaluation: Evaluation? = nil, reason: String? = nil) {
        state = stage.rawValue
        self.evaluation = evaluation.map(EvaluationDTO.init)
        self.reason = reason
    }

    /// Writes null for missing members.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(state, forKey: .state)
        try values.encode(evaluation, forKey: .evaluation)
        try values.encode(reason, forKey: .reason)
    }

    /// The stage; one that this program does not know counts as running, because it is neither of the final ones.
    public var stage: Stage { Stage(rawValue: state) ?? .running }

    /// The evaluation; `nil` while it is not done.
    ///
    /// - Throws: ``MappingFailure`` if it is broken, or missing although it is done.
    public func finished() throws(MappingFailure) -> Evaluation? {
        guard stage == .done else { return nil }
        guard let evaluation else { throw MappingFailure("evaluation", "is missing, although it is done") }
        do throws(MappingFailure) {
            return try evaluation.evaluation()
        } catch {
            throw error.inside("evaluation")
        }
    }
}
