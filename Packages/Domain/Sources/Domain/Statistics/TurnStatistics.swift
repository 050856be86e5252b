// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A store of measurements of turns, beside the conversations of this device. Every implementation passes
/// `TurnStatisticsContract` in `DomainTestSupport`.
///
/// Each function throws ``DomainError/storage(_:)`` or `CancellationError`, and may be called concurrently. What was noted
/// survives the end of the process; a power failure may take the newest.
public protocol TurnStatistics: Sendable {
    /// Stores a measurement in the place of the turn's earlier one, and removes those outside of
    /// ``TurnMeasurement/window(at:)``. A measurement goes with the last message of its turn, and with all conversations.
    func note(_ measurement: TurnMeasurement, at now: Date) async throws

    /// The turns that began in a range and were measured, the earliest first, each with what is stored of its answers.
    func turns(in range: Range<Date>) async throws -> [CountedTurn]
}

/// A measured turn with what the conversations have of its answers.
public struct CountedTurn: Sendable, Hashable {
    /// The measurement.
    public let measurement: TurnMeasurement
    /// The part of the program that the last answer comes from; nil without a stored answer.
    public private(set) var source: AnswerSource?
    /// The tokens of all answers and their price; nil without a model.
    public private(set) var usage: AnswerUsage?
    /// True if the last answer was cut off.
    public private(set) var isInterrupted = false

    /// A turn without stored answers.
    public init(_ measurement: TurnMeasurement) { self.measurement = measurement }

    /// Adds the next stored answer of the turn.
    public mutating func add(source: AnswerSource?, usage: AnswerUsage?, state: Message.State) {
        self.source = source ?? self.source
        if let usage { self.usage = self.usage.map { $0 + usage } ?? usage }
        isInterrupted = if case .interrupted = state { true } else { false }
    }
}
