// SPDX-License-Identifier: MIT

public import Domain

/// How far the server's evaluation of a recording is, on the wire: the answer to a request, and the data of an event.
public struct EvaluationStateDTO: Codable, Hashable, Sendable {
    /// A stage.
    public enum Stage: String, Sendable, CaseIterable {
        /// It waits for its turn.
        case waiting
        /// It is being worked on.
        case running
        /// The evaluation is there.
        case done
        /// There will be none; the reason says why.
        case failed
    }

    /// The name of a ``Stage``.
    public var state: String
    /// The evaluation, when it is done.
    public var evaluation: EvaluationDTO?
    /// Why there is none, for a person.
    public var reason: String?

    enum CodingKeys: String, CodingKey { case state, evaluation, reason }

    /// A state as the wire has it.
    public init(_ stage: Stage, evaluation: Evaluation? = nil, reason: String? = nil) {
        state = stage.rawValue
        self.evaluation = evaluation.map(EvaluationDTO.init)
        self.reason = reason
    }

    /// Writes null for what is not there.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(state, forKey: .state)
        try values.encode(evaluation, forKey: .evaluation)
        try values.encode(reason, forKey: .reason)
    }

    /// The stage; one that this program does not know counts as running: it is none of the two that end.
    public var stage: Stage { Stage(rawValue: state) ?? .running }

    /// The evaluation; `nil` while it is not done.
    ///
    /// - Throws: ``MappingFailure`` when it is broken, or missing although it is done.
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
