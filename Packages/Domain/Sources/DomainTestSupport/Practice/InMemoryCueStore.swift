// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// A ``CueStore`` that forgets everything when it is released.
public actor InMemoryCueStore: CueStore {
    private struct Stretch: Hashable {
        let query: CueQuery
        let cursor: CueCursor?
    }

    private var cues: [Identifier<Cue>: Cue] = [:]
    private var refreshes: [Stretch: Date] = [:]

    /// Makes a store with some cues.
    public init(_ cues: [Cue] = []) {
        for cue in cues { self.cues[cue.id] = cue }
    }

    /// Adds cues, or replaces those with the same id.
    public func add(_ cues: [Cue]) {
        for cue in cues { self.cues[cue.id] = cue }
    }

    /// Takes a cue away.
    public func remove(_ id: Identifier<Cue>) { cues[id] = nil }

    /// See ``CueRepository``.
    public func page(_ query: CueQuery, after cursor: CueCursor?) throws -> CuePage {
        try Task.checkCancellation()
        return CuePage(of: query, after: cursor, among: Array(cues.values)) { Self.matches($0, query) }
    }

    /// See ``CueRepository``.
    public func cue(_ id: Identifier<Cue>) -> Cue? { cues[id] }

    /// See ``CueStore``.
    public func takeOver(_ page: CuePage, of query: CueQuery, after cursor: CueCursor?, at time: Date) throws {
        try Task.checkCancellation()
        let kept = Set(page.cues.map(\.id))
        for cue in cues.values where page.skipped.isEmpty && Self.matches(cue, query) && !kept.contains(cue.id) {
            let isBehind = cursor.map { $0.precedes(cue, in: query.order) } ?? true
            let isBeyond = page.next.map { $0.precedes(cue, in: query.order) } ?? false
            if isBehind && !isBeyond { cues[cue.id] = nil }
        }
        add(page.cues)
        refreshes[Stretch(query: query, cursor: cursor)] = time
    }

    /// See ``CueStore``.
    public func refreshedAt(_ query: CueQuery, after cursor: CueCursor?) -> Date? {
        refreshes[Stretch(query: query, cursor: cursor)]
    }

    private static func matches(_ cue: Cue, _ query: CueQuery) -> Bool {
        guard query.language?.matches(cue.language) ?? true, query.topic.map({ $0 == cue.topic }) ?? true,
            query.level.map({ $0 == cue.level }) ?? true
        else { return false }
        guard let words = query.words else { return true }
        return SearchedWords(words).areAll(in: cue.text + "\n" + (cue.hint ?? ""))
    }
}
