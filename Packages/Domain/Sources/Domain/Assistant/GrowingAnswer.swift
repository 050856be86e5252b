// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A question and its answer on the way to the store: kept while the answer grows, so that little is lost when the
/// program is killed.
///
/// Everything that is finished and an answer's beginning are stored at most ``interval`` after they came, and an answer
/// at the latest with each further ``pieceLimit`` bytes. An answer that comes at once is stored together with its
/// question, by one write.
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
        asked: [Message], answer: Message, conversations: any ConversationRepository, ongoing: OngoingConversation,
        now: @escaping @Sendable () -> Date
    ) {
        waiting = asked
        self.answer = answer
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
            if unstoredBytes >= Self.pieceLimit { try await store() }
        case .toolCalled(let use):
            let call = Message.ToolExchange(callID: use.id, name: use.name, arguments: use.arguments)
            calls[use.id] = Message(
                conversation: answer.conversation, turn: answer.turn, role: .tool, modality: answer.modality,
                text: "", createdAt: now(), state: .partial, source: .tool(use.name), device: answer.device,
                toolCall: call)
            replace(calls[use.id])
        case .toolReturned(let use, let output, let isError, _): end(use, output, isError: isError)
        case .toolRefused(let use, let refusal):
            end(use, "The call was not allowed: \(refusal.reason)", isError: true)
        case .unavailable, .starting, .notice: break
        }
    }

    /// Stores the end of the answer, whatever it is, with all that came before; without a text, only that.
    func finish(_ change: (inout Message) -> Void) async throws {
        if let failure { throw failure }
        change(&answer)
        try await write(answer.text.isEmpty ? nil : answer)
    }

    /// Notes the result of a call.
    private func end(_ use: ToolUse, _ output: String, isError: Bool) {
        guard var message = calls.removeValue(forKey: use.id) else { return }
        message.text = output
        message.state = .whole
        message.toolCall?.isError = isError
        replace(message)
    }

    private func replace(_ message: Message?) {
        guard let message else { return }
        if let place = waiting.firstIndex(where: { $0.id == message.id }) {
            waiting[place] = message
        } else {
            waiting.append(message)
        }
    }

    private func store() async throws {
        var partial = answer
        partial.state = .partial
        try await write(unstoredBytes > 0 ? partial : nil)
    }

    /// Stores what waits and the answer: all that is new by one write, then what has changed.
    private func write(_ answer: Message?) async throws {
        let messages = waiting + (answer.map { [$0] } ?? [])
        let new = messages.filter { !stored.contains($0.id) }
        let changed = messages.filter { stored.contains($0.id) }
        (waiting, unstoredBytes) = ([], 0)
        stored.formUnion(new.map(\.id))
        let write = Task { [writing, conversations, ongoing] in
            _ = await writing?.result
            let conversation = ongoing.conversation
            if !new.isEmpty { try await conversations.append(new, to: conversation) }
            for message in changed { try await conversations.save(message, in: conversation) }
            await ongoing.note(messages)
        }
        writing = write
        try await write.value
    }
}
