// SPDX-License-Identifier: MIT

import Concurrency
import SyncTestSupport
import SyncWire
import TestKit
import Testing

@testable import Sync

/// A side's way to the place: it dies at one of its writes, or is out of reach now and then.
private final class FaultyWay: SyncTransport {
    struct Death: Error {}

    enum Fault {
        /// The program dies before or after its nth write, and does nothing any more.
        case death(write: Int, isBefore: Bool)
        /// Calls fail half of the time, writes also after they were done.
        case outages(seed: UInt64)
    }

    private struct State {
        var writes = 0
        var isDead = false
        var generator: SeededGenerator
    }

    private let place: MemoryPlace
    private let fault: Fault
    private let state: Guarded<State>

    init(_ place: MemoryPlace, _ fault: Fault) {
        (self.place, self.fault) = (place, fault)
        let seed: UInt64 = if case .outages(let seed) = fault { seed } else { 0 }
        state = Guarded(State(generator: SeededGenerator(seed: seed)))
    }

    private func pass() throws {
        try state.withLock { state in
            if state.isDead { throw Death() }
            guard case .outages = fault, Bool.random(using: &state.generator) else { return }
            throw SyncError(code: .unreachable, message: "The place is out of reach.")
        }
    }

    func list(after cursor: SyncCursor?) async throws -> SyncListing { try await place.list(after: cursor) }

    func read(_ name: SyncObjectName) async throws -> [UInt8] {
        try pass()
        return try await place.read(name)
    }

    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        try pass()
        let isLast = state.withLock { state in
            state.writes += 1
            if case .death(state.writes, _) = fault { state.isDead = true }
            return state.isDead
        }
        if case .death(_, isBefore: true) = fault, isLast { throw Death() }
        try await place.create(name, bytes)
        if isLast { throw Death() }
        try pass()
    }

    func remove(_ name: SyncObjectName) async throws {
        try pass()
        try await place.remove(name)
    }

    func changes() -> AsyncStream<Void> { place.changes() }
}

