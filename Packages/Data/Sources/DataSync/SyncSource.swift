// SPDX-License-Identifier: MIT

import Persistence
import Sync

/// A database whose rows all devices of a person have, and the way between its rows and records.
///
/// A further kind of record is one more value: its triggers mark the rows that change, ``change(_:on:)`` reads a marked
/// row, and ``apply(_:on:)`` stores what other devices changed. Kinds are numbered below; a number is never given to
/// another kind.
protocol SyncSource: Sendable {
    var database: Database { get }
    /// A number that differs once the source takes what an earlier program passed over. Everything is taken over anew then.
    var version: Int64 { get }
    var triggers: [SyncTrigger] { get }
    /// The statements that mark everything that is there as found.
    var marksOfAll: [SQL] { get }

    /// The change that a mark stands for.
    func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange

    /// Stores what others changed, and passes over records that are not this source's or that it cannot read. What
    /// changed here and is not handed on yet stays as it is: it is newer.
    ///
    /// - Returns: True if anything is different now.
    func apply(_ changes: [SyncRecordChange], on connection: WritableConnection) throws -> Bool

    /// True if the changes delete messages: copies of their words may be in other files of this device.
    func erases(_ changes: [SyncRecordChange], on connection: Connection) throws -> Bool
}

extension SyncSource {
    func erases(_ changes: [SyncRecordChange], on connection: Connection) throws -> Bool { false }
}

/// The numbers of the kinds of records.
enum SyncKind {
    static let conversation: UInt32 = 16
    static let message: UInt32 = 17
    static let result: UInt32 = 18
    static let setting: UInt32 = 19
    static let voiceProfile: UInt32 = 20
}

/// A trigger that marks a row, in the transaction that changes the row.
struct SyncTrigger: Sendable {
    let name: StaticString
    /// The event, the condition and the body: what follows the name in `CREATE TRIGGER`.
    let body: SQL

    /// A trigger that marks a row after each event.
    ///
    /// - Parameter values: Kind, id, container, field and deletion, in SQL.
    static func marking(
        _ name: StaticString, after event: StaticString, values: StaticString
    ) -> SyncTrigger {
        SyncTrigger(
            name: name,
            body: """
                AFTER \(literal: event) BEGIN
                    INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion) VALUES (\(literal: values));
                END
                """)
    }
}

/// The change of a marked row.
enum OutgoingChange: Sendable {
    /// The row is not finished.
    case waits
    case nothing
    case changes([SyncChange])
}
