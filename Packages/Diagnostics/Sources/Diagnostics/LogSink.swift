// SPDX-License-Identifier: MIT

import Concurrency

/// A receiver of log records.
public protocol LogSink: Sendable {
    /// Writes one record.
    ///
    /// Called from any thread and from several at once, in the order in which each thread logs. A sink must not report
    /// its own failures to the program that logs: it drops the record.
    func write(_ record: LogRecord)
}

/// Writes each record to several sinks, in their order.
public struct MultiplexSink: LogSink {
    private let sinks: [any LogSink]

    /// A sink that passes every record to each of `sinks`.
    public init(_ sinks: [any LogSink]) {
        self.sinks = sinks
    }

    /// Writes the record to every sink.
    public func write(_ record: LogRecord) {
        for sink in sinks { sink.write(record) }
    }
}

/// Keeps the newest records in memory, for a test or for a report after a failure.
public final class RingSink: LogSink {
    private struct State {
        var slots: [LogRecord] = []
        /// The slot of the next record once every slot is taken: that of the oldest.
        var oldest = 0
        var dropped = 0
    }

    /// The most records that are kept; at least 1.
    public let capacity: Int
    private let state = Guarded(State())

    /// A ring of `capacity` records; less than 1 is taken as 1.
    public init(capacity: Int = 1_000) {
        self.capacity = max(1, capacity)
    }

    /// Keeps the record; if the ring is full, the oldest one is dropped.
    public func write(_ record: LogRecord) {
        state.withLock { state in
            if state.slots.count < capacity {
                state.slots.append(record)
            } else {
                state.slots[state.oldest] = record
                state.oldest = (state.oldest + 1) % capacity
                state.dropped += 1
            }
        }
    }

    /// The kept records, oldest first.
    public func snapshot() -> [LogRecord] {
        state.withLock { Array($0.slots[$0.oldest...] + $0.slots[..<$0.oldest]) }
    }

    /// The number of records that were dropped to make room.
    public var dropped: Int { state.withLock { $0.dropped } }
}
