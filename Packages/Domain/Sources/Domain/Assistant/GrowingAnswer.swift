// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A question and its answer on the way to the store: kept while the answer grows, so that little is lost when the
/// program is killed.
///
/// The question is stored before the first piece of its answer is shown, and each call of a tool and its result at once;
/// an answer's further pieces are stored at most ``interval`` after they came, or with each further ``pieceLimit`` bytes.
/// An answer that comes at once is stored together with its question, by one write.
actor GrowingAnswer {
    /// The longest time for which something is not stored.
    static let interval = Duration.seconds(1)
    /// The most bytes of an answer that are not stored.
    static let pieceLimit = 1_000

    private let conversations: any ConversationRepository
    private let ongoing: OngoingConversation
    private let now: @Sendable () -> Date
    /// The messages that are not stored as they are now, in order; an unfinished answer is not among them.
    private var waiting: [Message]
    private var question: Message
    /// The messages that are stored in some form.
    private var stored: Set<Identifier<Message>> = []
    private var answer: Message
    /// The bytes of the answer that are not stored.
    private var unstoredBytes = 0
    /// The calls without a result, by their ids.
    private var calls: [String: Message] = [:]
    private var failure: (any Error)?
    /// The last write; one follows the other, and none is cancelled with its caller.
    private var writing: Task<Void, any Error>?

    init(
        _ question: Message, isStored: Bool, answer: Message, replaces: Bool = false,
        conversations: any ConversationRepository, ongoing: OngoingConversation, now: @escaping @Sendable () -> Date
    ) {
        self.question = question
        waiting = isStored ? [] : [question]
        self.answer = answer
        if isStored { stored.insert(question.id) }
        if replaces { stored.insert(answer.id) }
        self.conversations = conversations
        self.ongoing = ongoing
        self.now = now
    }

    /// The answer so far.
    var text: String { answer.text }

    /// Stores what came, again and again, until the task is cancelled.
    func keepStoring(by clock: any Clock<Duration>) async {
        while (try? await clock.sleep(for: Self.interval)) != nil {
            do { try await store() } catch {
                failure = failure ?? error
                return
            }
        }
    }

    /// Takes an event of the assistant.
    ///
    /// - Throws: `DomainError.storage(_:)`, also for what could not be stored earlier.
    func take(_ event: AnswerEvent) async throws {
        if let failure { throw failure }
        switch event {
        case .delta(let text):
            answer.text += text
            unstoredBytes += text.utf8.count
            // What waits is the question: it is finished, and must not be lost with an answer that is shown.
            if unstoredBytes >= Self.pieceLimit || !waiting.isEmpty { try await store() }
        case .toolCalled(let use):
            let call = Message.ToolExchange(callID: use.id, name: use.name, arguments: use.arguments)
            calls[use.id] = Message(
                conversation: answer.conversation, turn: answer.turn, role: .tool, modality: answer.modality,
                text: "", createdAt: now(), state: .partial, source: .tool(use.name), device: answer.device,
                toolCall: call)
            try await store(calls[use.id])
        case .toolReturned(let use, let output, let isError, _):
            try await store(end(of: use, output, isError: isError))
        case .toolRefused(let use, let refusal):
            try await store(end(of: use, "The call was not allowed: \(refusal.reason)", isError: true))
        case .attached(let files):
            // It may be stored already, or on its way: the next write saves it again.
            waiting.removeAll { $0.id == question.id }
            question.attachments = files
            waiting.insert(question, at: 0)
        case .unavailable, .available, .starting, .notice: break
        }
    }

    /// Stores the end of the answer, whatever it is, with all that came before; without a text, only that.
    func finish(_ change: (inout Message) -> Void) async throws {
        if let failure { throw failure }
        change(&answer)
        try await write(answer.text.isEmpty ? nil : answer)
    }

    /// The message of a call with its result; nil for an unknown call.
    private func end(of use: ToolUse, _ output: String, isError: Bool) -> Message? {
        guard var message = calls.removeValue(forKey: use.id) else { return nil }
        message.text = output
        message.state = .whole
        message.toolCall?.isError = isError
        return message
    }

    /// Stores a message with all that came before it.
    private func store(_ message: Message?) async throws {
        guard let message else { return }
        waiting.append(message)
        try await store()
    }

    private func store() async throws {
        var partial = answer
        partial.state = .partial
        try await write(unstoredBytes > 0 ? partial : nil)
    }

    /// Stores what waits and the answer: all that is new by one write, then what has changed.
    private func write(_ answer: Message?) async throws {
        unstoredBytes = 0
        let write = Task { [writing] in
            _ = await writing?.result
            try await writeNext(answer)
        }
        writing = write
        try await write.value
    }

    /// Writes after the write before it: what that could not store waits.
    private func writeNext(_ answer: Message?) async throws {
        let conversation = ongoing.conversation
        let messages = waiting + (answer.map { [$0] } ?? [])
        let new = messages.filter { !stored.contains($0.id) }
        let changed = messages.filter { stored.contains($0.id) }
        if !new.isEmpty { try await conversations.append(new, to: conversation) }
        stored.formUnion(new.map(\.id))
        for message in changed { try await conversations.save(message, in: conversation) }
        // A message that changed during the write waits for the next one.
        waiting.removeAll(where: messages.contains)
        await ongoing.note(messages)
    }
}
