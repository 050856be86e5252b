// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Testing

@Suite struct ExportEverythingTests {
    private struct Source: PersonalDataSource {
        let name: String
        var counts: [String: Int] = [:]
        var failure: DomainError?

        func export(to archive: any ExportArchive) async throws -> [String: Int] {
            if let failure { throw failure }
            try await archive.add(name, [1, 2, 3])
            return counts
        }
    }

    @Test(arguments: ExportArchiveContract.checks)
    func `the fake keeps the archive's contract`(
        _ check: ContractCheck<@Sendable () async throws -> ExportArchiveSubject>
    ) async throws {
        try await check.run {
            let archive = InMemoryExportArchive()
            return ExportArchiveSubject(archive: archive) { archive.isFinished ? archive.files : nil }
        }
    }

    @Test(arguments: PersonalDataSourceContract.checks)
    func `the fake keeps the source's contract`(_ check: ContractCheck<PersonalDataSourceSubject>) async throws {
        try await check.run(
            PersonalDataSourceSubject(
                source: Source(name: "a", counts: ["results": 2]), counts: ["results": 2], names: ["a"]))
    }

    @Test func `every part is written in order and counted`() async throws {
        let archive = InMemoryExportArchive()
        let counts = try await ExportEverything([
            Source(name: "b", counts: ["results": 2]), Source(name: "a", counts: ["results": 1, "messages": 4]),
        ])(to: archive)
        #expect(counts == ["results": 3, "messages": 4])
        #expect(archive.files == ["b", "a"].map { ExportedFile(name: $0, bytes: [1, 2, 3]) })
        #expect(archive.isFinished)
    }

    @Test func `an export that lacks a part is not completed`() async {
        let archive = InMemoryExportArchive()
        let export = ExportEverything([
            Source(name: "a"), Source(name: "b", failure: .offline("No route.")), Source(name: "c"),
        ])
        await #expect(throws: DomainError.offline("No route.")) { try await export(to: archive) }
        #expect(archive.files.map(\.name) == ["a"])
        #expect(!archive.isFinished)
    }

    @Test func `a cancelled export is not completed`() async {
        let archive = InMemoryExportArchive()
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ExportEverything([Source(name: "a")])(to: archive)
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(!archive.isFinished)
    }
}
