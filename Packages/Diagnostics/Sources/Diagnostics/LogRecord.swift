// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One event on its way to a sink.
public struct LogRecord: Sendable, Equatable {
    /// The wall-clock time of the event.
    public let time: Date
    /// The severity.
    public let level: LogLevel
    /// The part of the program that speaks, such as `speech.recogniser`.
    public let category: String
    /// The text, with its private values.
    public let message: LogMessage
    /// Values that hold for more than this record, such as `turn`.
    public let metadata: [String: LogMessage]

    /// A record. Private values are removed from the message and the metadata here, unless `revealsPrivate` is set, and what
    /// has the form of a secret is removed always (``SecretSweep``).
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
        // Here, where every record passes once, so that no sink can forget it.
        self.message = (revealsPrivate ? message : message.withoutPrivateText()).swept()
        self.metadata = metadata.mapValues { (revealsPrivate ? $0 : $0.withoutPrivateText()).swept() }
    }
}
