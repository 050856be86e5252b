// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// Everything that a device has of somebody, as one tar archive in open formats: JSON, a line for each thing, and the sound as
/// it was encoded.
public struct DeviceExport: Sendable {
    private static let pageSize = 200
    private static let pieceSize = 64 << 10

    private let results: any PracticeRepository
    private let recordings: any RecordingRepository
    private let evaluations: any EvaluationStore
    private let conversations: any ConversationRepository

    /// An export of these.
    public init(
        results: any PracticeRepository, recordings: any RecordingRepository, evaluations: any EvaluationStore,
        conversations: any ConversationRepository
    ) {
        self.results = results
        self.recordings = recordings
        self.evaluations = evaluations
        self.conversations = conversations
    }

    /// Writes it into an archive, without ending that; how many results, recordings and messages there are.
    ///
    /// - Throws: `DomainError`, `CancellationError`, or what the archive throws.
    public func write(to archive: TarWriter) async throws -> [String: Int] {
        try await archive.add("README.txt", Array(Self.explanation.utf8))
        var counts: [String: Int] = [:]
        counts["results"] = try await addResults(to: archive)
        counts["recordings"] = try await addRecordings(to: archive)
        counts["messages"] = try await addMessages(to: archive)
        return counts
    }

    private func addResults(to archive: TarWriter) async throws -> Int {
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

    private func addRecordings(to archive: TarWriter) async throws -> Int {
        struct Item: Encodable {
            let recording: RecordingDTO
            let evaluations: [EvaluationDTO]
            let file: String
        }
        var (count, number): (Int, Int) = (0, 1)
        var last: RecordingCursor?
        while true {
            let page = try await recordings.recordings(after: last, limit: Self.pageSize)
            if page.isEmpty { return count }
            var lines: [UInt8] = []
            for recording in page {
                let made = try await evaluations.evaluations(of: recording.id)
                lines += try WireJSON.encode(
                    Item(
                        recording: RecordingDTO(recording),
                        evaluations: Evaluation.Source.allCases.compactMap { made[$0] }.map(EvaluationDTO.init),
                        file: Self.name(of: recording)))
                lines.append(10)
            }
            try await archive.add("recordings/\(number).jsonl", lines)
            for recording in page { try await addSound(of: recording, to: archive) }
            (count, number, last) = (count + page.count, number + 1, page.last.map { RecordingCursor(after: $0) })
        }
    }

    private func addSound(of recording: Recording, to archive: TarWriter) async throws {
        let content = try await recordings.content(of: recording.id)
        try await archive.begin(Self.name(of: recording), size: content.byteCount)
        var offset = 0
        while offset < content.byteCount {
            let piece = try await content.bytes(at: offset, maximum: Self.pieceSize)
            guard !piece.isEmpty else {
                throw DomainError.storage("The sound of the recording \(recording.id) is shorter than it should be.")
            }
            try await archive.write(piece)
            offset += piece.count
        }
        try await archive.end(size: content.byteCount)
    }

    private func addMessages(to archive: TarWriter) async throws -> Int {
        let messages = try await conversations.recentMessages(limit: .max)
        var lines: [UInt8] = []
        for message in messages { lines += try WireJSON.encode(MessageItem(message)) + [10] }
        if !messages.isEmpty { try await archive.add("history.jsonl", lines) }
        return messages.count
    }

    private struct MessageItem: Encodable {
        let conversation: String
        let role: String
        let modality: String
        let text: String
        let createdAt: String

        init(_ message: Message) {
            conversation = message.conversation.description
            role = message.role.rawValue
            modality = message.modality.rawValue
            text = message.text
            createdAt = WireTime.text(of: message.createdAt)
        }

        private enum CodingKeys: String, CodingKey {
            case conversation, role, modality, text
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
        history.jsonl           what you asked and what was answered
        server.tar              what the server has of your account, if it was asked

        """
}
