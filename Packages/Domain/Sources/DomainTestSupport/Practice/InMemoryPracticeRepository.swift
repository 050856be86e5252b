// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// A ``PracticeRepository`` that forgets everything when it is released.
public actor InMemoryPracticeRepository: PracticeRepository {
    private var results: [Identifier<PracticeResult>: PracticeResult] = [:]

    /// Makes an empty repository.
    public init() {}

    /// See ``PracticeRepository``.
    public func store(_ results: [PracticeResult]) throws {
        try Task.checkCancellation()
        for result in results where self.results[result.id] == nil { self.results[result.id] = result }
    }

    /// See ``PracticeRepository``.
    public func result(_ id: Identifier<PracticeResult>) -> PracticeResult? { results[id] }

    /// See ``PracticeRepository``.
    public func page(_ query: PracticeQuery, after cursor: PracticeCursor?) -> PracticePage {
        let rest = results.values.filter(query.matches).map { (place: PracticeCursor(after: $0), result: $0) }
            .filter { entry in cursor.map { (entry.place.time, entry.place.id) < ($0.time, $0.id) } ?? true }
            .sorted { ($0.place.time, $0.place.id) > ($1.place.time, $1.place.id) }
        let page = rest.prefix(query.limit)
        return PracticePage(results: page.map(\.result), next: rest.count > page.count ? page.last?.place : nil)
    }

    /// See ``PracticeRepository``.
    public func delete(_ id: Identifier<PracticeResult>) -> Bool { results.removeValue(forKey: id) != nil }
}
