// SPDX-License-Identifier: MIT

public import SyncWire

/// A place where the devices of one group leave sealed objects for each other. It is not trusted.
///
/// An object is written once: it appears whole or not at all, and its bytes never change. One place serves one group of
/// devices. Calls may be made from any task and several at once. A failure is a ``SyncError``; `CancellationError`
/// passes as it is. `SyncTestSupport` has the contract suite of every transport.
public protocol SyncTransport: Sendable {
    /// The objects after a cursor; all of them for nil, and for a cursor that the place does not know (any more).
    ///
    /// Files that are no objects (`*.sync-conflict-*`, temporary files, other programs') are left out.
    func list(after cursor: SyncCursor?) async throws -> SyncListing

    /// An object's bytes.
    ///
    /// - Throws: ``SyncError`` with the code `notFound` for an object that does not exist (any more), `tooLarge` for one
    ///   of more than `SyncLimit.objectByteCount` bytes.
    func read(_ name: SyncObjectName) async throws -> [UInt8]

    /// Writes a new object, and returns once the place promises to keep it.
    ///
    /// The same bytes once more are done already. After an error the object may exist or not.
    ///
    /// - Throws: ``SyncError`` with the code `exists` if there is an object of that name with other bytes, `full` if the
    ///   place has no room left, `readOnly` if it takes nothing, `tooLarge` as ``read(_:)``.
    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws

    /// Removes an object; one that does not exist is removed already.
    func remove(_ name: SyncObjectName) async throws

    /// An event each time the place may have changed, as far as the place can tell: at most one is kept while the
    /// consumer is slow. It ends when the consumer's task is cancelled, or when watching fails.
    func changes() -> AsyncStream<Void>
}
