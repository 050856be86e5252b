// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The machine's own copy of the conversation's transcript: the program's queue applies the same changes.
extension VoiceMachine {
    /// The machine has no clock of days; only the queue dates messages.
    private static let undated = Date(timeIntervalSince1970: 0)

    /// Changes the transcript, here and in the program's queue.
    mutating func change(_ changes: [Transcript.Change]) {
        guard !changes.isEmpty else { return }
        for change in changes { _ = transcript.apply(change, createdAt: Self.undated) }
        actions.append(.messages(changes))
    }

    /// Begins with an item that the queue has already.
    mutating func restore(_ item: ResponseItem, as id: String) {
        guard case .message(let message) = item, message.role == .user, message.content.isEmpty else {
            _ = transcript.restore(item, as: Message(item, id: id, createdAt: Self.undated))
            return
        }
        // Speech to an earlier engine, whose text may still come.
        for change: Transcript.Change in [
            .insert(id: id, role: .user, text: "", status: .notStarted, at: .end),
            .fail(id: id, reason: "The transcript has not come yet."),
        ] { _ = transcript.apply(change, createdAt: Self.undated) }
    }

    /// Removes calls without a result, except those: no session is given them.
    mutating func dropCalls(except running: Set<String>) {
        let items = transcript.items
        let answered = Set(items.compactMap { if case .functionCallOutput(let item) = $0 { item.callID } else { nil } })
        change(
            items.compactMap { item in
                guard case .functionCall(let call) = item, let id = call.id else { return nil }
                return answered.contains(call.callID) || running.contains(call.callID) ? nil : .remove(id: id)
            })
    }
}
