// SPDX-License-Identifier: MIT

extension MessageQueue {
    /// Performs the operations of a ``TranscriptOrder``, in order.
    func apply(_ operations: [TranscriptOrder.Operation]) async {
        for operation in operations {
            switch operation {
            case .insert(let id, let role, let text, let status, let place):
                await enqueue(id: id, role: role, text: text, transcriptStatus: status, at: place)
            case .keepPlace(let id, let place): await enqueuePlaceholder(id: id, at: place)
            case .append(let id, let delta): appendTranscript(id: id, delta: delta)
            case .complete(let id, let text, let isInterrupted):
                await updateTranscript(id: id, transcript: text, isInterrupted: isInterrupted)
            case .fail(let id, let reason): await failTranscript(id: id, reason: reason)
            case .fill(let id, let text): await fillTranscript(id: id, transcript: text)
            case .remove(let id): await remove(id: id)
            }
        }
    }
}
