// SPDX-License-Identifier: MIT

internal import CCrashReports
public import Diagnostics

/// Keeps the last 100 log lines for the report of a crash, at most 512 bytes of each, always without private values.
///
/// The lines are in memory that the crash handler reads without a lock; all sinks of a process share it. A call takes no
/// lock and allocates nothing but the line. Of two lines that meet in one slot, 100 lines apart, one is dropped.
public struct CrashLogSink: LogSink {
    /// A sink; combine it with others by `MultiplexSink`.
    public init() {}

    /// Keeps the record's line.
    public func write(_ record: LogRecord) {
        var line = record.redactedLine
        line.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return }
                crash_log_append(start, characters.count)
            }
        }
    }
}
