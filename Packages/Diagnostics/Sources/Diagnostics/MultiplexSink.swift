// SPDX-License-Identifier: MIT

/// Writes each record to several sinks, in their order.
public struct MultiplexSink: LogSink {
    private let sinks: [any LogSink]

    /// A sink that hands every record to each of `sinks`.
    public init(_ sinks: [any LogSink]) {
        self.sinks = sinks
    }

    /// Writes the record to every sink.
    public func write(_ record: LogRecord) {
        for sink in sinks { sink.write(record) }
    }
}
