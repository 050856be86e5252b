// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A position in a list of results, the newest first: after this one.
public struct PracticeCursor: Hashable, Sendable, CustomStringConvertible {
    /// The time of the result, in milliseconds since 1970.
    public let time: Int64
    /// The result, which may have been removed.
    public let id: Identifier<PracticeResult>

    /// The cursor after a result.
    public init(time: Int64, id: Identifier<PracticeResult>) {
        self.time = time
        self.id = id
    }

    /// The cursor after a result.
    public init(after result: PracticeResult) {
        self.init(time: Int64((result.practisedAt.timeIntervalSince1970 * 1_000).rounded()), id: result.id)
    }

    /// Parses the text form; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]), let id = Identifier<PracticeResult>(String(parts[1]))
        else { return nil }
        self.init(time: time, id: id)
    }

    /// The text form, of digits, small letters, "-" and "_".
    public var description: String { "\(time)_\(id)" }
}

/// Some results of a list, the newest first; of the same millisecond, the greatest id first.
public struct PracticePage: Hashable, Sendable {
    /// The results.
    public var results: [PracticeResult]
    /// The cursor of the next page; `nil` after the last one.
    public var next: PracticeCursor?
    /// The results that were left out since they could not be read.
    public var skipped: [SkippedItem]

    /// A page.
    public init(results: [PracticeResult], next: PracticeCursor? = nil, skipped: [SkippedItem] = []) {
        self.results = results
        self.next = next
        self.skipped = skipped
    }
}

/// A store of results. Every implementation passes `PracticeRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol PracticeRepository: Sendable {
    /// Stores results, all or none. When this returns, they survive a crash. A result whose id is already stored is
    /// left as it is.
    func store(_ results: [PracticeResult]) async throws

    /// The result with that id; nil if it is missing.
    func result(_ id: Identifier<PracticeResult>) async throws -> PracticeResult?

    /// The results of a query after a cursor, or from the newest.
    func page(_ query: PracticeQuery, after cursor: PracticeCursor?) async throws -> PracticePage

    /// Removes a result.
    ///
    /// - Returns: True if it existed.
    func delete(_ id: Identifier<PracticeResult>) async throws -> Bool
}
