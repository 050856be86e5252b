// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials
import Persistence
public import Sync

/// A value of a conversation or of one of its messages that a later one replaced.
public struct OverwrittenValue: Sendable, Hashable {
    /// The value's place.
    public enum Field: Sendable, Hashable {
        case title
        case isPinned
        /// The text of a message.
        case text(Identifier<Message>)
    }

    /// The value's place.
    public let field: Field
    /// The value as text, `true` or `false` for ``Field/isPinned``; nil for a title that was removed.
    public let value: String?
    /// The time of the change by the clock of its device, which may be wrong.
    public let time: Date
    /// The device that made the change.
    public let device: DeviceID
}

extension SyncDevice {
    /// The values of a conversation that were overwritten, here or on another device, the newest change first. Of each
    /// place, the last seven are kept.
    ///
    /// - Parameter messages: The messages to look at.
    public func overwritten(
        in conversation: Identifier<Conversation>, messages: [Identifier<Message>]
    ) async throws -> [OverwrittenValue] {
        let id = conversation.description
        let record = try await record(SyncedTable.conversations, id, in: id)
        var found = record?.overwritten(in: .conversations, "title", as: .title) ?? []
        found += record?.overwritten(in: .conversations, "is_pinned", as: .isPinned) ?? []
        for message in messages {
            let record = try await self.record(SyncedTable.messages, message.description, in: id)
            found += record?.overwritten(in: .messages, "text", as: .text(message)) ?? []
        }
        return found.sorted { $0.stamp > $1.stamp }.map(\.value)
    }

    private func record(_ table: SyncedTable, _ id: String, in container: String) async throws -> SyncRecord? {
        guard let key = table.key(id, in: container) else { return nil }
        return try await record(key)
    }
}

extension SyncRecord {
    fileprivate func overwritten(
        in table: SyncedTable, _ column: String, as field: OverwrittenValue.Field
    ) -> [(stamp: Stamp, value: OverwrittenValue)] {
        guard let column = table.columns.first(where: { "\($0.name)" == column }) else { return [] }
        return (fields[column.syncField] ?? []).dropFirst().map { version in
            let time = Date(timeIntervalSince1970: Double(version.stamp.milliseconds) / 1_000)
            let text = LongValue.value(version.value, of: column, in: self)?.personalText
            return (
                version.stamp, OverwrittenValue(field: field, value: text, time: time, device: version.stamp.device)
            )
        }
    }
}

extension SQLValue {
    fileprivate var personalText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): number == 0 ? "false" : "true"
        default: nil
        }
    }
}
