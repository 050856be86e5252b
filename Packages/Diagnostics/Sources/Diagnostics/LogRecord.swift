// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One event on its way to a sink.
public struct LogRecord: Sendable, Equatable {
    /// The wall-clock time of the event.
    public let time: Date
    /// How much it matters.
    public let level: LogLevel
    /// The part of the program that speaks, such as `speech.recogniser`.
    public let category: String
    /// What happened.
    public let message: LogMessage
    /// Values that hold for more than this record, such as `turn`.
    public let metadata: [String: LogMessage]

    /// A record. Private values are removed from the message and the metadata here, unless `revealsPrivate` is set.
    public init(
        time: Date,
        level: LogLevel,
        category: String,
        message: LogMessage,
        metadata: [String: LogMessage] = [:],
        revealsPrivate: Bool = false
    ) {
        self.time = time
        self.level = level
        self.category = category
        if revealsPrivate {
            self.message = message
            self.metadata = metadata
        } else {
            self.message = message.withoutPrivateText()
            let holdsPrivateText = metadata.values.contains { $0.holdsPrivateText }
            self.metadata = holdsPrivateText ? metadata.mapValues { $0.withoutPrivateText() } : metadata
        }
    }
}
