// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@testable import DataLayer

@Suite struct KeyValueVoiceProfilesTests {
    private let folder: TemporaryFolder
    private var file: KeyValueFile { KeyValueFile(path: folder.file("settings.sqlite")) }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: VoiceProfileRepositoryContract.checks)
    func `profiles keep the contract`(_ check: ContractCheck<any VoiceProfileRepository>) async throws {
        try await check.run(KeyValueVoiceProfiles(file))
    }

    @Test func `another program finds what was stored`() async throws {
        let profile = try VoiceProfile(
            name: "anna", engine: "elevenlabs", voice: "21m00", rate: 1.3, pitch: 0.7, stability: 0.1, similarity: 0.9)
        try await KeyValueVoiceProfiles(file).store(profile)
        try await KeyValueVoiceProfiles(file).activate(profile.id)
        #expect(try await KeyValueVoiceProfiles(file).profiles() == [profile])
        #expect(try await KeyValueVoiceProfiles(file).active() == profile)
    }

    @Test func `reading makes no file`() async throws {
        let voices = KeyValueVoiceProfiles(file)
        #expect(try await voices.profiles().isEmpty)
        #expect(try await voices.active() == nil)
        #expect(try await !voices.delete(.init()))
        try await voices.activate(nil)
        #expect(!FileManager.default.fileExists(atPath: folder.file("settings.sqlite")))
    }

    @Test func `values of a newer program are passed over`() async throws {
        let profile = try VoiceProfile(name: "anna", engine: "flite", voice: "slt")
        var newer = StoredVoiceProfile(profile)
        newer.rate = 9
        let id = Identifier<VoiceProfile>()
        try await file.write { [newer] in try $0.set(newer, for: .voiceProfile(id)) }
        let voices = KeyValueVoiceProfiles(file)
        try await voices.store(profile)
        #expect(try await voices.profiles() == [profile])
    }

    @Test func `profiles are in the export`() async throws {
        try await KeyValueVoiceProfiles(file).store(try VoiceProfile(name: "anna", engine: "flite", voice: "slt"))
        let archive = InMemoryExportArchive()
        #expect(try await file.export(to: archive) == ["settings": 1])
        let text = String(decoding: archive.files.first?.bytes ?? [], as: UTF8.self)
        #expect(text.contains("voice profiles") && text.contains("anna") && text.contains("flite"))
    }
}
