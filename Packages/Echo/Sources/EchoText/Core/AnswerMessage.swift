// SPDX-License-Identifier: MIT

/// An answer on its way into the messages. Its first piece inserts the message; an answer without text is no message.
struct AnswerMessage {
    let context: ConversationContext
    /// Receives the pieces, too.
    let deltas: (@Sendable (String) -> Void)?
    private(set) var text = ""
    /// The message's id, once it exists.
    private(set) var id: String?

    init(context: ConversationContext, deltas: (@Sendable (String) -> Void)? = nil) {
        self.context = context
        self.deltas = deltas
    }

    mutating func append(_ piece: String) async {
        text += piece
        let id = await begin()
        await context.queue.appendTranscript(id: id, delta: piece)
        deltas?(piece)
        await context.emit(.assistantTextDelta(piece))
    }

    /// Completes the answer.
    ///
    /// - Parameter whole: The whole text according to the server; empty if unknown.
    mutating func finish(_ whole: String, incompleteReason: String?) async {
        if text.isEmpty, !whole.isEmpty { await append(whole) }
        guard let id else { return }
        let final = whole.isEmpty ? text : whole
        await context.queue.updateTranscript(id: id, transcript: final, incompleteReason: incompleteReason)
    }

    /// Ends the answer early: the text so far stays.
    func breakOff() async {
        guard let id else { return }
        await context.queue.updateTranscript(id: id, transcript: text, isInterrupted: true)
    }

    private mutating func begin() async -> String {
        if let id { return id }
        let id = await context.queue.enqueue(role: .assistant, transcriptStatus: .inProgress)
        self.id = id
        return id
    }
}
