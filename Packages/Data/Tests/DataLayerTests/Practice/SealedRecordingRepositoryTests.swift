// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Security
import Testing

@Suite struct SealedRecordingRepositoryTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "parley-\(UUID())").path
    private let key: SymmetricKey

    init() throws { key = try SymmetricKey() }

    private func repository(_ database: PracticeDatabase) -> SealedRecordingRepository {
        SealedRecordingRepository(SQLiteRecordingIndex(database, owner: nil)) { [path, key] in
            try SealedRecordingFolder(path: path, key: key)
        }
    }

    private static func sample(_ number: Int) throws -> RecordingSample {
        // Longer than a slot and a chunk of the sealed file, each differently.
        let bytes = (0..<(number * 70_001 + 10)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7 &+ number) }
        let hash = try SHA256.hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return RecordingSample(
            bytes: bytes, hash: hash, at: 1_700_000_000 + Double(number), duration: 1.5, sampleRate: 48_000)
    }

    @Test(arguments: RecordingRepositoryContract.checks)
    func contract(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let database = try await PracticeDatabase()
        try await check.run(
            RecordingRepositorySubject(repository: repository(database), sample: { try Self.sample($0) }))
    }

    @Test func aFileWithoutARowIsWrittenAnew() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sample = try Self.sample(1)
        // As a process leaves it that was killed between the two.
        try await repository(try await PracticeDatabase()).store(sample.recording, content: sample.content)
        let repository = repository(try await PracticeDatabase())
        try await repository.store(sample.recording, content: sample.content)
        #expect(try await repository.recording(sample.recording.id) == sample.recording)
        #expect(try await repository.content(of: sample.recording.id).byteCount == sample.content.byteCount)
    }

    @Test func theDiskShowsNothingOfTheSound() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sample = try Self.sample(2)
        try await repository(try await PracticeDatabase()).store(sample.recording, content: sample.content)
        let folder = try SealedRecordingFolder(path: path, key: key)
        #expect(try await folder.recordings() == [sample.recording.id])
        let file = try Data(contentsOf: URL(filePath: folder.path(of: sample.recording.id)))
        #expect(file.range(of: Data(sample.content.bytes[5_000..<5_016])) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path(of: sample.recording.id))
        #expect(mode[.posixPermissions] as? Int == 0o600)
        await #expect(throws: DomainError.self) {
            _ = try await SealedRecordingFolder(path: path, key: try SymmetricKey()).open(sample.recording.id)
        }
    }
}
