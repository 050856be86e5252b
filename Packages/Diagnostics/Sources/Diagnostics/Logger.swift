// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Writes log records to a sink. Libraries accept loggers and never build them.
///
/// A message is built only when its level is on, so that an unused `trace` costs one comparison.
public struct Logger: Sendable {
    /// The part of the program that logs, such as `speech.recogniser`.
    public let category: String
    /// The least severe level that is written.
    public let minimumLevel: LogLevel
    /// The values of every record in addition to its message.
    public let metadata: [String: LogMessage]
    /// True if records keep the private values of their messages. For development only.
    public let revealsPrivate: Bool

    private let sink: (any LogSink)?
    private let now: @Sendable () -> Date

    /// A logger that drops everything without building it.
    public static let disabled = Logger(
        category: "", minimumLevel: .critical, metadata: [:], revealsPrivate: false, sink: nil, now: { Date() })

    /// A logger that writes to `sink`.
    ///
    /// - Parameters:
    ///   - category: The part of the program that logs.
    ///   - minimumLevel: The least severe level that is written.
    ///   - sink: Receives the records.
    ///   - metadata: The values of every record; they are as private as a message's.
    ///   - revealsPrivate: True if the records keep private values. For development only.
    ///   - now: The wall clock.
    public init(
        category: String,
        minimumLevel: LogLevel = .info,
        sink: any LogSink,
        metadata: [String: LogMessage] = [:],
        revealsPrivate: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            category: category, minimumLevel: minimumLevel, metadata: metadata, revealsPrivate: revealsPrivate,
            sink: sink, now: now)
    }

    private init(
        category: String,
        minimumLevel: LogLevel,
        metadata: [String: LogMessage],
        revealsPrivate: Bool,
        sink: (any LogSink)?,
        now: @escaping @Sendable () -> Date
    ) {
        self.category = category
        self.minimumLevel = minimumLevel
        self.metadata = revealsPrivate ? metadata : metadata.mapValues { $0.withoutPrivateText() }
        self.revealsPrivate = revealsPrivate
        self.sink = sink
        self.now = now
    }

    /// The same logger for another part of the program.
    public func with(category: String) -> Logger {
        Logger(
            category: category, minimumLevel: minimumLevel, metadata: metadata, revealsPrivate: revealsPrivate,
            sink: sink, now: now)
    }

    /// The same logger with one more value on every record; replaces the key's previous value.
    public func with(_ key: String, _ value: LogMessage) -> Logger {
        var extended = metadata
        extended[key] = value
        return Logger(
            category: category, minimumLevel: minimumLevel, metadata: extended, revealsPrivate: revealsPrivate,
            sink: sink, now: now)
    }

    /// The same logger with another limit.
    public func with(minimumLevel: LogLevel) -> Logger {
        Logger(
            category: category, minimumLevel: minimumLevel, metadata: metadata, revealsPrivate: revealsPrivate,
            sink: sink, now: now)
    }

    /// True if a record of this level would be written.
    public func isEnabled(_ level: LogLevel) -> Bool { sink != nil && level >= minimumLevel }

    /// Writes a record if its level is on; the message is not built otherwise.
    public func log(_ level: LogLevel, _ message: @autoclosure () -> LogMessage) {
        guard let sink, level >= minimumLevel else { return }
        sink.write(
            LogRecord(
                time: now(), level: level, category: category, message: message(), metadata: metadata,
                revealsPrivate: revealsPrivate))
    }
}

extension Logger {
    /// Writes step-by-step detail, for following one defect.
    public func trace(_ message: @autoclosure () -> LogMessage) { log(.trace, message()) }

    /// Writes detail that helps a developer.
    public func debug(_ message: @autoclosure () -> LogMessage) { log(.debug, message()) }

    /// Writes a step of a healthy run.
    public func info(_ message: @autoclosure () -> LogMessage) { log(.info, message()) }

    /// Writes an unusual, but expected event.
    public func notice(_ message: @autoclosure () -> LogMessage) { log(.notice, message()) }

    /// Writes a failure that the program has repaired.
    public func warning(_ message: @autoclosure () -> LogMessage) { log(.warning, message()) }

    /// Writes a failed operation.
    public func error(_ message: @autoclosure () -> LogMessage) { log(.error, message()) }

    /// Writes the failure after which the program cannot continue.
    public func critical(_ message: @autoclosure () -> LogMessage) { log(.critical, message()) }
}
