// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@testable import DataLayer

/// The archive and its sources keep their contracts, and an export names the sound that it could not contain.
@Suite struct DeviceExportTests {
    private enum Source: CaseIterable {
        case device, consent, measurements, server
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func subject(_ source: Source) async throws -> PersonalDataSourceSubject {
        switch source {
        case .device:
            let recording = Self.recording()
            return PersonalDataSourceSubject(
                source: DeviceExport(
                    results: InMemoryPracticeRepository(), recordings: Recordings(failures: [(recording, nil)]),
                    evaluations: InMemoryEvaluationStore(), conversations: InMemoryConversationRepository()),
                counts: ["results": 0, "recordings": 1, "messages": 0],
                names: ["README.txt", "recordings/1.jsonl", "recordings/\(recording.id).flac", "manifest.json"])
        case .consent:
            let consent = UploadConsent(.given, at: Date(timeIntervalSince1970: 1))
            let store = InMemoryUploadConsentStore(["ada": consent])
            let server = try #require(URL(string: "https://server.example"))
            return PersonalDataSourceSubject(
                source: ConsentExport(account: "ada", server: server, store: store), counts: [:],
                names: ["consent.json"])
        case .measurements:
            let statistics = InMemoryConversationRepository()
            for number in 0..<3 {
                let start = Date(timeIntervalSince1970: Double(number))
                try await statistics.note(
                    TurnMeasurement(
                        turn: TurnID(), startedAt: start, modality: .voice, outcome: .refused("invalidQuery"),
                        latencies: [.reply: .milliseconds(3), .endpoint: .milliseconds(2)]), at: start)
            }
            return PersonalDataSourceSubject(
                source: MeasurementExport(statistics), counts: ["measurements": 3], names: ["measurements.jsonl"])
        case .server:
            let server = ScriptedServer()
            server.on("GET /account/export", status: 200, text: String(repeating: "archive", count: 20_000))
            return PersonalDataSourceSubject(
                source: RemoteExport(RemoteDataRights(server.practice()), waitingIn: folder.path), counts: [:],
                names: ["server.tar"])
        }
    }

    @Test(arguments: PersonalDataSourceContract.checks, Source.allCases)
    private func `every source keeps the contract`(
        _ check: ContractCheck<PersonalDataSourceSubject>, _ source: Source
    ) async throws { try await check.run(subject(source)) }

    @Test(arguments: ExportArchiveContract.checks)
    func `a tar archive keeps the contract`(
        _ check: ContractCheck<@Sendable () async throws -> ExportArchiveSubject>
    ) async throws {
        try await check.run {
            let bytes = Guarded<[UInt8]>([])
            return ExportArchiveSubject(
                archive: TarWriter(modifiedAt: 0) { piece in bytes.withLock { $0 += piece } },
                files: { Self.files(bytes.withLock { $0 }) })
        }
    }

    /// The files of a tar archive of regular files; nil if it breaks off, or a header is wrong.
    private static func files(_ archive: [UInt8]) -> [ExportedFile]? {
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        var (files, offset): ([ExportedFile], Int) = ([], 0)
        while offset + 1_024 <= archive.count {
            if archive[offset..<(offset + 1_024)].allSatisfy({ $0 == 0 }) {
                return offset + 1_024 == archive.count ? files : nil
            }
            let header = archive[offset..<(offset + 512)]
            let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            guard let size = Int(text(header.dropFirst(124).prefix(12)), radix: 8),
                Int(text(header.dropFirst(148).prefix(6)), radix: 8) == sum,
                text(header.dropFirst(257).prefix(6)) == "ustar", offset + 512 + size <= archive.count
            else { return nil }
            offset += 512
            files.append(ExportedFile(name: text(header.prefix(100)), bytes: Array(archive[offset..<(offset + size)])))
            offset += (size + 511) / 512 * 512
        }
        return nil
    }

    /// Recordings whose sound fails as it is told.
    private struct Recordings: RecordingRepository {
        let failures: [(Recording, DomainError?)]

        func recordings(after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
            cursor == nil ? failures.map(\.0) : []
        }
        func store(_ recording: Recording, content: any RecordingContent) async throws {}
        func recording(_ id: Identifier<Recording>) async throws -> Recording? { nil }
        func delete(_ id: Identifier<Recording>) async throws -> Bool { false }
        func content(of id: Identifier<Recording>) async throws -> any RecordingContent {
            if let error = failures.first(where: { $0.0.id == id })?.1 { throw error }
            return InMemoryContent([1, 2, 3])
        }
    }

