// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// A ``ConversationRepository`` that forgets everything when it is released.
public actor InMemoryConversationRepository: ConversationRepository {
    private var conversations: [Identifier<Conversation>: Conversation] = [:]
    private var titles: [Identifier<Conversation>: String] = [:]
    private var pinned: Set<Identifier<Conversation>> = []
    private var stored: [(number: Int64, message: Message)] = []
    private var lastNumber: Int64 = 0
    private var measurements: [TurnID: TurnMeasurement] = [:]

    /// Makes an empty repository.
    public init() {}

    /// See ``ConversationRepository``.
    public func append(_ messages: [Message], to conversation: Conversation) throws {
        try Task.checkCancellation()
        conversations[conversation.id] = conversations[conversation.id] ?? conversation
        for message in messages where index(of: message) == nil { add(message) }
    }

    /// See ``ConversationRepository``.
    public func save(_ message: Message, in conversation: Conversation) throws {
        try Task.checkCancellation()
        conversations[conversation.id] = conversations[conversation.id] ?? conversation
        guard let index = index(of: message) else { return add(message) }
        stored[index].message.text = message.text
        stored[index].message.state = message.state
        stored[index].message.source = message.source
        stored[index].message.device = message.device
        stored[index].message.usage = message.usage
        stored[index].message.toolCall = message.toolCall
        if !message.attachments.isEmpty { stored[index].message.attachments = message.attachments }
    }

    private func index(of message: Message) -> Int? { stored.firstIndex { $0.message.id == message.id } }

    private func add(_ message: Message) {
        lastNumber += 1
        stored.append((lastNumber, message))
    }

    /// See ``ConversationRepository``.
    public func conversation(_ id: Identifier<Conversation>) -> Conversation? {
        conversations[id]
    }

    /// See ``ConversationRepository``.
    public func messages(in id: Identifier<Conversation>) -> [Message] {
        stored.map(\.message).filter { $0.conversation == id }
    }

    /// See ``ConversationRepository``.
    public func recentMessages(limit: Int) -> [Message] {
        stored.suffix(max(0, limit)).map { Self.withoutFiles($0.message) }
    }

    /// See ``ConversationRepository``.
    public func search(_ words: String, limit: Int) -> [Message] {
        let wanted = SearchedWords(words)
        let ranked = stored.map { (rank: wanted.share(of: $0.message.text), number: $0.number, message: $0.message) }
        let matches = ranked.filter { $0.rank > 0 }.sorted { ($1.rank, $0.number) < ($0.rank, $1.number) }
        return matches.prefix(max(0, limit)).map { Self.withoutFiles($0.message) }
    }

    private static func withoutFiles(_ message: Message) -> Message {
        var message = message
        message.attachments = []
        return message
    }

    /// See ``ConversationRepository``.
    public func summaries(pinned wanted: Bool?, after: ConversationCursor?, limit: Int) -> ConversationPage {
        let watermark = after?.watermark ?? lastNumber
        var positions: [Identifier<Conversation>: Int64] = [:]
        for (number, message) in stored where number <= watermark { positions[message.conversation] = number }
        let rest = positions.filter { id, position in
            position < after?.position ?? .max && (wanted == nil || wanted == pinned.contains(id))
        }.sorted { $0.value > $1.value }
        let page = rest.prefix(max(1, limit))
        let next = page.count < rest.count ? page.last?.value : nil
        return ConversationPage(
            summaries: page.compactMap { summary($0.key) },
            next: next.map { ConversationCursor(watermark: watermark, position: $0) })
    }

    /// See ``ConversationRepository``.
    public func summary(_ id: Identifier<Conversation>) -> ConversationSummary? {
        guard let conversation = conversations[id] else { return nil }
        return ConversationSummary(
            conversation, messages(in: id), title: titles[id], isPinned: pinned.contains(id))
    }

    /// See ``ConversationRepository``.
    public func rename(_ id: Identifier<Conversation>, to title: String?) throws {
        try requireStored(id)
        titles[id] = title
    }

    /// See ``ConversationRepository``.
    public func setPinned(_ isPinned: Bool, _ id: Identifier<Conversation>) throws {
        try requireStored(id)
        if isPinned { pinned.insert(id) } else { pinned.remove(id) }
    }

    private func requireStored(_ id: Identifier<Conversation>) throws {
        try Task.checkCancellation()
        guard conversations[id] != nil else { throw DomainError.notFound("conversation") }
    }

    /// See ``ConversationRepository``.
    public func delete(_ id: Identifier<Conversation>) throws -> Int { try delete { $0.conversation == id } }

    /// See ``ConversationRepository``.
    public func delete(_ turns: Set<TurnID>) throws -> Int { try delete { turns.contains($0.turn) } }

    /// See ``ConversationRepository``.
    public func deleteAll() throws -> Int {
        defer { measurements = [:] }
        return try delete { _ in true }
    }

    private func delete(where isWanted: (Message) -> Bool) throws -> Int {
        try Task.checkCancellation()
        let count = stored.count
        let turns = Set(stored.lazy.map(\.message).filter(isWanted).map(\.turn))
        stored.removeAll { isWanted($0.message) }
        for turn in turns.subtracting(stored.map(\.message.turn)) { measurements[turn] = nil }
        let left = Set(stored.map(\.message.conversation))
        conversations = conversations.filter { left.contains($0.key) }
        titles = titles.filter { left.contains($0.key) }
        pinned.formIntersection(left)
        return count - stored.count
    }
}

extension InMemoryConversationRepository: TurnStatistics {
    /// See `TurnStatistics`.
    public func note(_ measurement: TurnMeasurement, at now: Date) throws {
        try Task.checkCancellation()
        measurements[measurement.turn] = measurement
        let window = TurnMeasurement.window(at: now)
        measurements = measurements.filter { window.contains($0.value.startedAt) }
    }

    /// See `TurnStatistics`.
    public func turns(in range: Range<Date>) throws -> [CountedTurn] {
        try Task.checkCancellation()
        return measurements.values.filter { range.contains($0.startedAt) }.sorted { $0.startedAt < $1.startedAt }
            .map { measurement in
                var turn = CountedTurn(measurement)
                for (_, message) in stored where message.turn == measurement.turn && message.role == .assistant {
                    turn.add(source: message.source, usage: message.usage, state: message.state)
                }
                return turn
            }
    }
}
