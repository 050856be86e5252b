// SPDX-License-Identifier: MIT

public import Persistence
import SyncWire

extension SyncDevice {
    /// Joins the group of a recovery phrase, with nothing but the place and the phrase. Devices that were lost are to be
    /// removed after the first exchange, which tells how far their logs count.
    ///
    /// - Parameters:
    ///   - recovery: The keys of the phrase.
    ///   - database: Has ``migrations``, and no group yet.
    ///   - keys: Fresh ones, of this device.
    /// - Throws: ``SyncError`` with the code `notFound` if no group at the place has this phrase, `newer`
    ///   if a record that only a newer program can read may be that group's.
    public static func recover(
        with recovery: SecretKeys, at transport: some SyncTransport, in database: Database, keys: SecretKeys,
        name: String
    ) async throws -> SyncDevice {
        let name = try DeviceName.checked(name)
        let (records, newer) = try await membershipRecords(at: transport)
        guard let roster = roster(of: recovery, in: records) else {
            throw newer
                ?? SyncError(
                    code: .notFound,
                    message:
                        "No devices at this place have this phrase. Check the place and the phrase. If objects were removed "
                        + "from the place, sync one of the devices first: it puts them back.")
        }
        let names = [try keys.publicKeys.device: name]
        guard let founding = roster.graph.records[roster.graph.group] else {
            throw SyncError.invalid("the founding record is missing")
        }
        // After a crash it is there already, and a second one would not count.
        if !roster.membership.isActive(try keys.publicKeys.device) {
            let record = try roster.makeRecord(.addition(keys.publicKeys), names: names, heads: [:])
            try await transport.create(record.name, record.bytes)
        }
        return try await join(group: founding.hash, founding: founding.bytes, in: database, keys: keys)
    }

    private static func membershipRecords(at transport: some SyncTransport) async throws -> (
        records: [MembershipRecord], newer: SyncError?
    ) {
        var (records, newer) = ([MembershipRecord](), SyncError?.none)
        for name in try await names(at: transport) {
            guard case .membership(let hash) = name else { continue }
            let bytes = try await transport.read(name)
            do throws(SyncError) {
                let record = try MembershipRecord(bytes)
                if record.hash.bytes == hash { records.append(record) }
            } catch {
                if error.code == .newer, try Crypto.hash(bytes) == hash { newer = error }
            }
        }
        return (records, newer)
    }

    private static func names(at transport: some SyncTransport) async throws -> [SyncObjectName] {
        var names: [SyncObjectName] = []
        var pages = ListingPages(transport)
        while let listing = try await pages.next() { names += listing.objects.map(\.name) }
        return names
    }

    private static func roster(of recovery: SecretKeys, in records: [MembershipRecord]) -> Roster? {
        let keys = recovery.publicKeys
        for record in records {
            guard case .founding(_, keys) = record.change,
                var roster = try? Roster(founding: record, reader: .recovery, keys: recovery)
            else { continue }
            for other in records where other.group == record.hash { _ = try? roster.insert(other) }
            return roster
        }
        return nil
    }
}
