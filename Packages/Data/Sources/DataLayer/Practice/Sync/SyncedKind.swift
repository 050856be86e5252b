// SPDX-License-Identifier: MIT

public import Domain
import Persistence

/// A kind of synced item, with everything that the queue, adoption, consent, erasure and the paths of the server's
/// interface need of it. They need no other change for a new kind; docs/cookbook.md has the rest.
///
/// Its table has the columns `number`, `owner` and `id`. Its message is a type of PracticeWire, which the compiler
/// checks.
public struct SyncedKind: Sendable {
    /// The kind. Its raw value begins the queue's keys: "result:ID".
    public let kind: SyncItem.Kind
    /// The first part of the path at the server, without slashes.
    public let path: String
    /// The name of the count in receipts and exports.
    public let plural: String
    /// The table on this device.
    let table: SQL
    /// The recording that a row has to wait for: a column with its id, or NULL.
    let recording: SQL
    /// The names of the two actions in the queue's payloads, which earlier versions wrote, too.
    private let names: (send: String, delete: String)

    init(
        _ kind: SyncItem.Kind, path: String, plural: String, table: SQL, recording: SQL = "NULL",
        names: (send: String, delete: String)? = nil
    ) {
        (self.kind, self.path, self.plural, self.table, self.recording) = (kind, path, plural, table, recording)
        self.names = names ?? (kind.rawValue, kind.rawValue + "-deletion")
    }

    /// Recordings.
    public static let recording = SyncedKind(
        .recording, path: "recordings", plural: "recordings", table: "recording", recording: "id",
        names: ("upload", "deletion"))
    /// Results, which wait for the recording that they name.
    public static let result = SyncedKind(
        .result, path: "practice", plural: "results", table: "practice_result", recording: "recording")

    /// Every kind, in the order in which items that are older than an account's queue are put into it.
    static let all = [recording, result]

    /// The kind of work; work of another kind is a programmer's error.
    static func of(_ work: SyncItem.Work) -> SyncedKind {
        guard let found = all.first(where: { $0.kind == work.kind }) else {
            preconditionFailure("\(work.kind.rawValue) is not in SyncedKind.all")
        }
        return found
    }

    func name(_ action: SyncItem.Work.Action) -> String { action == .send ? names.send : names.delete }

    /// The work for all rows of an owner, in their order, each with the recording that it waits for.
    func works(of owner: String, on connection: Connection) throws
        -> [(work: SyncItem.Work, recording: Identifier<Recording>?)]
    {
        let rows = try connection.query(
            "SELECT id, \(sql: recording) AS recording FROM \(sql: table) WHERE owner = \(owner) ORDER BY number"
        ) { row in (id: try row["id", as: String.self], recording: try row["recording", as: String?.self]) }
        return rows.compactMap { row in
            guard let id = Identifier<SyncItem.Work>(row.id) else { return nil }
            return (.send(kind, id), row.recording.flatMap(Identifier<Recording>.init))
        }
    }
}

/// The stored form of a queue item's work.
struct SyncWorkRecord: Codable, Equatable {
    let kind: String
    let id: String

    init(_ work: SyncItem.Work) { (kind, id) = (SyncedKind.of(work).name(work.action), work.id.description) }

    /// The work; nil for a kind of a newer program.
    var work: SyncItem.Work? {
        guard let id = Identifier<SyncItem.Work>(id) else { return nil }
        for kind in SyncedKind.all {
            for action in SyncItem.Work.Action.allCases where kind.name(action) == self.kind {
                return SyncItem.Work(action, kind.kind, id)
            }
        }
        return nil
    }
}

extension SyncItem.Work {
    /// The key by which the queue recognises repetitions.
    var idempotencyKey: String { "\(action == .send ? kind.rawValue : SyncedKind.of(self).name(.delete)):\(id)" }

    /// The work that a deletion undoes at the server; nil for other work.
    var undone: SyncItem.Work? { action == .delete ? .send(kind, id) : nil }

    /// The key of work that is done one after another: all of one recording, or of one item without a recording.
    func orderingKey(after recording: Identifier<Recording>?) -> String {
        if let recording { "\(SyncItem.Kind.recording.rawValue):\(recording)" } else { "\(kind.rawValue):\(id)" }
    }
}

extension OutboxItem {
    /// The work of the item; `nil` if a newer program added it.
    var work: SyncItem.Work? { (try? decode(SyncWorkRecord.self))?.work }
}
