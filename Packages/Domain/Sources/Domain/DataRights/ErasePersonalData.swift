// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A place on this device with a person's data in it. Every implementation passes `PersonalDataStoreContract` in
/// `DomainTestSupport`.
public protocol PersonalDataStore: Sendable {
    /// Removes all of it, without a key that it is sealed with. Calling it again after an error or a crash removes the
    /// rest.
    ///
    /// - Returns: The number of deleted items by kind; empty for an empty place.
    /// - Throws: ``DomainError`` that says what is left and how to remove it, or `CancellationError`.
    func erase() async throws -> [String: Int]
}

/// Deletes everything of a person: first at the server, then here, one place after another.
public struct ErasePersonalData: Sendable {
    /// The outcome of an erasure.
    public struct Outcome: Sendable {
        /// A receipt for each place, the server's first.
        public let receipts: [DeletionReceipt]
        /// A reason for each place on this device where something is left.
        public let problems: [DomainError]
    }

    private let server: (@Sendable () async throws -> DeletionReceipt)?
    private let places: [any PersonalDataStore]
    private let now: @Sendable () -> Date

    /// A use case.
    ///
    /// - Parameters:
    ///   - server: Deletes what the account's server has; nil to leave the server alone.
    ///   - places: The places on this device in the order in which they are emptied: sound before the rows that name
    ///     it, and sessions last, since the server cannot be asked without one.
    ///   - now: The wall clock.
    public init(
        server: (@Sendable () async throws -> DeletionReceipt)?, places: [any PersonalDataStore],
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.server = server
        self.places = places
        self.now = now
    }

    /// Deletes it. Without the server's answer nothing is deleted here. A failure in one place does not stop the
    /// others.
    ///
    /// - Throws: The errors of the server's deletion, or `CancellationError`; what was deleted before stays deleted.
    public func callAsFunction() async throws -> Outcome {
        var receipts: [DeletionReceipt] = []
        if let server { receipts.append(try await server()) }
        var (counts, problems): ([String: Int], [DomainError]) = ([:], [])
        for place in places {
            try Task.checkCancellation()
            do {
                counts.merge(try await place.erase(), uniquingKeysWith: +)
            } catch let error as DomainError {
                problems.append(error)
            }
        }
        receipts.append(
            DeletionReceipt(
                id: UUID().uuidString.lowercased(), place: .device, deletedAt: now(),
                counts: counts.filter { $0.value > 0 }))
        return Outcome(receipts: receipts, problems: problems)
    }
}
