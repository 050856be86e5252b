// SPDX-License-Identifier: MIT

import DataSync
import Domain
import FoundationEssentials
import Sync
import TerminalKit

/// The overwritten values of a conversation, as lines of text or as JSON.
struct OverwrittenOutput: Encodable {
    private struct Value: Encodable {
        let field: String
        let message: String?
        let value: String?
        let time: String
        let device: String
        let deviceName: String?
    }

    private let conversation: ConversationEntry
    private let isSyncSetUp: Bool
    private let overwritten: [Value]

    /// Reads what this device knows; the place need not be there.
    init(_ summary: ConversationSummary, _ messages: [Message], in app: CompositionRoot) async throws {
        conversation = ConversationEntry(summary)
        isSyncSetUp = try SyncSettings.load(from: app.paths.syncSettings) != nil
        guard isSyncSetUp else {
            overwritten = []
            return
        }
        let (values, devices) = try await app.withSyncRecords { device, records in
            if try await device.status().isMember == true { try await records.handOver(now: OpenSync.now()) }
            return (
                try await device.overwritten(in: summary.id, messages: messages.map(\.id)), try await device.devices()
            )
        }
        overwritten = values.map { value in
            let (field, message, text): (String, String?, String?) =
                switch value.field {
                case .title: ("title", nil, value.value)
                case .isPinned: ("pinned", nil, value.value)
                case .text(let message): ("text", message.description, value.value)
                }
            return Value(
                field: field, message: message, value: text, time: value.time.formatted(.iso8601),
                device: "\(value.device)", deviceName: devices.first { $0.id == value.device }?.name)
        }
    }

    /// Shows the conversation's line and a line for each value.
    func write(to console: Console) throws {
        try conversation.write(to: console)
        for value in overwritten {
            let device = (value.deviceName ?? value.device).printable
            let place = value.message.map { "\(value.field) of \($0.prefix(8))" } ?? value.field
            try console.show(
                "\(console.styled("\(value.time)  \(device)  \(place)", .muted))  \((value.value ?? "none").printable)")
        }
        if !isSyncSetUp {
            console.progress(
                "Sync is not set up here, so nothing that was overwritten is kept. parley sync setup begins.")
        } else if overwritten.isEmpty {
            console.progress("Nothing was overwritten.")
        }
        try console.emit(self)
    }
}
