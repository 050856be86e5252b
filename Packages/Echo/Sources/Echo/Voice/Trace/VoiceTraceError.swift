// SPDX-License-Identifier: MIT

/// The reason why a trace cannot be read or replayed, or its difference today. Lines are counted from 1.
public enum VoiceTraceError: Error, Sendable, Hashable {
    /// The file is not a trace.
    case foreign
    /// The trace is of a version that this program does not know.
    case unknownVersion(Int)
    /// A line is invalid.
    case damaged(line: Int, reason: String)
    /// The trace exceeds the limits of reading.
    case tooLarge
    /// Writing failed: the path, and the system's message.
    case notWritten(path: String, reason: String)
    /// The replay's actions differ from the recorded ones, both as JSON.
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
