// SPDX-License-Identifier: MIT

package import SyncWire

/// The listings of a place after a cursor, one after the other. The place is not trusted: it may always promise more.
package struct ListingPages {
    /// The most objects that are listed in several listings; each counts as at least ``leastCount``.
    private static let limit = 1_000_000
    private static let leastCount = 100

    private let transport: any SyncTransport
    private var cursor: SyncCursor?
    private var count = 0
    private var isDone = false

    /// The listings after a cursor, which is given to the first.
    package init(_ transport: some SyncTransport, after cursor: SyncCursor? = nil) {
        (self.transport, self.cursor) = (transport, cursor)
    }

    /// The next listing; nil after the last.
    ///
    /// - Throws: ``SyncError`` with the code `invalidAnswer` for a place whose listings do not end.
    package mutating func next() async throws -> SyncListing? {
        guard !isDone else { return nil }
        let listing = try await transport.list(after: cursor)
        // The first listing may answer a cursor of the place's earlier contents with the same text.
        let isProgress = listing.cursor != nil && (listing.cursor != cursor || count == 0)
        count += max(listing.objects.count, Self.leastCount)
        guard !listing.hasMore || isProgress && count <= Self.limit else {
            throw SyncError(
                code: .invalidAnswer, message: "The place's list of objects does not end. Tell its operator.")
        }
        (cursor, isDone) = (listing.cursor, !listing.hasMore)
        return listing
    }
}