    private static func recording() -> Recording {
        Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 3, contentHash: "3")
    }

    private func export(
        _ failures: [(Recording, DomainError?)],
        conversations: any ConversationRepository = InMemoryConversationRepository()
    ) async throws -> (counts: [String: Int], text: String) {
        let bytes = Guarded<[UInt8]>([])
        let archive = TarWriter(modifiedAt: 0) { piece in bytes.withLock { $0 += piece } }
        let export = DeviceExport(
            results: InMemoryPracticeRepository(), recordings: Recordings(failures: failures),
            evaluations: InMemoryEvaluationStore(), conversations: conversations)
        let counts = try await export.export(to: archive)
        try await archive.finish()
        return (counts, String(decoding: bytes.withLock { $0 }, as: UTF8.self))
    }

    @Test func `sound that is gone or damaged is named`() async throws {
        let (whole, gone, damaged) = (Self.recording(), Self.recording(), Self.recording())
        let (counts, text) = try await export([
            (whole, nil), (gone, .notFound("file")), (damaged, .damaged("Its bytes are others.")),
        ])
        #expect(counts["recordings"] == 3 && counts["missing"] == 2, "\(counts)")
        #expect(text.contains("manifest.json"))
        for (id, reason) in [(gone.id, "notFound"), (damaged.id, "damaged")] {
            #expect(text.contains(#""reason":"\#(reason)","recording":"\#(id)""#), "\(text)")
            #expect(!text.contains("recordings/\(id).flac"))
        }
        #expect(text.contains("recordings/\(whole.id).flac"))
    }

    @Test func `a whole export has an empty list`() async throws {
        let (counts, text) = try await export([(Self.recording(), nil)])
        #expect(counts["missing"] == nil && text.contains(#""missing":[]"#))
    }

    @Test(arguments: [DomainError.storage("locked"), .file("denied"), .offline("no network")])
    func `any other failure ends the export`(_ error: DomainError) async {
        await #expect(throws: error) { try await export([(Self.recording(), error)]) }
    }

    @Test func `messages have their source, usage and calls, and conversations their titles`() async throws {
        let repository = InMemoryConversationRepository()
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        try await repository.append(
            [
                Message(
                    conversation: conversation.id, turn: TurnID(), role: .tool, modality: .voice, text: "Sunny.",
                    createdAt: Date(timeIntervalSince1970: 1), state: .interrupted(heard: 4), source: .model("large"),
                    device: "laptop", usage: AnswerUsage(inputTokens: 11, outputTokens: 22, cost: 0.25),
                    toolCall: .init(callID: "call-7", name: "weather", arguments: "{}", isError: true))
            ], to: conversation)
        try await repository.rename(conversation.id, to: "The weather")
        try await repository.setPinned(true, conversation.id)
        let (counts, text) = try await export([], conversations: repository)
        #expect(counts["messages"] == 1)
        for part in [
            #""state":"interrupted""#, #""heard":4"#, #""source":"model:large""#, #""device":"laptop""#,
            #""input":11"#, #""output":22"#, #""cost":0.25"#, #""call":"call-7""#, #""failed":true"#,
            #""title":"The weather""#, #""is_pinned":true"#,
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `a file of a message is exported whatever its name is`() async throws {
        let repository = InMemoryConversationRepository()
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        let names = [
            String(repeating: "a", count: 120) + ".txt", String(repeating: "漢", count: 40) + ".pdf", "/é b.md",
        ]
        let message = Message(
            conversation: conversation.id, turn: TurnID(), role: .user, modality: .text, text: "Read these.",
            createdAt: Date(timeIntervalSince1970: 1),
            attachments: names.map { Attachment(name: $0, bytes: Array($0.utf8)) })
        try await repository.append([message], to: conversation)
        let files = try #require(Self.files(Array(try await export([], conversations: repository).text.utf8)))
            .filter { $0.name.hasPrefix("attachments/\(message.id)-") }
        #expect(files.map(\.bytes) == names.map { Array($0.utf8) })
        #expect(files.allSatisfy { $0.name.utf8.count <= 100 && $0.name.allSatisfy(\.isASCII) }, "\(files.map(\.name))")
        #expect(zip(files, [".txt", ".pdf", "3-___b.md"]).allSatisfy { $0.name.hasSuffix($1) })
    }
}
