// SPDX-License-Identifier: MIT

/// A part of a text that has a value.
public struct IntentEntity: Hashable, Sendable {
    /// The value.
    public enum Value: Hashable, Sendable {
        /// A number, such as a percentage.
        case number(ExactNumber)
        /// A duration.
        case duration(Duration)
        /// A day.
        case date(DateReference)
        /// A time on a clock.
        case clockTime(ClockTime)
        /// A place's name, as it was written.
        case place(String)
        /// A number of a unit.
        case quantity(Quantity)
        /// A unit.
        case unit(UnitOfMeasure)
        /// A calculation.
        case calculation(Arithmetic)
        /// The name of a timer or an alarm, as it was written.
        case label(String)
        /// The words to spell, as they were written.
        case word(String)
    }

    /// The value.
    public let value: Value
    /// The part's offsets in the text's UTF-8.
    public let range: Range<Int>
}

/// An intent that was read from a text.
public struct IntentReading: Hashable, Sendable {
    /// The intent with its values.
    public let intent: LocalIntent
    /// The intent without its values.
    public let kind: LocalIntent.Kind
    /// The parts of the text that have values, in the text's order.
    public let entities: [IntentEntity]
    /// 1 for a phrase of the table, less 0.02 for a filler, 0.1 for a misspelling and 0.15 beside another clause; at least
    /// 0.6.
    public let confidence: Double
    /// True if the text means something else unless its place is known: "military time", "what time is sunset".
    public let requiresKnownPlace: Bool
    /// Other readings of the text whose confidence is at most 0.25 less, best first.
    public internal(set) var alternatives: [IntentReading] = []

    /// The reading of a part of a text, as one of the whole text.
    func moved(by offset: Int, confidence: Double) -> IntentReading {
        let entities = entities.map {
            IntentEntity(value: $0.value, range: $0.range.lowerBound + offset..<$0.range.upperBound + offset)
        }
        return IntentReading(
            intent: intent, kind: kind, entities: entities, confidence: max(0.6, confidence),
            requiresKnownPlace: requiresKnownPlace)
    }
}
