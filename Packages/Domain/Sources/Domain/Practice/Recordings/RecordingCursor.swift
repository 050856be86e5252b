// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A place in a list of recordings, the newest first: after this one, which need not be there any more.
public struct RecordingCursor: Hashable, Sendable, CustomStringConvertible {
    /// When recording began, in milliseconds since 1970.
    public let time: Int64
    /// The recording.
    public let id: Identifier<Recording>

    /// The place after a recording.
    public init(after recording: Recording) {
        time = Int64((recording.createdAt.timeIntervalSince1970 * 1_000).rounded())
        id = recording.id
    }

    /// Parses the text form; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), let id = Identifier<Recording>(String(parts[1]))
        else { return nil }
        self.time = time
        self.id = id
    }

    /// The text form, of digits, small letters, "-" and "_".
    public var description: String { "\(time)_\(id)" }
}
