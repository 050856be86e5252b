// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Orders a conversation's messages and releases each as soon as its text and all earlier ones are complete.
///
/// In a voice conversation the assistant may answer before the transcript of the question has arrived: the answer
/// waits. Report a transcript that fails by ``failTranscript(id:reason:)``; otherwise later messages wait for ever.
///
/// Each released message is emitted as `messageFinalized`, in order, even with concurrent callers.
public actor MessageQueue {
    private let eventEmitter: any EventEmitterProtocol
    private let conversationID: String?
    private let now: @Sendable () -> Date
    private let log = MessageLog()
    private var transcript = Transcript()
    private var enqueued = 0
    private var outbox: ArraySlice<ConversationEvent> = []
    private var isEmitting = false

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - eventEmitter: The receiver of the events.
    ///   - conversationID: The conversation's id in the events; also the prefix of the messages' ids.
    ///   - now: Returns the time.
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
    ///   - id: The message's id; `nil` makes one. A message with an id that was used before is not added.
    ///   - role: The author.
    ///   - text: The text, or the text so far.
    ///   - audioData: The sound, to be kept with the message.
    ///   - transcriptStatus: The state of the text. If it is incomplete, the message waits for
    ///     ``updateTranscript(id:transcript:isInterrupted:incompleteReason:)``.
    ///   - place: The position.
    /// - Returns: The message's id.
    @discardableResult
    public func enqueue(
        id: String? = nil, role: MessageRole, text: String = "", audioData: Data? = nil,
        transcriptStatus: TranscriptStatus = .notApplicable, at place: MessagePlace = .end
    ) async -> String {
        let id = id ?? makeID()
        let message = Message(
            id: id, role: role, text: text, audioData: audioData, transcriptStatus: transcriptStatus, createdAt: now())
        await publish(transcript.insert(message, at: place))
        return id
    }

    /// An unused id for a message.
    package func makeID() -> String {
        while true {
            enqueued += 1
            let id = "\(conversationID ?? "message")-\(enqueued)"
            if !transcript.knows(id) { return id }
        }
    }

    /// Begins with items of an earlier conversation: their messages are released at once, without events.
    func restore(_ items: [ResponseItem]) {
        for item in items {
            let id = item.id.flatMap { transcript.knows($0) ? nil : $0 } ?? makeID()
            log.append(transcript.restore(item, as: Message(item, id: id, createdAt: now())))
        }
        transcript.closeCalls(ResponseItem.switchedReason)
    }

    /// Keeps the place of an item that is not a message, such as a call of a tool, so that others can follow it.
    public func enqueuePlaceholder(id: String, at place: MessagePlace = .end) async {
        await apply([.keepPlace(id: id, at: place)])
    }

    /// Completes a message's text.
    ///
    /// - Parameters:
    ///   - isInterrupted: True if the user cut the message short.
    ///   - incompleteReason: The reason why the model stopped early, if it did.
    /// - Returns: False if no message with that id waits.
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

    /// Appends to a message's text; the message goes on waiting.
    ///
    /// - Returns: False if no message with that id waits.
    @discardableResult
    public func appendTranscript(id: String, delta: String) -> Bool {
        transcript.apply(.append(id: id, delta: delta), createdAt: now()) != nil
    }

    /// Releases a message whose text will not arrive, with the text so far.
    ///
    /// - Parameter reason: Becomes ``Message/transcriptFailure``.
    /// - Returns: False if no message with that id waits.
    @discardableResult
    public func failTranscript(id: String, reason: String) async -> Bool {
        await complete(id) { $0.transcriptFailure = reason }
    }

    /// Sets the late transcript of a message whose transcript had failed. Later readers of the messages get it; a
    /// user's transcript is also emitted as `userTranscriptionCompleted`.
    ///
    /// - Returns: False if no message with that id has a failed transcript.
    @discardableResult
    public func fillTranscript(id: String, transcript: String) async -> Bool {
        await take(self.transcript.apply(.fill(id: id, text: transcript), createdAt: now()))
    }

    /// Removes a message that has not been released. Messages placed after it keep their positions.
    ///
    /// - Returns: False if no message with that id waits.
    @discardableResult
    public func remove(id: String) async -> Bool {
        await take(transcript.apply(.remove(id: id), createdAt: now()))
    }

    /// The released messages, in order.
    public func getOrderedMessages() -> [Message] { transcript.released }

    /// The waiting messages, in order.
    public func getPendingMessages() -> [Message] { transcript.pending }

    /// The number of waiting messages.
    public func pendingCount() -> Int { transcript.pending.count }

    /// The number of released messages.
    public func completedCount() -> Int { transcript.released.count }

    /// Removes all messages, released or not; numbers begin at 0 again. Streams of messages go on with those that come
    /// after.
    public func clear() {
        transcript = Transcript()
        log.clear()
    }

    /// Released messages from the first on, for one consumer, which reads at its own pace and misses none; it ends when
    /// the queue does.
    public nonisolated var messages: AsyncStream<Message> { log.stream() }

    /// As ``messages``, while `owner` is kept alive.
    nonisolated func messages(keeping owner: any Sendable) -> AsyncStream<Message> { log.stream(keeping: owner) }

    /// Ends the streams of messages after their last messages.
    nonisolated func finish() { log.finish() }

    // MARK: The record

    /// All messages, calls and results, in order.
    package func items() -> [ResponseItem] { transcript.items }

    /// Reads or changes the record, in ways that release no message.
    func record<Result>(_ body: (inout Transcript) -> Result) -> Result { body(&transcript) }

    /// Applies changes, in order.
    package func apply(_ changes: [Transcript.Change]) async {
        for change in changes { await take(transcript.apply(change, createdAt: now())) }
    }

    private func complete(_ id: String, _ change: (inout Message) -> Void) async -> Bool {
        await take(transcript.complete(id, change))
    }

    /// Publishes the effect of a change.
    ///
    /// - Returns: False if the change had no effect.
    @discardableResult
    private func take(_ effect: Transcript.Effect?) async -> Bool {
        guard let effect else { return false }
        if let message = effect.filled { log.replace(message) }
        if let message = effect.filled ?? effect.completed, message.role == .user, message.transcriptFailure == nil {
            let detail = EchoEvent.userTranscriptionCompleted(transcript: message.text, messageID: message.id)
            outbox.append(ConversationEvent(detail, conversationID: conversationID))
        }
        await publish(effect.released)
        return true
    }

    private func publish(_ released: [Message]) async {
        log.append(released)
        outbox += released.map { ConversationEvent(.messageFinalized($0), conversationID: conversationID) }
        // An emitter may suspend; concurrent callers leave their events to this loop, so that they stay in order.
        guard !isEmitting else { return }
        isEmitting = true
        while let event = outbox.popFirst() { await eventEmitter.emit(event) }
        isEmitting = false
    }
}
