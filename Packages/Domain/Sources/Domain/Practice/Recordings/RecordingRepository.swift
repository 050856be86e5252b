// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A store of recordings. Every implementation passes `RecordingRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol RecordingRepository: Sendable {
    /// Keeps a recording. When this returns, it survives a crash.
    ///
    /// Storing one again changes nothing. The length and the hash are compared with the content. Another id for stored
    /// content is no duplicate.
    ///
    /// - Throws: ``DomainError/invalidInput(_:)`` when the content does not match the recording.
    func store(_ recording: Recording, content: any RecordingContent) async throws

    /// The recording with that id; nil if it is missing.
    func recording(_ id: Identifier<Recording>) async throws -> Recording?

    /// Recordings, the newest first; of the same millisecond, the greatest id first. After a cursor or from the newest.
    func recordings(after cursor: RecordingCursor?, limit: Int) async throws -> [Recording]

    /// The sound of a recording.
    ///
    /// - Throws: ``DomainError/notFound(_:)``.
    func content(of id: Identifier<Recording>) async throws -> any RecordingContent

    /// Removes a recording and its sound.
    ///
    /// - Returns: True if it existed.
    func delete(_ id: Identifier<Recording>) async throws -> Bool
}

/// A position in a list of recordings, the newest first: after this one, which may have been removed.
public struct RecordingCursor: Hashable, Sendable, CustomStringConvertible {
    /// The start of the recording, in milliseconds since 1970.
    public let time: Int64
    /// The recording.
    public let id: Identifier<Recording>

    /// The cursor after a recording.
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
