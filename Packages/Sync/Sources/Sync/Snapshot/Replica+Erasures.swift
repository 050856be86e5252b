// SPDX-License-Identifier: MIT

/// Erasures, and when what they erased may be deleted: once no removal can take them back.
///
/// A removal takes back what its writer had not seen of the removed device. So an erasure stays once everybody who may
/// still remove its writer has seen it: each active device, however long it was silent, and each removed one that may have
/// removed others before it knew. That one may never be heard of again, so after a while the others confirm: each erases
/// once more by itself. Then all agree, whatever comes: a device that lacks what was erased has erased it.
extension Replica {
    /// Confirms erasures that a removed device keeps open.
    ///
    /// - Parameter oldest: Erasures with an earlier stamp have waited long enough. Milliseconds since 1970.
    mutating func confirmErasures(before oldest: UInt64, now: Int64, _ tables: some SyncTables) throws {
        let membership = roster.membership
        guard membership.isActive(device), membership.speaking != membership.active else { return }
        let positions = try ErasurePositions(self, oldest: oldest, tables)
        var unconfirmed: [SyncChange] = []
        for container in try erasures(tables) {
            let erasure = try positions.erasure(of: container, tables)
            guard !erasure.isSettled, erasure.isOld, !erasure.isOwn else { continue }
            unconfirmed.append(.erasing(container))
        }
        if !unconfirmed.isEmpty { try write(unconfirmed, now: now, tables) }
    }

    /// Deletes what was erased, once nothing can bring it back.
    ///
    /// - Parameter oldest: As in ``confirmErasures(before:now:_:)``.
    func purgeErased(before oldest: UInt64, _ tables: some SyncTables) throws {
        let positions = try ErasurePositions(self, oldest: oldest, tables)
        for container in try tables.erasedContainers() {
            let erasure = try positions.erasure(of: container, tables)
            guard erasure.isSettled || erasure.isOld && erasure.isOwnSeen else { continue }
            try tables.removeVersions(ofContainer: container)
        }
    }

    /// All containers that were erased.
    private func erasures(_ tables: some SyncTables) throws -> [[UInt8]] {
        var containers: [[UInt8]] = []
        var last: SyncRecordKey?
        while case let records = try tables.records(after: last, limit: 500), !records.isEmpty {
            let erasures = records.prefix { $0.kind == SyncRecordKey.erasure }
            containers += erasures.map(\.id)
            guard erasures.count == records.count else { break }
            last = records.last
        }
        return containers
    }
}

/// The positions of logs up to which an erasure in them was seen.
private struct ErasurePositions {
    struct Erasure {
        /// Everybody who may still remove its writer has seen it.
        var isSettled = false
        /// All active devices have seen it, and it has waited long enough for the removed ones.
        var isOld = false
        /// This device erased, too.
        var isOwn = false
        /// This device erased, too, and all active ones have seen that.
        var isOwnSeen = false
    }

    private let device: DeviceID
    private let oldest: UInt64
    private let seenByActive: [DeviceID: UInt64]
    private let seenBySpeaking: [DeviceID: UInt64]

    init(_ replica: Replica, oldest: UInt64, _ tables: some SyncTables) throws {
        (device, self.oldest) = (replica.device, oldest)
        seenByActive = try replica.seen(by: replica.roster.membership.active, tables)
        seenBySpeaking = try replica.seen(by: replica.roster.membership.speaking, tables)
    }

    func erasure(of container: [UInt8], _ tables: some SyncTables) throws -> Erasure {
        var erasure = Erasure()
        let record = SyncRecordKey(kind: SyncRecordKey.erasure, id: container)
        for version in try tables.versions(of: record).values.joined() {
            let writer = version.stamp.device
            let isSeen = version.sequence <= seenByActive[writer] ?? 0
            if version.sequence <= seenBySpeaking[writer] ?? 0 { erasure.isSettled = true }
            if isSeen, version.stamp.milliseconds < oldest { erasure.isOld = true }
            if writer == device { (erasure.isOwn, erasure.isOwnSeen) = (true, erasure.isOwnSeen || isSeen) }
        }
        return erasure
    }
}
