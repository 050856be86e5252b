// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Puts a conversation's messages in order and releases them in that order, each as soon as its text and all before it are there.
///
/// In a voice conversation the assistant may answer before the transcript of the question has come: the answer waits. A
/// transcript which fails must be told with ``failTranscript(id:reason:)``, or what follows it waits for ever.
///
/// Each released message is emitted as `messageFinalized`, in order, whoever calls at the same time.
public actor MessageQueue {
    private let eventEmitter: any EventEmitterProtocol
    private let conversationID: String?
    private let now: @Sendable () -> Date
    private let log = MessageLog()
    private var order = MessageOrder()
    private var enqueued = 0
    private var outbox: ArraySlice<EchoEvent> = []
    private var isEmitting = false

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - eventEmitter: What takes the events.
    ///   - conversationID: The conversation that the events name; also what the names of messages start with.
    ///   - now: The time.
    public init(
        eventEmitter: any EventEmitterProtocol, conversationID: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.eventEmitter = eventEmitter
        self.conversationID = conversationID
        self.now = now
    }

    deinit { log.finish() }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - id: Its name; `nil` makes one. A message of a name that was there before is not added.
    ///   - role: Who it is from.
    ///   - text: Its text, or what there is of it.
    ///   - transcriptStatus: True if the text is there; where it is not, the message waits for
    ///     ``updateTranscript(id:transcript:isInterrupted:incompleteReason:)``.
    ///   - place: Where it belongs.
    /// - Returns: Its name.
    @discardableResult
    public func enqueue(
        id: String? = nil, role: MessageRole, text: String = "",
        transcriptStatus: TranscriptStatus = .notApplicable, at place: MessagePlace = .end
    ) async -> String {
        let id = id ?? makeID()
        let message = Message(
            id: id, role: role, text: text, transcriptStatus: transcriptStatus, createdAt: now())
        await publish(order.insert(message, id: id, at: place))
        return id
    }

    /// A name for a message, which no other has.
    package func makeID() -> String {
        while true {
            enqueued += 1
            let id = "\(conversationID ?? "message")-\(enqueued)"
            if !order.knows(id) { return id }
        }
    }

    /// Begins with items of an earlier conversation: their messages are released at once, and emit nothing.
    ///
    /// - Returns: The items, each message with the name that it has here.
    func restore(_ items: [ResponseItem]) -> [ResponseItem] {
        items.map { item in
            guard case .message(let known) = item else { return item }
            let isFree = known.id.map { !order.knows($0) } ?? false
            let id = isFree ? known.id ?? makeID() : makeID()
            guard let message = Message(item, id: id, createdAt: now()) else { return item }
            log.append(order.insert(message, id: id, at: .end))
            return item.named(id, isInterrupted: message.isInterrupted)
        }
    }

    /// Keeps the place of an item which is no message, such as a call of a tool, so that others can follow it.
    public func enqueuePlaceholder(id: String, at place: MessagePlace = .end) async {
        await publish(order.insert(nil, id: id, at: place))
    }

    /// Completes a message's text.
    ///
    /// - Parameters:
    ///   - isInterrupted: True if the user cut the message short.
    ///   - incompleteReason: Why the model broke off, if it did.
    /// - Returns: False if no message of that name waits.
    @discardableResult
    public func updateTranscript(
        id: String, transcript: String, isInterrupted: Bool = false, incompleteReason: String? = nil
    ) async -> Bool {
        await complete(id) { message in
            message.text = transcript
            message.isInterrupted = isInterrupted
            message.incompleteReason = incompleteReason
        }
    }

    /// Adds to a message's text; it goes on waiting.
    ///
    /// - Returns: False if no message of that name waits.
    @discardableResult
    public func appendTranscript(id: String, delta: String) -> Bool {
        order.update(id) { message in
            message.text += delta
            message.transcriptStatus = .inProgress
        } != nil
    }

    /// Releases a message whose text will not come, with the text that there is.
    ///
    /// - Parameter reason: Becomes ``Message/transcriptFailure``.
    /// - Returns: False if no message of that name waits.
    @discardableResult
    public func failTranscript(id: String, reason: String) async -> Bool {
        await complete(id) { $0.transcriptFailure = reason }
    }

    /// Gives a message whose transcript failed the one that came late: to whoever asks for the messages from then on, and,
    /// of the user's, as `userTranscriptionCompleted` to the others.
    ///
    /// - Returns: False if there is no message of that name whose transcript failed.
    @discardableResult
    public func fillTranscript(id: String, transcript: String) async -> Bool {
        guard let message = order.fill(id, transcript) else { return false }
        log.replace(message)
        if message.role == .user {
            let detail = EchoEvent.Detail.userTranscriptionCompleted(transcript: transcript, messageID: id)
            outbox.append(EchoEvent(detail, conversationID: conversationID))
        }
        await publish([])
        return true
    }

    /// Takes out a message that has not been released. What was placed after it stays where it is.
    ///
    /// - Returns: False if no message of that name waits.
    @discardableResult
    public func remove(id: String) async -> Bool {
        guard let released = order.remove(id) else { return false }
        await publish(released)
        return true
    }

    /// The released messages, in order.
    public func getOrderedMessages() -> [Message] { order.released }

    /// The waiting messages, in order.
    public func getPendingMessages() -> [Message] { order.pending }

    /// Released messages from the first on, for one consumer, who reads at its own pace and loses none; it ends when the
    /// queue does.
    public nonisolated var messages: AsyncStream<Message> { log.stream() }

    /// As ``messages``, while `owner` is kept alive.
    nonisolated func messages(keeping owner: any Sendable) -> AsyncStream<Message> { log.stream(keeping: owner) }

    /// Ends the streams of messages, when they have been read to their ends.
    nonisolated func finish() { log.finish() }

    private func complete(_ id: String, _ change: (inout Message) -> Void) async -> Bool {
        guard let before = order.pendingMessage(id) else { return false }
        var completed = before
        let released = order.update(id) { message in
            change(&message)
            message.transcriptStatus = .completed
            completed = message
        }
        if completed.role == .user, completed.transcriptFailure == nil {
            let detail = EchoEvent.Detail.userTranscriptionCompleted(transcript: completed.text, messageID: id)
            outbox.append(EchoEvent(detail, conversationID: conversationID))
        }
        await publish(released ?? [])
        return true
    }

    private func publish(_ released: [Message]) async {
        log.append(released)
        outbox += released.map { EchoEvent(.messageFinalized($0), conversationID: conversationID) }
        // An emitter may suspend; whoever comes meanwhile leaves its events to this loop, so that they stay in order.
        guard !isEmitting else { return }
        isEmitting = true
        while let event = outbox.popFirst() { await eventEmitter.emit(event) }
        isEmitting = false
    }
}
