// SPDX-License-Identifier: MIT

/// The tables on a device's own disk, within one transaction.
///
/// There are two implementations: ``SQLiteSyncStore``'s, and the simulator's in memory. One suite of tests runs over
/// both.
protocol SyncTables: AnyObject {
    // Settings.
    func value(_ key: SyncSetting) throws -> [UInt8]?
    func set(_ key: SyncSetting, _ value: [UInt8]?) throws

    // Records of devices.
    func membershipRecords() throws -> [[UInt8]]
    func insertMembership(_ bytes: [UInt8], hash: Hash) throws

    // Logs.
    func logs() throws -> [DeviceID: LogState]
    func set(_ state: LogState, for device: DeviceID) throws
    /// The entries that are stored, in order; some of the range may be missing.
    func entries(of device: DeviceID, _ range: ClosedRange<UInt64>) throws -> [StoredEntry]
    func insert(_ entry: StoredEntry, of device: DeviceID) throws
    func removeEntries(of device: DeviceID, _ range: ClosedRange<UInt64>) throws
    /// The entries in this state, by device and sequence number.
    func entries(in state: StoredEntry.State) throws -> [(device: DeviceID, sequence: UInt64)]
    func set(_ state: StoredEntry.State, of device: DeviceID, _ sequence: UInt64) throws

    // Versions of fields: a set, from which only what does not count is taken.
    /// Adds what an entry says of a record; of a field that it gave a value before, that one stays. False if nothing is new.
    func insert(_ change: SyncChange, _ stamp: Stamp, sequence: UInt64) throws -> Bool
    func versions(of record: SyncRecordKey) throws -> [SyncField: [SyncVersion]]
    /// Removes what a device wrote after an entry, and returns the records that it is about.
    func removeVersions(of device: DeviceID, after sequence: UInt64) throws -> [SyncRecordKey]
    /// The containers that were erased and still have records.
    func erasedContainers() throws -> [[UInt8]]
    /// The records of a container, in order, but for the one that says that it was erased.
    func records(ofContainer container: [UInt8]) throws -> [SyncRecordKey]
    /// Removes all records of a container, but for the one that says that it was erased.
    func removeVersions(ofContainer container: [UInt8]) throws
    /// The records after one, in order; all from the start for nil.
    func records(after record: SyncRecordKey?, limit: Int) throws -> [SyncRecordKey]

    // Changes, for those who show the records. A record is listed once, at its last change.
    func markChanged(_ record: SyncRecordKey) throws
    func changed(after number: UInt64, limit: Int) throws -> [(number: UInt64, record: SyncRecordKey)]

    // Objects of the place that this device is yet to read, or to write.
    func wanted() throws -> Set<String>
    func setWanted(_ name: String, _ isWanted: Bool) throws
    func outgoing() throws -> Set<String>
    func outgoing(_ name: String) throws -> [UInt8]?
    func setOutgoing(_ name: String, _ bytes: [UInt8]?) throws
}

/// A value of which a store has one.
enum SyncSetting: String, Sendable, CaseIterable {
    /// The founding record's hash.
    case group
    /// The clock's last milliseconds and counter.
    case clock
    /// The number of records of devices, so that another program notices that there are more.
    case membershipCount
    /// The position of the last listing.
    case cursor
    /// The number of the newest snapshot that this device knows to be whole and genuine, and the heads of its logs.
    case snapshot
    /// The log positions that this device last said it had seen.
    case acknowledged
    /// Findings that nobody was told yet: what an exchange that failed had found.
    case findings
    /// A clock that the last exchange found to be wrong.
    case clockWarning
    /// The records that only this device had when another one erased their container.
    case unsent
}

/// A device's knowledge of a log.
struct LogState: Sendable, Hashable {
    /// The last entry.
    var head: LogHead
    /// The entries up to this number are not stored any more, but for the hash after the last one.
    var base: UInt64
    /// Entries after this one are not merged, since their device was removed; `UInt64.max` if it was not.
    var limit: UInt64
    /// The last entry that the place has promised to keep; of this device's own log.
    var confirmed: UInt64
    /// The last entry that says more than what its device has seen.
    var content: UInt64
}

/// An entry that is stored.
struct StoredEntry: Sendable, Hashable {
    /// The knowledge of its content.
    enum State: Int64, Sendable {
        /// It is merged.
        case merged
        /// This device has no key for it yet.
        case withoutKey
        /// A newer program wrote it.
        case newer
        /// Its device signed it and nobody can open it. It says nothing.
        case invalid
        /// Its device was removed before it.
        case refused
    }

    let sequence: UInt64
    let sealed: SealedEntry
    /// The hash of the log's head after it.
    let hash: Hash
    var state: State
}
