// SPDX-License-Identifier: MIT

import Concurrency
import Security
import SyncTestSupport
import SyncWire
import TestKit
import Testing

@testable import Sync

@Suite(.timeLimit(.minutes(15))) struct PairingTests {
    @Test func `a device is added by a code and six words`() async throws {
        let scene = try await PairingScene()
        let change = SyncChange(SyncRecordKey(kind: 2, id: [UInt8](0..<16)), [SyncField(1, .last): [7]])
        try await scene.member.write([change], now: 1_700_000_000_000)
        try await scene.sync(scene.member)
        let code = try PairingCode()
        let text = try PairingText(place: "folder", code: code).text.withExposed { $0 }
        async let offered = scene.member.offer(
            code, over: scene.place, now: { 1_700_000_000_000 }, confirm: scene.compare("laptop"))
        let newcomer = try await SyncDevice.accept(
            PairingText(reading: text).code, over: scene.place, in: scene.database, keys: scene.keys, name: "phone",
            confirm: scene.compare("phone"))
        let device = try await offered

        #expect(device.device == scene.id && device.name == "phone" && device.hasJoined)
        #expect(try await scene.additions() == [device.record])
        let seen = scene.seen.withLock { $0 }
        #expect(seen["laptop"]?.words == seen["phone"]?.words && seen["phone"]?.words.count == 6)
        #expect(seen["laptop"]?.name == "phone" && seen["laptop"]?.device == scene.id)
        #expect(seen["phone"]?.name == "laptop" && seen["phone"]?.device == scene.member.id)
        #expect(try await scene.leftovers() == [])

        try await scene.sync(newcomer)
        #expect(try await newcomer.record(change.record)?[SyncField(1, .last)] == [7])
        #expect(try await scene.members() == [scene.member.id, scene.id])
        #expect(try await newcomer.devices().map(\.name).contains("laptop"))
    }

    @Test func `a member of a group does not join another`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        async let offered = scene.offer(seal)
        let newcomer = try await scene.accept(seal)
        _ = try await offered
        try await scene.sync(newcomer)
        #expect(await outcome { try await scene.accept(seal) }.code == .exists)
    }

    @Test func `the words differ each time`() async throws {
        var words: Set<[String]> = []
        for _ in 0..<3 {
            let scene = try await PairingScene()
            let seal = try PairingSeal(PairingCode(reading: "01234-56789-0"))
            async let offered = scene.offer(seal)
            _ = try await scene.accept(seal)
            _ = try await offered
            words.formUnion(scene.seen.withLock { $0.values.map(\.words) })
        }
        #expect(words.count == 3)
    }

    @Test func `somebody between who knows the code gets other words`() async throws {
        let scene = try await PairingScene()
        let mallory = try await PairingScene()
        let seal = try PairingSeal()
        // Two places: what one device writes reaches the other only through the one between them.
        let here = scene.place
        let there = MemoryPlace()
        async let offered = outcome { try await scene.offer(seal, over: here) }
        async let accepted = outcome { try await scene.accept(seal, over: there) }
        async let caught = outcome { try await mallory.accept(seal, over: here) { _ in true } }
        async let posed = outcome { try await mallory.offer(seal, over: there) { _ in true } }
        #expect(await offered.code == .declined)
        #expect(await accepted.code == .declined)
        #expect(await caught.code == .declined)
        #expect(await posed.code == .declined)
        let seen = scene.seen.withLock { $0 }
        #expect(seen.count == 2 && seen["laptop"]?.words != seen["phone"]?.words)
        #expect(try await scene.members() == [scene.member.id])
        #expect(try await mallory.additions() == [])
        #expect(await outcome { try await SyncDevice.open(in: scene.database, keys: scene.keys) }.code == .notMember)
    }

    @Test func `a code that nobody offers ends in time`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        async let accepted = outcome { try await scene.accept(seal) }
        await scene.newcomerClock.waitForSleepers()
        scene.newcomerClock.advance(by: .seconds(120))
        #expect(await accepted.code == .expired)
        #expect(try await scene.leftovers() == [])
    }

    @Test func `an unused code expires and leaves nothing`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        let changes = scene.place.changes()
        async let offered = outcome { try await scene.offer(seal) }
        for await _ in changes { break }
        await scene.memberClock.waitForSleepers()
        scene.memberClock.advance(by: .seconds(599))
        await scene.memberClock.waitForSleepers()
        #expect(try await scene.leftovers().count == 1)
        await scene.memberClock.waitForSleepers()
        scene.memberClock.advance(by: .seconds(2))
        #expect(await offered.code == .expired)
        #expect(try await scene.leftovers() == [])
    }

    @Test func `a person who does not answer lets the code expire`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        let isAsked = Promise<Void>()
        let isWithdrawn = Promise<Void>()
        async let offered = outcome {
            try await scene.offer(seal) { _ in
                isAsked.resolve()
                await untilCancelled()
                isWithdrawn.resolve()
                return true
            }
        }
        async let accepted = outcome { try await scene.accept(seal) { _ in true } }
        try await isAsked.value()
        await scene.memberClock.waitForSleepers()
        scene.memberClock.advance(by: .seconds(600))
        #expect(await offered.code == .expired)
        try await isWithdrawn.value()
        #expect(try await scene.additions() == [])
        await scene.newcomerClock.waitForSleepers()
        scene.newcomerClock.advance(by: .seconds(600))
        #expect(await accepted.code == .expired)
    }

    @Test(arguments: [true, false]) func `one no ends both sides`(isMember: Bool) async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        // The other person is still looking; the question is withdrawn.
        let wait: @Sendable (PairingQuestion) async throws -> Bool = { _ in
            await untilCancelled()
            return true
        }
        let refuse: @Sendable (PairingQuestion) async throws -> Bool = { _ in false }
        async let offered = outcome { try await scene.offer(seal, confirm: isMember ? refuse : wait) }
        async let accepted = outcome { try await scene.accept(seal, confirm: isMember ? wait : refuse) }
        #expect(await offered.code == .declined)
        #expect(await accepted.code == .declined)
        #expect(try await scene.additions() == [])
        #expect(try await scene.leftovers() == [])
    }

    @Test func `no after the other's yes adds nothing`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        let isAgreed = Promise<Void>()
        async let offered = outcome {
            try await scene.offer(seal) { _ in
                isAgreed.resolve()
                return true
            }
        }
        async let accepted = outcome {
            try await scene.accept(seal) { _ in
                try await isAgreed.value()
                return false
            }
        }
        #expect(await offered.code == .declined)
        #expect(await accepted.code == .declined)
        #expect(try await scene.additions() == [])
    }

    @Test func `a code is not offered twice`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        try await scene.place.create(seal.name(.offer), [1])
        #expect(await outcome { try await scene.offer(seal) }.code == .exists)
    }

    @Test func `two devices cannot use one code`() async throws {
        let scene = try await PairingScene()
        let other = try SecretKeys()
        let seal = try PairingSeal()
        let isAnswered = Promise<Void>()
        let isOver = Promise<Void>()
        async let offered = outcome { try await scene.offer(seal) }
        async let accepted = outcome {
            try await scene.accept(seal) { question in
                isAnswered.resolve()
                try await isOver.value()
                return try await scene.compare("phone")(question)
            }
        }
        try await isAnswered.value()
        let second = await outcome {
            try await SyncDevice.accept(
                seal, over: scene.place, in: PairingScene.database(), keys: other, name: "other", times: .standard,
                clock: ManualClock(), confirm: { _ in true })
        }
        #expect(second.code == .exists)
        isOver.resolve()
        let device = try await offered.get()
        _ = try await accepted.get()
        #expect(device.device == scene.id)
    }

    @Test func `a forged second answer is noticed`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        let isAsked = Promise<Void>()
        async let offered = outcome {
            try await scene.offer(seal) { _ in
                isAsked.resolve()
                await untilCancelled()
                return false
            }
        }
        async let accepted = outcome {
            try await scene.accept(seal) { _ in
                await untilCancelled()
                return false
            }
        }
        try await isAsked.value()
        try await scene.place.remove(seal.name(.answer))
        try await scene.place.create(seal.name(.answer), [1, 2, 3])
        #expect(await offered.code == .exists)
        await scene.newcomerClock.waitForSleepers()
        scene.newcomerClock.advance(by: .seconds(600))
        #expect(await accepted.code == .expired)
    }

    @Test func `old messages do not open under a new code`() async throws {
        let scene = try await PairingScene()
        let old = try PairingSeal()
        let new = try PairingSeal()
        let group = try await scene.member.replica.read { replica, _ in replica.pairingGroup }
        var machine = try PairingMember(group, seal: old, times: .standard, random: [UInt8](repeating: 1, count: 32))
        guard case .write(.offer, let sealed)? = machine.handle(.started).first else { throw SyncError.invalid("") }
        try await scene.place.create(new.name(.offer), sealed)
        #expect(await outcome { try await scene.accept(new) }.code == .invalid)
    }

    @Test func `cancelling takes the messages away`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        let isAsked = Promise<Void>()
        let offering = Task {
            try await scene.offer(seal) { _ in
                isAsked.resolve()
                await untilCancelled()
                throw CancellationError()
            }
        }
        let accepting = Task { try await scene.accept(seal) { _ in true } }
        try await isAsked.value()
        offering.cancel()
        await #expect(throws: CancellationError.self) { _ = try await offering.value }
        accepting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await accepting.value }
        // The new device may have said yes after the other one was gone.
        #expect(try await scene.leftovers().allSatisfy { $0.hasSuffix("-4") })
    }

    @Test func `a later version asks for an update`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        try await scene.place.create(seal.name(.offer), seal.seal([2, 1, 2, 3], .offer))
        #expect(await outcome { try await scene.accept(seal) }.code == .newer)
    }

    @Test func `a removed device does not come back under its old keys`() async throws {
        let scene = try await PairingScene()
        let (keys, id) = (scene.keys.publicKeys, scene.id)
        try await scene.member.replica.write { replica, tables in
            let first = try replica.admit(keys, name: "phone", tables)
            let second = try replica.admit(keys, name: "phone", tables)
            #expect(first == second)
            try replica.change(.revocation(id), tables)
        }
        let admitted = await outcome {
            try await scene.member.replica.write { try $0.admit(keys, name: "phone", $1) }
        }
        #expect(admitted.code == .notMember)
    }
}
