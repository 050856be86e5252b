// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Where cues come from. Every implementation passes `CueRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol CueRepository: Sendable {
    /// The cues of a query after a place, or from the start.
    ///
    /// Pages after one another hold each cue that stayed, once, whatever is added or removed meanwhile.
    func page(_ query: CueQuery, after cursor: CueCursor?) async throws -> CuePage

    /// The cue of that name, or `nil`.
    func cue(_ id: Identifier<Cue>) async throws -> Cue?
}

/// Cues on this device.
public protocol CueStore: CueRepository {
    /// Takes over what the server has of a query: its cues are added or replaced, and any others here that the query would
    /// list in this stretch are gone from the catalogue, and removed. All of it or nothing.
    ///
    /// A page that left something out (``CuePage/skipped``) removes nothing: what could not be read may be what is here.
    ///
    /// - Parameters:
    ///   - page: What the server answered. Its ``CuePage/next`` says how far the stretch goes.
    ///   - query: What it was asked.
    ///   - cursor: Where the stretch begins.
    ///   - time: When it answered.
    func takeOver(_ page: CuePage, of query: CueQuery, after cursor: CueCursor?, at time: Date) async throws

    /// When the server last answered this query after this place; `nil` when it never did.
    func refreshedAt(_ query: CueQuery, after cursor: CueCursor?) async throws -> Date?
}
