// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Security

/// Conversations while the app lock is closed: appended messages and measurements wait in an inbox, and reading throws.
struct InboxConversations: ConversationRepository, TurnStatistics {
    /// The conversations without a lock.
    typealias Unlocked = @Sendable () async throws -> any ConversationRepository & TurnStatistics

    private let inbox: SealedInbox
    private let unlocked: Unlocked

    /// - Parameter unlocked: Returns the conversations if the lock has been removed meanwhile.
    init(inbox: SealedInbox, unlocked: @escaping Unlocked) {
        (self.inbox, self.unlocked) = (inbox, unlocked)
    }

    func append(_ messages: [Message], to conversation: Conversation) async throws {
        if try await !put(Item(messages, conversation)) { try await unlocked().append(messages, to: conversation) }
    }

    func save(_ message: Message, in conversation: Conversation) async throws {
        if try await !put(Item([message], conversation, replaces: true)) {
            try await unlocked().save(message, in: conversation)
        }
    }

    func note(_ measurement: TurnMeasurement, at now: Date) async throws {
        try Task.checkCancellation()
        if try await !put(Item(measurement)) { try await unlocked().note(measurement, at: now) }
    }

    private func put(_ item: Item) async throws -> Bool {
        let bytes = Array(try JSONEncoder().encode(item))
        return try await domainErrors { try inbox.put(bytes) }
    }

    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation? { throw Self.locked }
    func messages(in id: Identifier<Conversation>) async throws -> [Message] { throw Self.locked }
    func recentMessages(limit: Int) async throws -> [Message] { throw Self.locked }
    func search(_ words: String, limit: Int) async throws -> [Message] { throw Self.locked }
    func summaries(pinned: Bool?, after: ConversationCursor?, limit: Int) async throws -> ConversationPage {
        throw Self.locked
    }
    func summary(_ id: Identifier<Conversation>) async throws -> ConversationSummary? { throw Self.locked }
    func rename(_ id: Identifier<Conversation>, to title: String?) async throws { throw Self.locked }
    func setPinned(_ isPinned: Bool, _ id: Identifier<Conversation>) async throws { throw Self.locked }
    func delete(_ id: Identifier<Conversation>) async throws -> Int { throw Self.locked }
    func delete(_ turns: Set<TurnID>) async throws -> Int { throw Self.locked }
    func deleteAll() async throws -> Int { throw Self.locked }
    func turns(in range: Range<Date>) async throws -> [CountedTurn] { throw Self.locked }

    private static let locked = DomainError.unusable(.locked)

    /// Stores what is in an item of the inbox.
    static func move(_ item: [UInt8], to history: any ConversationRepository & TurnStatistics) async throws {
        let item = try JSONDecoder().decode(Item.self, from: Data(item))
        if let measurement = item.measurement { return try await history.note(measurement.value(), at: Date()) }
        guard let id = Identifier<Conversation>(item.conversation) else { throw DomainError.unusable(.otherVersion) }
        let conversation = Conversation(id: id, startedAt: Date(timeIntervalSince1970: item.startedAt))
        let messages = try item.messages.map { try $0.message(in: id) }
        guard item.replaces == true else { return try await history.append(messages, to: conversation) }
        for message in messages { try await history.save(message, in: conversation) }
    }
}

/// An item of the inbox. Earlier versions wrote no optional field.
private struct Item: Codable {
    let conversation: String
    let startedAt: Double
    let messages: [Line]
    let replaces: Bool?
    let measurement: Measurement?

    /// An earlier version takes it for a conversation without messages, which no list shows.
    init(_ measurement: TurnMeasurement) {
        (conversation, messages, replaces) = (measurement.turn.description, [], nil)
        startedAt = measurement.startedAt.timeIntervalSince1970
        self.measurement = Measurement(measurement)
    }

    init(_ messages: [Message], _ conversation: Conversation, replaces: Bool? = nil) {
        self.conversation = conversation.id.description
        startedAt = conversation.startedAt.timeIntervalSince1970
        self.messages = messages.map(Line.init)
        self.replaces = replaces
        measurement = nil
    }

    struct Line: Codable {
        let id, turn, role, modality, text: String
        let createdAt: Double
        let state: String?
        let heard: Int?
        let source, device: String?
        let usage: Usage?
        let call: Call?
        let attachments: [File]?

        init(_ message: Message) {
            (id, turn, text) = (message.id.description, message.turn.description, message.text)
            (role, modality) = (message.role.rawValue, message.modality.rawValue)
            createdAt = message.createdAt.timeIntervalSince1970
            (state, heard) = message.state.stored
            (source, device) = (message.source?.text, message.device)
            usage = message.usage.map { Usage(input: $0.inputTokens, output: $0.outputTokens, cost: $0.cost) }
            call = message.toolCall.map {
                Call(id: $0.callID, name: $0.name, arguments: $0.arguments, isError: $0.isError)
            }
            let files = message.attachments.map { File(name: $0.name, bytes: Data($0.bytes)) }
            attachments = files.isEmpty ? nil : files
        }

        func message(in conversation: Identifier<Conversation>) throws -> Message {
            guard let id = Identifier<Message>(id), let turn = TurnID(turn), let role = Message.Role(rawValue: role),
                let modality = Message.Modality(rawValue: modality),
                let state = Message.State(stored: state ?? "whole", heard: heard)
            else { throw DomainError.unusable(.otherVersion) }
            return Message(
                id: id, conversation: conversation, turn: turn, role: role, modality: modality, text: text,
                createdAt: Date(timeIntervalSince1970: createdAt), state: state,
                source: source.flatMap(AnswerSource.init), device: device,
                usage: usage.map { AnswerUsage(inputTokens: $0.input, outputTokens: $0.output, cost: $0.cost) },
                toolCall: call.map {
                    .init(callID: $0.id, name: $0.name, arguments: $0.arguments, isError: $0.isError)
                }, attachments: (attachments ?? []).map { Attachment(name: $0.name, bytes: Array($0.bytes)) })
        }
    }

    struct Measurement: Codable {
        let turn, modality, outcome: String
        let code: String?
        let startedAt: Double
        let microseconds: [String: Int64]
        let sentences, cachedSentences: Int

        init(_ measurement: TurnMeasurement) {
            (turn, modality) = (measurement.turn.description, measurement.modality.rawValue)
            (outcome, code) = (measurement.outcome.name, measurement.outcome.code)
            startedAt = measurement.startedAt.timeIntervalSince1970
            microseconds = Dictionary(
                uniqueKeysWithValues: measurement.latencies.map { ($0.rawValue, Int64($1 / .microseconds(1))) })
            (sentences, cachedSentences) = (measurement.sentences, measurement.cachedSentences)
        }

        func value() throws -> TurnMeasurement {
            guard let turn = TurnID(turn), let modality = Message.Modality(rawValue: modality),
                let outcome = TurnOutcome(name: outcome, code: code)
            else { throw DomainError.unusable(.otherVersion) }
            let latencies = microseconds.compactMap { name, time in
                TurnLatency(rawValue: name).map { ($0, Duration.microseconds(time)) }
            }
            return TurnMeasurement(
                turn: turn, startedAt: Date(timeIntervalSince1970: startedAt), modality: modality, outcome: outcome,
                latencies: Dictionary(uniqueKeysWithValues: latencies), sentences: sentences,
                cachedSentences: cachedSentences)
        }
    }

    struct Usage: Codable {
        let input, output: Int
        let cost: Double?
    }

    struct File: Codable {
        let name: String
        let bytes: Data
    }

    struct Call: Codable {
        let id, name, arguments: String
        let isError: Bool
    }
}