@Suite(.timeLimit(.minutes(5))) struct PairingFaultTests {
    @Test(arguments: 1...3, [true, false])
    func `a new device that died goes on with the same code`(write: Int, isBefore: Bool) async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        async let offered = outcome { try await scene.offer(seal) { _ in true } }
        let way = FaultyWay(scene.place, .death(write: write, isBefore: isBefore))
        let first = await outcome { try await scene.accept(seal, over: way) { _ in true } }
        #expect(throws: FaultyWay.Death.self) { _ = try first.get() }
        if write == 3, !isBefore {
            // After its last write there is nothing left to do, and nothing left at the place to do it with.
            _ = try await offered.get()
            async let second = outcome { try await scene.accept(seal) { _ in true } }
            await scene.newcomerClock.waitForSleepers()
            scene.newcomerClock.advance(by: .seconds(120))
            #expect(await second.code == .expired)
        } else {
            _ = try await scene.accept(seal) { _ in true }
            let device = try await offered.get()
            #expect(device.device == scene.id && device.hasJoined)
        }
        let newcomer = try await scene.newcomer()
        #expect(try await newcomer.status().isMember == true)
        #expect(try await scene.members() == [scene.member.id, scene.id])
    }

    /// It writes the offer, the opening, the record that adds the device, and the admission.
    @Test(arguments: 1...4, [true, false])
    func `a member that died adds the device with a new code`(write: Int, isBefore: Bool) async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        let way = FaultyWay(scene.place, .death(write: write, isBefore: isBefore))
        async let accepted = outcome { try await scene.accept(seal) { _ in true } }
        let first = await outcome { try await scene.offer(seal, over: way) { _ in true } }
        #expect(throws: FaultyWay.Death.self) { _ = try first.get() }
        // The new device may have heard the last word, or waits in vain.
        let hasHeard = write == 4 && !isBefore
        if !hasHeard {
            await scene.newcomerClock.waitForSleepers()
            scene.newcomerClock.advance(by: .seconds(600))
            #expect(await accepted.code == .expired)
        }
        _ = await accepted
        let again = try PairingSeal()
        async let offered = outcome { try await scene.offer(again) { _ in true } }
        _ = try await scene.accept(again) { _ in true }
        #expect(try await offered.get().hasJoined)
        #expect(try await scene.members() == [scene.member.id, scene.id])
        #expect(try await scene.additions().count == 1)
    }

    @Test func `a device that does not come back was still added`() async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        async let offered = outcome { try await scene.offer(seal) { _ in true } }
        let way = FaultyWay(scene.place, .death(write: 3, isBefore: true))
        _ = await outcome { try await scene.accept(seal, over: way) { _ in true } }
        await scene.memberClock.waitForSleepers()
        scene.memberClock.advance(by: .seconds(600))
        let device = try await offered.get()
        #expect(device.device == scene.id && !device.hasJoined)
        #expect(try await scene.leftovers() == [])
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `outages delay a pairing and nothing else`(seed: UInt64) async throws {
        let scene = try await PairingScene()
        let seal = try PairingSeal()
        // The clocks run as fast as they can; nothing may expire meanwhile.
        let times = PairingTimes(lifetime: .seconds(1 << 40), patience: .seconds(1 << 40))
        let running = [scene.memberClock, scene.newcomerClock].map { clock in
            Task {
                while !Task.isCancelled {
                    await clock.waitForSleepers()
                    clock.advance(by: .seconds(2))
                }
            }
        }
        async let offered = outcome {
            try await scene.offer(seal, over: FaultyWay(scene.place, .outages(seed: seed)), times: times)
        }
        _ = try await scene.accept(
            seal, over: FaultyWay(scene.place, .outages(seed: seed + 100)), times: times)
        #expect(try await offered.get().hasJoined)
        #expect(try await scene.additions().count == 1)
        for task in running { task.cancel() }
        // The last sleepers let those go that wait for one.
        let sleepers = [scene.memberClock, scene.newcomerClock].map { clock in
            Task { try await clock.sleep(for: .seconds(1 << 40)) }
        }
        for task in running { await task.value }
        for sleeper in sleepers { sleeper.cancel() }
    }

    @Test func `whatever comes in whichever order, nobody is added unasked`() async throws {
        let scene = try await PairingScene()
        let group = try await scene.member.replica.read { replica, _ in replica.pairingGroup }
        let seal = try PairingSeal()
        var ends: [String: Int] = [:]
        for seed in 0..<300 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var member = try PairingMember(group, seal: seal, times: .standard, random: Self.random(&generator))
            var newcomer = PairingNewcomer(
                scene.keys, name: "phone", seal: seal, times: .standard, random: Self.random(&generator))
            var messages: [(PairingStep, [UInt8])] = []
            var (hasAgreed, hasConsented) = (false, false)
            var isDue = false
            for _ in 0..<100 {
                let event: PairingEvent
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: event = .started
                case 1: event = .done(.agreed(Int.random(in: 0..<8, using: &generator) > 0))
                case 2: event = .done(isDue && Bool.random(using: &generator) ? .admitted(group.group) : .joined)
                case 3:
                    let isLate = Int.random(in: 0..<50, using: &generator) == 0
                    event = .elapsed(.seconds(isLate ? 600 : 60))
                default:
                    guard let (step, bytes) = messages.suffix(6).randomElement(using: &generator) else { continue }
                    event = Int.random(in: 0..<100, using: &generator) == 0 ? .taken(step, bytes) : .read(step, bytes)
                }
                let isMember = Bool.random(using: &generator)
                if case .done(.agreed(true)) = event, member.awaited.contains(.answer), isMember, messages.count > 1 {
                    hasAgreed = true
                }
                let actions = isMember ? member.handle(event) : newcomer.handle(event)
                for action in actions {
                    switch action {
                    case .write(let step, let sealed):
                        messages.append((step, sealed))
                        if step == .consent { hasConsented = true }
                    case .work(.admit):
                        isDue = true
                        #expect(hasAgreed && hasConsented, "seed \(seed)")
                    case .work(.join): #expect(hasConsented && isDue, "seed \(seed)")
                    case .work(.ask): break
                    }
                }
            }
            switch member.result {
            case nil: ends["open", default: 0] += 1
            case .success: ends["added", default: 0] += 1
            case .failure(let error): ends[error.code.rawValue, default: 0] += 1
            }
        }
        #expect(ends["added"] ?? 0 > 0 && ends["declined"] ?? 0 > 0 && ends["expired"] ?? 0 > 0, "\(ends)")
    }

    private static func random(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
