// SPDX-License-Identifier: MIT

/// The file of ``SyncTables``: one transaction at a time writes, and is done as a whole or not at all.
///
/// After a power failure the transactions up to some point are there, and none after it. That point is not before the last
/// one that was durable.
protocol SyncStorage: Sendable {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SyncTables) throws -> Value) async throws -> Value
    func write<Value: Sendable>(
        isDurable: Bool, _ body: @escaping @Sendable (any SyncTables) throws -> Value
    ) async throws -> Value
    /// Takes what was removed out of the file's log, too.
    func emptyLog() async throws
}
