// SPDX-License-Identifier: MIT

/// A receiver of log records.
public protocol LogSink: Sendable {
    /// Writes one record.
    ///
    /// Called from any thread and from several at once, in the order in which each thread logs. A sink must not throw its
    /// trouble at the program that logs: it drops the record.
    func write(_ record: LogRecord)
}
