// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Lists cues: the stored ones at once, then the server's.
public struct BrowseCues: Sendable {
    private let store: any CueStore
    private let server: (any CueRepository)?
    private let now: @Sendable () -> Date

    /// A use case.
    ///
    /// - Parameters:
    ///   - store: The cues on this device.
    ///   - server: The server's catalogue; `nil` if no account is signed in, so that the stored cues are the whole
    ///     list.
    ///   - now: The wall clock.
    public init(store: any CueStore, server: (any CueRepository)?, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.server = server
        self.now = now
    }

    /// Returns the states of a page, one or two: as it is stored, and then as the server has it. If the server cannot
    /// be asked, the second is the stored page again with the reason.
    public func callAsFunction(_ query: CueQuery, after cursor: CueCursor? = nil) -> Pages {
        Pages(useCase: self, query: query, cursor: cursor)
    }

    /// The states of one page. Nothing is read ahead: the server is asked when the loop requests the second state.
    public struct Pages: AsyncSequence, Sendable {
        fileprivate let useCase: BrowseCues
        fileprivate let query: CueQuery
        fileprivate let cursor: CueCursor?

        /// Starts from the stored page.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

        /// Returns the stored page, then the server's.
        public struct Iterator: AsyncIteratorProtocol {
            private enum Step { case store, server(CuePage, Date?), end }

            private let pages: Pages
            private var step = Step.store

            fileprivate init(pages: Pages) { self.pages = pages }

            /// The next state of the page; `nil` after the last.
            ///
            /// - Throws: The store's errors. An error of the server is not thrown; ``Freshness/old(_:_:)`` carries it.
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
