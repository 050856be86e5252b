// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Lists cues: what is stored appears at once, what the server has follows.
public struct BrowseCues: Sendable {
    private let store: any CueStore
    private let server: (any CueRepository)?
    private let now: @Sendable () -> Date

    /// A use case.
    ///
    /// - Parameters:
    ///   - store: The cues on this device.
    ///   - server: Where the catalogue is; `nil` for somebody who is not signed in, to whom the stored cues are all.
    ///   - now: The wall clock.
    public init(store: any CueStore, server: (any CueRepository)?, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.server = server
        self.now = now
    }

    /// A page, once or twice: as it is stored, and then as the server has it, or the stored one again with the reason why it
    /// is old.
    public func callAsFunction(_ query: CueQuery, after cursor: CueCursor? = nil) -> Pages {
        Pages(useCase: self, query: query, cursor: cursor)
    }

    /// The states of one page. Nothing is read ahead: the server is asked when the loop comes back for the second.
    public struct Pages: AsyncSequence, Sendable {
        fileprivate let useCase: BrowseCues
        fileprivate let query: CueQuery
        fileprivate let cursor: CueCursor?

        /// Starts from the stored page.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

        /// Goes from the stored page to the server's.
        public struct Iterator: AsyncIteratorProtocol {
            private enum Step { case store, server(CuePage, Date?), end }

            private let pages: Pages
            private var step = Step.store

            fileprivate init(pages: Pages) { self.pages = pages }

            /// The next state of the page; `nil` after the last.
            ///
            /// - Throws: What the store throws. An error of the server is none here; ``Freshness/old(_:_:)`` tells it.
            public mutating func next() async throws -> CuePage? {
                switch step {
                case .store:
                    let (page, date) = try await pages.stored()
                    step = pages.useCase.server == nil ? .end : .server(page, date)
                    return page
                case .server(let page, let date):
                    step = .end
                    return try await pages.refreshed(page, date)
                case .end:
                    return nil
                }
            }
        }

        private func stored() async throws -> (CuePage, Date?) {
            var page = try await useCase.store.page(query, after: cursor)
            guard useCase.server != nil else { return (page, nil) }
            let date = try await useCase.store.refreshedAt(query, after: cursor)
            page.freshness = .stored(date)
            return (page, date)
        }

        private func refreshed(_ page: CuePage, _ date: Date?) async throws -> CuePage? {
            guard let server = useCase.server else { return nil }
            let fresh: CuePage
            do {
                fresh = try await server.page(query, after: cursor)
            } catch let error as DomainError {
                var page = page
                page.freshness = .old(date, error)
                return page
            }
            try await useCase.store.takeOver(fresh, of: query, after: cursor, at: useCase.now())
            return fresh
        }
    }
}
