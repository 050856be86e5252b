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

    /// The record as the one escaped line that ``StandardErrorSink`` writes, without its end, and always without private
    /// values.
    public var redactedLine: String { LogLine.text(of: withoutPrivateText, usesColour: false) }

    /// The record as the one line of JSON that ``LogFileSink`` writes, without its end, and always without private values.
    public var redactedJSON: String { JSONLogLine.text(of: withoutPrivateText) }

    /// The same record without private values.
    var withoutPrivateText: LogRecord {
        LogRecord(time: time, level: level, category: category, message: message, metadata: metadata)
    }

    /// A record. Removes private values from the message and the metadata, unless `revealsPrivate` is set, and always
    /// removes text in the form of a secret (``SecretSweep``).
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
        // Every record passes here once, so that no sink can omit it.
        self.message = (revealsPrivate ? message : message.withoutPrivateText()).swept()
        self.metadata = metadata.mapValues { (revealsPrivate ? $0 : $0.withoutPrivateText()).swept() }
    }
}
