// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Persistence
import Testing

@testable import DataSync

/// The voice profiles of two homes.
struct VoiceProfileSyncTests {
    private func profile(
        _ id: Identifier<VoiceProfile> = .init(), name: String = "anna", voice: String = "slt", rate: Double = 1
    ) throws -> VoiceProfile {
        try VoiceProfile(id: id, name: name, engine: "flite", voice: voice, rate: rate, pitch: 0.8, stability: 0.5)
    }

    @Test func `profiles from before sync and after reach the other device`() async throws {
        let (first, second) = try await Home.pair()
        let (one, two) = (try profile(), try profile(name: "bea", rate: 1.37))
        try await first.store(one)
        try await Home.settle(first, second)
        try await second.store(two)
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.profiles() == [one, two])
            #expect(try await home.data.pending().count == 0)
        }
    }

    @Test func `changes of two fields at the same time both hold`() async throws {
        let (first, second) = try await Home.pair()
        let one = try profile()
        try await first.store(one)
        try await Home.settle(first, second)
        try await first.store(try profile(one.id, rate: 1.5))
        try await second.store(try profile(one.id, voice: "rms"))
        try await Home.settle(first, second)
        let both = try profile(one.id, voice: "rms", rate: 1.5)
        for home in [first, second] { #expect(try await home.profiles() == [both]) }
    }

    @Test func `a change of one field takes back no other one that arrived meanwhile`() async throws {
        let (first, second) = try await Home.pair()
        let one = try profile()
        try await first.store(one)
        try await Home.settle(first, second)
        try await first.store(try profile(one.id, voice: "rms"))
        try await Home.settle(first)
        // It was read here and is not shown yet.
        try await Home.exchange(second)
        try await second.store(try profile(one.id, rate: 1.5))
        try await second.sync.handOver(now: 1_900_000_000_000)
        try await Home.settle(second, first)
        let both = try profile(one.id, voice: "rms", rate: 1.5)
        for home in [first, second] { #expect(try await home.profiles() == [both]) }
    }

    @Test func `a deletion reaches the other device and stays`() async throws {
        let (first, second) = try await Home.pair()
        let (one, two) = (try profile(), try profile(name: "bea"))
        for profile in [one, two] { try await first.store(profile) }
        try await Home.settle(first, second)
        try await second.activate(one)
        try await first.delete(one)
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.profiles() == [two])
            #expect(try await home.active() == nil)
        }
    }

    @Test func `a profile of a newer program is passed over`() async throws {
        let (first, second) = try await Home.pair()
        var newer = StoredVoiceProfile(try profile())
        newer.pitch = 4
        try await first.store(newer, .init())
        try await Home.settle(first, second)
        let one = try profile()
        try await first.store(one)
        try await Home.settle(first, second)
        #expect(try await second.profiles() == [one])
    }

    @Test func `a change that waits is not overwritten by an older one`() async throws {
        let (first, second) = try await Home.pair()
        let one = try profile()
        try await first.store(one)
        try await Home.settle(first, second)
        try await first.store(try profile(one.id, rate: 0.6))
        try await first.sync.handOver(now: 10)
        try await Home.exchange(first)
        let latest = try profile(one.id, rate: 1.9)
        try await second.store(latest)
        try await Home.exchange(second)
        _ = try await second.sync.takeOver()
        #expect(try await second.profiles() == [latest])
        try await second.sync.handOver(now: 1_900_000_000_000)
        try await Home.settle(first, second)
        #expect(try await first.profiles() == [latest])
    }
}

extension Home {
    fileprivate func store(_ profile: VoiceProfile) async throws {
        try await store(StoredVoiceProfile(profile), profile.id)
    }

    fileprivate func store(_ profile: StoredVoiceProfile, _ id: Identifier<VoiceProfile>) async throws {
        try await settings.database.write { try KeyValueTransaction($0).set(profile, for: .voiceProfile(id)) }
    }

    fileprivate func delete(_ profile: VoiceProfile) async throws {
        try await settings.database.write { try KeyValueTransaction($0).set(nil, for: .voiceProfile(profile.id)) }
    }

    fileprivate func activate(_ profile: VoiceProfile) async throws {
        try await settings.database.write {
            try KeyValueTransaction($0).set(profile.id.description, for: .activeVoiceProfile)
        }
    }

    fileprivate func active() async throws -> String? {
        try await settings.database.read { try KeyValueTransaction($0).value(for: .activeVoiceProfile) }
    }

    fileprivate func profiles() async throws -> [VoiceProfile] {
        try await settings.database.read { try KeyValueTransaction($0).voiceProfiles() }
    }
}
