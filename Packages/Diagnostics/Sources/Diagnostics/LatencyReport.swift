// SPDX-License-Identifier: MIT

/// The marks of a ``LatencyLedger`` as a value, in the order of time.
public struct LatencyReport: Sendable, Equatable {
    /// One stage of a turn.
    public struct Entry: Sendable, Equatable {
        /// The stage.
        public let stage: LatencyLedger.Stage
        /// The time since the turn's earliest stage; never negative.
        public let sinceStart: Duration
        /// The time since the stage before it; zero for the first; never negative.
        public let sincePrevious: Duration

        /// A stage with its times.
        public init(stage: LatencyLedger.Stage, sinceStart: Duration, sincePrevious: Duration) {
            self.stage = stage
            self.sinceStart = sinceStart
            self.sincePrevious = sincePrevious
        }
    }

    /// The turn that was measured.
    public let id: String
    /// The stages, earliest first.
    public let entries: [Entry]

    /// A report of these stages.
    public init(id: String, entries: [Entry]) {
        self.id = id
        self.entries = entries
    }

    /// Each stage's name with the milliseconds since the earliest stage, in the order of time; for JSON.
    public var milliseconds: [(stage: String, milliseconds: Double)] {
        entries.map { ($0.stage.rawValue, $0.sinceStart.inMilliseconds) }
    }

    /// A plain text table, one line a stage: name, milliseconds since the start, milliseconds since the stage before.
    ///
    /// Columns are padded with spaces, numbers have one decimal, and the last line ends without a newline.
    public func formatted() -> String {
        var rows = [["stage", "at ms", "+ms"]]
        for entry in entries {
            rows.append([
                LogText.escaped(entry.stage.rawValue), oneDecimal(entry.sinceStart), oneDecimal(entry.sincePrevious),
            ])
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let name = row[0] + spaces(widths[0] - row[0].count)
            let numbers = (1..<3).map { spaces(widths[$0] - row[$0].count) + row[$0] }
            return ([name] + numbers).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private func oneDecimal(_ duration: Duration) -> String {
        let exact = (duration.inMilliseconds * 10).rounded()
        guard let tenths = Int64(exactly: exact) else { return "\(exact / 10)" }
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}

extension Duration {
    fileprivate var inMilliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }
}
