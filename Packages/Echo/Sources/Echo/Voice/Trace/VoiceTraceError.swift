// SPDX-License-Identifier: MIT

/// The reason why a trace cannot be read or replayed, or its difference today. Lines are counted from 1.
public enum VoiceTraceError: Error, Sendable, Hashable {
    /// The file is no trace.
    case foreign
    /// The trace is of a version that this program does not know.
    case unknownVersion(Int)
    /// A line is not what a trace has there.
    case damaged(line: Int, reason: String)
    /// There is more of it than is read.
    case tooLarge
    /// No more of it can be written: where it is, and what the system says.
    case notWritten(path: String, reason: String)
    /// The conversation decided otherwise when it was recorded: its actions then and today, as JSON.
    case differs(line: Int, recorded: String, today: String)
}

extension VoiceTraceError: CustomStringConvertible {
    /// The failure, and the remedy.
    public var description: String {
        switch self {
        case .foreign: "This is no trace of a voice conversation. Record one with --trace FILE."
        case .unknownVersion(let version):
            "The trace has the version \(version), this program knows \(VoiceTrace.version). Replay it with the program "
                + "that recorded it."
        case .damaged(let line, let reason): "Line \(line) of the trace is damaged: \(reason) Record another."
        case .tooLarge: "The trace is larger than what is read. Record a shorter conversation."
        case .notWritten(let path, let reason):
            "The trace \(path) takes nothing more: \(reason). Free space on its disk for another; up to there it can be "
                + "replayed."
        case .differs(let line, let recorded, let today):
            "Line \(line): the conversation decides otherwise today.\n  recorded: \(recorded)\n  today:    \(today)"
        }
    }
}
