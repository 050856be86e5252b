// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import DataLayer

/// What an export says of the sound that it could not contain.
@Suite struct DeviceExportTests {
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

    private func export(_ failures: [(Recording, DomainError?)]) async throws -> (counts: [String: Int], text: String) {
        let bytes = Guarded<[UInt8]>([])
        let archive = TarWriter(modifiedAt: 0) { piece in bytes.withLock { $0 += piece } }
        let export = DeviceExport(
            results: InMemoryPracticeRepository(), recordings: Recordings(failures: failures),
            evaluations: InMemoryEvaluationStore(), conversations: InMemoryConversationRepository())
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
}
