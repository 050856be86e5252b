// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import SecurityTestSupport
import TestKit
import Testing

@testable import Security

@Suite struct AppLockTests {
    /// Clocks that a test moves.
    private final class Clocks: Sendable {
        let time = Guarded(AppLockTime(boot: "one", uptime: 1_000, wall: 1_700_000_000))

        func pass(_ seconds: Double) {
            time.withLock {
                $0.uptime += seconds
                $0.wall += seconds
            }
        }

        func setWall(back seconds: Double) { time.withLock { $0.wall -= seconds } }

        func restart(_ boot: String) {
            time.withLock {
                $0.boot = boot
                $0.uptime = 10
            }
        }
    }

    private let folder: TemporaryFolder
    private let clocks = Clocks()
    private let right = Sensitive(utf8: "open sesame")
    private let wrong = Sensitive(utf8: "open barley")
    private let cheap: ScryptParameters

    init() throws {
        folder = try TemporaryFolder()
        cheap = try ScryptParameters(costExponent: 14)
    }

    /// A program's lock; another one is what a restarted program has.
    private func makeLock() -> AppLock {
        AppLock(path: folder.file("lock"), parameters: cheap) { [clocks] in clocks.time.withLock { $0 } }
    }

    @Test func withoutAPassphraseEverythingPasses() async throws {
        let lock = makeLock()
        #expect(try await !lock.isEnabled())
        try await lock.requireUnlocked()
        try await lock.unlock(passphrase: wrong)
        try await lock.disable()
        #expect(try await lock.remainingDelay() == .zero)
    }

    @Test func thePassphraseIsNeededAfterARestartAndAfterLocking() async throws {
        let lock = makeLock()
        try await lock.enable(passphrase: right)
        try await lock.requireUnlocked()
        await lock.lock()
        #expect(await code { try await lock.requireUnlocked() } == .locked)
        #expect(await code { try await lock.unlock(passphrase: wrong) } == .wrongPassphrase)
        #expect(await code { try await lock.unlock(passphrase: Sensitive([])) } == .wrongPassphrase)
        try await lock.unlock(passphrase: right)
        try await lock.requireUnlocked()
        let restarted = makeLock()
        #expect(await code { try await restarted.requireUnlocked() } == .locked)
        #expect(await code { try await restarted.disable() } == .locked)
        #expect(await code { try await restarted.enable(passphrase: wrong) } == .locked)
        try await restarted.unlock(passphrase: right)
        try await restarted.enable(passphrase: wrong)
        let changed = makeLock()
        #expect(await code { try await changed.unlock(passphrase: right) } == .wrongPassphrase)
        try await changed.unlock(passphrase: wrong)
        try await changed.disable()
        try await makeLock().requireUnlocked()
        #expect(try folder.names() == ["lock.lock"])
    }

    @Test func failuresCostMoreAndMoreTimeAcrossRestarts() async throws {
        try await makeLock().enable(passphrase: right)
        for delay in [0, 0, 5, 15, 60, 300, 900, 3_600, 3_600] as [Double] {
            let lock = makeLock()
            #expect(await code { try await lock.unlock(passphrase: wrong) } == .wrongPassphrase)
            #expect(try await makeLock().remainingDelay() == .seconds(delay))
            guard delay > 0 else { continue }
            clocks.pass(delay - 1)
            // Not even the right one is looked at, and asking early costs nothing more.
            #expect(await code { try await makeLock().unlock(passphrase: right) } == .tooManyFailures)
            #expect(try await makeLock().remainingDelay() == .seconds(1))
            clocks.pass(1)
        }
        let lock = makeLock()
        try await lock.unlock(passphrase: right)
        // The right one starts the count anew.
        #expect(await code { try await lock.unlock(passphrase: wrong) } == .wrongPassphrase)
        #expect(try await lock.remainingDelay() == .zero)
    }

    @Test func aClockThatIsSetDoesNotShortenTheWait() async throws {
        let lock = makeLock()
        try await lock.enable(passphrase: right)
        for _ in 0..<5 {
            _ = try? await lock.unlock(passphrase: wrong)
            clocks.pass(try await lock.remainingDelay() == .seconds(60) ? 0 : 15)
        }
        #expect(try await lock.remainingDelay() == .seconds(60))
        clocks.setWall(back: -1_000_000)
        #expect(try await lock.remainingDelay() == .seconds(60))
        clocks.setWall(back: 5_000_000)
        #expect(try await lock.remainingDelay() == .seconds(60))
        clocks.pass(10)
        #expect(try await lock.remainingDelay() == .seconds(50))
        // A restart with a clock from before the failure: all of the wait again, and it does end.
        clocks.restart("two")
        clocks.setWall(back: 9_000_000)
        #expect(try await makeLock().remainingDelay() == .seconds(60))
        clocks.pass(25)
        #expect(try await makeLock().remainingDelay() == .seconds(35))
        clocks.setWall(back: -9_000_000)
        #expect(try await makeLock().remainingDelay() == .seconds(35))
        clocks.pass(35)
        try await makeLock().unlock(passphrase: right)
    }

