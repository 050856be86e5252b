// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import PracticeWire

/// A person's data on a device as one tar archive in open formats: JSON, a line for each item, and the sound as it was
/// encoded.
public struct DeviceExport: PersonalDataSource {
    private static let pageSize = 200
    private static let pieceSize = 64 << 10

    private let results: any PracticeRepository
    private let recordings: any RecordingRepository
    private let evaluations: any EvaluationStore
    private let conversations: any ConversationRepository
    private let wording: @Sendable (DomainError) -> String

    /// Makes an export of these stores.
    ///
    /// - Parameter wording: Makes the text in `manifest.json` about a missing sound.
    public init(
        results: any PracticeRepository, recordings: any RecordingRepository, evaluations: any EvaluationStore,
        conversations: any ConversationRepository,
        wording: @escaping @Sendable (DomainError) -> String = { $0.detail ?? $0.code }
    ) {
        self.results = results
        self.recordings = recordings
        self.evaluations = evaluations
        self.conversations = conversations
        self.wording = wording
    }

    /// Writes the data into an archive, without ending the archive.
    ///
    /// - Returns: The numbers of results, recordings and messages, and of `missing` sounds, which are lost or damaged
    ///   and listed in `manifest.json`.
    /// - Throws: `DomainError`, `CancellationError`, or the archive's error.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        try await archive.add("README.txt", Array(Self.explanation.utf8))
        var counts: [String: Int] = [:]
        counts["results"] = try await addResults(to: archive)
        var missing: [MissingSound] = []
        counts["recordings"] = try await addRecordings(to: archive, missing: &missing)
        counts["messages"] = try await addMessages(to: archive)
        if !missing.isEmpty { counts["missing"] = missing.count }
        try await archive.add("manifest.json", try WireJSON.encode(Manifest(counts: counts, missing: missing)))
        return counts
    }

    private struct Manifest: Encodable {
        let counts: [String: Int]
        let missing: [MissingSound]
    }

    /// A recording whose sound is not in the archive.
    private struct MissingSound: Encodable {
        let recording: String
        let reason: String
        let message: String
    }

    private func addResults(to archive: any ExportArchive) async throws -> Int {
        var (count, number): (Int, Int) = (0, 1)
        var cursor: PracticeCursor?
        repeat {
            let page = try await results.page(PracticeQuery(limit: Self.pageSize), after: cursor)
            if page.results.isEmpty { break }
            var lines: [UInt8] = []
            for result in page.results { lines += try WireJSON.encode(PracticeResultDTO(result)) + [10] }
            try await archive.add("practice/\(number).jsonl", lines)
            (count, number, cursor) = (count + page.results.count, number + 1, page.next)
        } while cursor != nil
        return count
    }

    private func addRecordings(to archive: any ExportArchive, missing: inout [MissingSound]) async throws -> Int {
        struct Item: Encodable {
            let recording: RecordingDTO
            let evaluations: [EvaluationDTO]
            let file: String?
        }
        var (count, number): (Int, Int) = (0, 1)
        var last: RecordingCursor?
        while true {
            let page = try await recordings.recordings(after: last, limit: Self.pageSize)
            if page.isEmpty { return count }
            var (lines, sounds): ([UInt8], [(Recording, any RecordingContent)]) = ([], [])
            for recording in page {
                let sound = try await sound(of: recording, missing: &missing)
                if let sound { sounds.append((recording, sound)) }
                let made = try await evaluations.evaluations(of: recording.id)
                lines += try WireJSON.encode(
                    Item(
                        recording: RecordingDTO(recording),
                        evaluations: Evaluation.Source.allCases.compactMap { made[$0] }.map(EvaluationDTO.init),
                        file: sound == nil ? nil : Self.name(of: recording)))
                lines.append(10)
            }
            try await archive.add("recordings/\(number).jsonl", lines)
            for (recording, sound) in sounds { try await add(sound, of: recording, to: archive) }
            (count, number, last) = (count + page.count, number + 1, page.last.map { RecordingCursor(after: $0) })
        }
    }

    /// Reads the sound through once, since an archive has a file's length before its bytes; nil if it is lost or
    /// damaged.
    private func sound(
        of recording: Recording, missing: inout [MissingSound]
    ) async throws -> (any RecordingContent)? {
        do {
            let content = try await recordings.content(of: recording.id)
            try await Self.readThrough(content, of: recording) { _ in }
            return content
        } catch let error as DomainError {
            switch error {
            case .notFound, .damaged:
                missing.append(
                    MissingSound(recording: recording.id.description, reason: error.code, message: wording(error)))
                return nil
            default: throw error
            }
        }
    }

    private func add(_ content: any RecordingContent, of recording: Recording, to archive: any ExportArchive)
        async throws
    {
        try await archive.add(Self.name(of: recording), size: content.byteCount) { write in
            try await Self.readThrough(content, of: recording) { try await write($0) }
        }
    }

    private static func readThrough(
        _ content: any RecordingContent, of recording: Recording, _ body: ([UInt8]) async throws -> Void
    ) async throws {
        var offset = 0
        while offset < content.byteCount {
            let piece = try await content.bytes(at: offset, maximum: pieceSize)
            guard !piece.isEmpty else {
                throw DomainError.damaged("The sound of the recording \(recording.id) is shorter than it should be.")
            }
            try await body(piece)
            offset += piece.count
        }
    }

    private func addMessages(to archive: any ExportArchive) async throws -> Int {
        let messages = try await conversations.recentMessages(limit: .max)
        var lines: [UInt8] = []
        for message in messages { lines += try WireJSON.encode(MessageItem(message)) + [10] }
        if !messages.isEmpty { try await archive.add("history.jsonl", lines) }
        try await addConversations(to: archive)
        return messages.count
    }

    private func addConversations(to archive: any ExportArchive) async throws {
        var (lines, cursor): ([UInt8], ConversationCursor?) = ([], nil)
        repeat {
            let page = try await conversations.summaries(pinned: nil, after: cursor, limit: Self.pageSize)
            for summary in page.summaries {
                lines += try WireJSON.encode(ConversationItem(summary)) + [10]
                try await addAttachments(of: summary.id, to: archive)
            }
            cursor = page.next
        } while cursor != nil
        if !lines.isEmpty { try await archive.add("conversations.jsonl", lines) }
    }

    private func addAttachments(of conversation: Identifier<Conversation>, to archive: any ExportArchive) async throws {
        for message in try await conversations.messages(in: conversation) {
            for (number, file) in zip(1..., message.attachments) {
                // The name is the person's own, and no part of a path; its end has the kind of file.
                let start = "attachments/\(message.id)-\(number)-"
                let name = file.name.map { character in
                    let isPlain = character.isASCII && (character.isLetter || character.isNumber)
                    return isPlain || "._-".contains(character) ? character : "_"
                }
                try await archive.add(start + String(name.suffix(100 - start.utf8.count)), file.bytes)
            }
        }
    }

    private struct ConversationItem: Encodable {
        let id: String
        let title: String?
        let isPinned: Bool
        let startedAt: String

        init(_ summary: ConversationSummary) {
            (id, title, isPinned) = (summary.id.description, summary.title, summary.isPinned)
            startedAt = WireTime.text(of: summary.conversation.startedAt)
        }

        private enum CodingKeys: String, CodingKey {
            case id, title
            case isPinned = "is_pinned"
            case startedAt = "started_at"
        }
    }

    private struct MessageItem: Encodable {
        let conversation: String
        let role: String
        let modality: String
        let text: String
        let createdAt: String
        let state: String
        let heard: Int?
        let source: String?
        let device: String?
        let usage: Usage?
        let tool: Tool?

        struct Usage: Encodable {
            let input, output: Int
            let cost: Double?
        }

        struct Tool: Encodable {
            let call, name, arguments: String
            let failed: Bool
        }

        init(_ message: Message) {
            (state, heard) = message.state.stored
            (source, device) = (message.source?.text, message.device)
            usage = message.usage.map { Usage(input: $0.inputTokens, output: $0.outputTokens, cost: $0.cost) }
            tool = message.toolCall.map {
                Tool(call: $0.callID, name: $0.name, arguments: $0.arguments, failed: $0.isError)
            }
            conversation = message.conversation.description
            role = message.role.rawValue
            modality = message.modality.rawValue
            text = message.text
            createdAt = WireTime.text(of: message.createdAt)
        }

        private enum CodingKeys: String, CodingKey {
            case conversation, role, modality, text, state, heard, source, device, usage, tool
            case createdAt = "created_at"
        }
    }

    private static func name(of recording: Recording) -> String {
        "recordings/\(recording.id).\(recording.format == .flac ? "flac" : "opus")"
    }

    private static let explanation = """
        Everything of yours that parley has.

        practice/N.jsonl        your results, the newest first: a JSON object a line
        recordings/N.jsonl      your recordings and what was made of them, the newest first: a JSON object a line
        recordings/NAME.flac    the sound; .opus is Opus in Ogg
        history.jsonl           what you asked and what was answered, and by what; calls of tools
        attachments/ID-N-NAME   the files of your questions; ID is the question's id in history.jsonl
        measurements.jsonl      when your questions of the last 90 days began, how each ended, and its times in
                                milliseconds
        conversations.jsonl     their titles and pins, the newest first: a JSON object a line
        chat-inputs.jsonl       what you typed in chats, if anything
        consent.json            your answer about uploads, if you gave one
        manifest.json           how many of each, and which recordings' sounds are missing, and why
        server.tar              what the server has of your account, if it was asked

        """
}
