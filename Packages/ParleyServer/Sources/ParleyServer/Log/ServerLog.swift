// SPDX-License-Identifier: MIT

public import Diagnostics

/// Chooses the destination of a server's log.
public struct ServerLog: Sendable {
    /// The form of a line on standard error.
    public enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// The least severe level that is written. Audit events are written at every level.
    public var level = LogLevel.info
    /// The form of a line; nil for text, or for the journal's fields if standard error leads to the journal.
    public var format: Format?

    /// The defaults.
    public init() {}

    /// - Parameters:
    ///   - environment: `JOURNAL_STREAM` identifies the stream that leads to systemd's journal.
    ///   - fileDescriptor: Receives the lines.
    ///   - journal: The socket that the journal listens on.
    public func sink(
        environment: [String: String], fileDescriptor: Int32 = 2, journal: String = JournaldSink.standardPath
    ) -> any LogSink {
        if format == nil, JournaldSink.isJournal(fileDescriptor, stream: environment["JOURNAL_STREAM"]),
            let sink = try? JournaldSink(identifier: "parley-server", path: journal)
        {
            return sink
        }
        return StandardErrorSink(fileDescriptor: fileDescriptor, format: format == .json ? .json : .text)
    }

    /// A logger for ``ParleyServer/start(_:logger:)``.
    ///
    /// - Parameters:
    ///   - environment: As for ``sink(environment:fileDescriptor:journal:)``.
    ///   - other: Receives the records, too.
    public func logger(environment: [String: String], also other: (any LogSink)? = nil) -> Logger {
        let sink = sink(environment: environment)
        return Logger(
            category: "server", minimumLevel: level, sink: other.map { MultiplexSink([sink, $0]) } ?? sink)
    }
}