    @Test func theTimeOfARestartCounts() async throws {
        let lock = makeLock()
        try await lock.enable(passphrase: right)
        for _ in 0..<3 { _ = try? await lock.unlock(passphrase: wrong) }
        clocks.pass(2)
        clocks.restart("two")
        #expect(try await makeLock().remainingDelay() == .seconds(3))
        clocks.pass(3)
        try await makeLock().unlock(passphrase: right)
    }

    /// The pure part against what it is meant to do, for any order of events.
    @Test func neverMoreAttemptsThanTheDelaysAllow() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var failures = AppLockFailures()
            var time = AppLockTime(boot: "0", uptime: 50, wall: 1_000_000)
            var (waited, required) = (0.0, 0.0)
            for step in 0..<60 {
                let passed = Double.random(in: 0...30, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: time.wall -= Double.random(in: 0...100_000, using: &generator)
                case 1:
                    time.boot = "\(step)"
                    time.uptime = 0
                default:
                    time.uptime += passed
                    time.wall += passed
                    waited += passed
                }
                failures.settle(at: time)
                guard failures.remaining(at: time) == 0 else { continue }
                #expect(waited >= required - 1e-6, "seed \(seed), step \(step): \(failures.count) failures")
                failures.begin(at: time)
                (waited, required) = (0, failures.delay)
            }
        }
    }

    @Test func anAttemptIsCountedBeforeItIsLookedAt() {
        var failures = AppLockFailures()
        let now = AppLockTime(boot: "one", uptime: 1, wall: 1)
        for count in 1...3 {
            failures.begin(at: now)
            #expect(failures.count == count)
        }
        #expect(failures.remaining(at: now) == 5)
        failures.succeed()
        #expect(failures == AppLockFailures())
    }

    @Test func aDamagedOrInsecureFileStaysLocked() async throws {
        let lock = makeLock()
        try await lock.enable(passphrase: right)
        let bytes = try folder.bytes("lock")
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for count in [0, 1, bytes.count / 2, bytes.count - 1] {
            try folder.write(Array(bytes.prefix(count)), to: "lock")
            #expect(await code { try await makeLock().requireUnlocked() } == .damaged)
            #expect(await code { try await makeLock().unlock(passphrase: right) } == .damaged)
        }
        for round in 0..<200 {
            var changed = bytes
            changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            try folder.write(changed, to: "lock")
            let result = await code { try await makeLock().requireUnlocked() }
            #expect([.damaged, .locked].contains(result), "seed \(seed), round \(round)")
        }
        try folder.write(bytes, to: "lock", mode: 0o644)
        #expect(await code { try await makeLock().requireUnlocked() } == .insecureFile)
    }

    @Test func aStoreBehindTheLockGivesNothingAway() async throws {
        let lock = makeLock()
        try await lock.enable(passphrase: right)
        let store = LockedSecretStore(InMemorySecretStore(), lock: lock)
        let name = try SecretName(service: "service", account: "ada")
        try await store.set(Sensitive(utf8: "value"), for: name)
        await lock.lock()
        let calls: [() async throws -> Void] = [
            { try await store.set(Sensitive(utf8: "other"), for: name) }, { _ = try await store.value(for: name) },
            { _ = try await store.delete(name) }, { _ = try await store.names(service: nil) },
        ]
        for call in calls {
            await #expect {
                try await call()
            } throws: {
                ($0 as? SecretStoreError)?.code == .locked
            }
        }
        try await lock.unlock(passphrase: right)
        #expect(try await store.value(for: name)?.withExposed { $0 } == utf8("value"))
    }

    @Test(arguments: SecretStoreContract.checks)
    func anOpenLockChangesNothing(_ check: SecretStoreContract.Check) async throws {
        try await check.run(LockedSecretStore(InMemorySecretStore(), lock: makeLock()))
    }

    @Test func theMachinesClocksGoForward() {
        let (first, second) = (AppLockTime.now(), AppLockTime.now())
        #expect(second.uptime >= first.uptime)
        #expect(first.boot == second.boot && first.boot.count == 36)
        #expect(abs(first.wall - Date().timeIntervalSince1970) < 60)
    }
}
