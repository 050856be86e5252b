// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A source of cues. Every implementation passes `CueRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol CueRepository: Sendable {
    /// The cues of a query after a cursor, or from the start.
    ///
    /// Successive pages contain each cue that stayed exactly once, whatever is added or removed meanwhile.
    func page(_ query: CueQuery, after cursor: CueCursor?) async throws -> CuePage

    /// The cue with that id; nil if it is missing.
    func cue(_ id: Identifier<Cue>) async throws -> Cue?
}

/// Cues on this device.
public protocol CueStore: CueRepository {
    /// Takes over the server's page of a query: adds or replaces its cues, and removes every stored cue that the query
    /// would list in the same stretch and the page lacks. All of it or nothing.
    ///
    /// A page that left something out (``CuePage/skipped``) removes nothing: an unread item may be a stored cue.
    ///
    /// - Parameters:
    ///   - page: The server's answer. Its ``CuePage/next`` is the end of the stretch.
    ///   - query: The query that the server answered.
    ///   - cursor: The start of the stretch.
    ///   - time: The time of the answer.
    func takeOver(_ page: CuePage, of query: CueQuery, after cursor: CueCursor?, at time: Date) async throws

    /// The time of the server's last answer to this query after this cursor; `nil` before the first.
    func refreshedAt(_ query: CueQuery, after cursor: CueCursor?) async throws -> Date?
}
