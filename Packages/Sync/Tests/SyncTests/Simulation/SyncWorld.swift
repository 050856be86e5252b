// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

@testable import Sync

/// Some devices of one person, the place between them, and everything that happens to them: a run that a seed decides.
///
/// It runs in one task. Devices meet in the middle of each other's rounds because each call of the place may let another
/// device do something first.
actor SyncWorld {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Crash: Error {}

    /// Ends the rounds of a device that lost its power in the midst of them, as other programs of it do.
    private struct PowerLoss: Error {}

    private var generator: SplitMix64
    let place = SimulatedPlace()
    var devices: [SimulatedDevice] = []
    private var depth = 0
    private var containers: [[UInt8]] = []
    var isCalm = false
    /// The events so far, for a person who looks at a failure.
    var diary: [String] = []
    /// In half of the worlds a device that was silent for 90 days keeps nobody from tidying up; there the place is honest.
    /// Both together are more than the format promises: a device that was away and is shown an old place removes another
    /// one with less than everybody else had.
    let silence: UInt64
    /// The misdeeds of the place, and the findings that named them.
    var injections: [Injection] = []
    private(set) var removals = 0

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        silence = seed % 2 == 0 ? 90 * 86_400_000 : .max
    }

    func run(steps: Int) async throws {
        let founder = try SimulatedDevice(name: "A", clock: 1_700_000_000_000)
        let recovery = try SecretKeys().publicKeys
        _ = try await founder.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: founder.keys, recovery: recovery, name: founder.name, tables)
        }
        devices.append(founder)
        place.state.withLock { $0.hasCursors = Bool.random(using: &generator) }
        try await round(of: founder)
        for _ in 1..<Int.random(in: 2...4, using: &generator) { try await addDevice() }
        for _ in 0..<steps { try await step() }
        try await checkNoticed()
        try await calm()
        try check()
    }

    // MARK: Steps

    private func chance(_ probability: Double) -> Bool {
        Double(generator.next() >> 11) * 0x1p-53 < probability
    }

    private func step() async throws {
        guard let device = devices.filter({ !$0.mind.withLock { $0.isRevoked } }).randomElement(using: &generator)
        else {
            return
        }
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<40: try await edit(device)
        case 40..<75: try await round(of: device)
        case 75..<80: try crash(device)
        case 80..<84: moveClock(of: device)
        case 84..<87: if devices.count < 6 { try await addDevice() }
        case 87..<89: try await revoke(by: device)
        case 89..<94: misbehave()
        case 94..<96: place.state.withLock { $0.failures = Double(generator.next() % 30) / 100 }
        case 96..<98:
            place.state.withLock { state in
                state.isFull = Bool.random(using: &generator)
                state.isReadOnly = !state.isFull
            }
        default:
            device.storage.setFull(true)
            try await round(of: device)
            try await edit(device)
            device.storage.setFull(false)
        }
    }

    private func edit(_ device: SimulatedDevice) async throws {
        if containers.isEmpty || chance(0.1) {
            containers.append((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        guard let container = containers.randomElement(using: &generator) else { return }
        let title = SyncChange(
            SyncRecordKey(kind: 2, id: container), [SyncField(1, .last): word(), SyncField(2, .last): word()])
        let message = SyncChange(
            SyncRecordKey(kind: 3, id: container + (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }),
            [SyncField(1, .first): word()])
        let changes: [SyncChange] =
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: [.erasing(container)]
            case 1: [.erasing(message.record.id)]
            case 2..<8: [title]
            case 8..<11: [title, message]
            default: [message]
            }
        do {
            try await device.write(changes)
            diary.append("\(device.name) writes")
        } catch let error as SyncError where error.code == .notMember {
            diary.append("\(device.name) is told that it was removed")
        } catch is MemoryStorage.DiskFull {
            diary.append("\(device.name) cannot write: disk full")
        }
    }

    private func word() -> [UInt8] { Array("word \(generator.next() % 1_000)".utf8) }

    private func crash(_ device: SimulatedDevice) throws {
        diary.append("\(device.name) loses power")
        try device.crash(&generator)
    }

    private func moveClock(of device: SimulatedDevice) {
        let year: Int64 = 365 * 86_400_000
        let move = Int64.random(in: -year...year, using: &generator)
        device.mind.withLock { $0.clock += move }
        diary.append("\(device.name)'s clock moves by \(move / 86_400_000) days")
    }

    private func tick() { for device in devices { device.mind.withLock { $0.clock += Int64(generator.next() % 5) } } }

    // MARK: The group

    private func addDevice() async throws {
        let sponsors = devices.filter { !$0.mind.withLock { $0.isRevoked } }
        guard let sponsor = sponsors.randomElement(using: &generator) else { return }
        let new = try SimulatedDevice(
            name: String(UnicodeScalar(UInt8(65 + devices.count))), clock: sponsor.mind.withLock { $0.clock })
        let keys = new.keys.publicKeys
        do {
            let (group, founding) = try await sponsor.replica.write { replica, tables in
                guard replica.roster.membership.isActive(replica.device) else {
                    throw SyncError(code: .notMember, message: "")
                }
                try replica.change(.addition(keys, name: "device"), tables)
                return (replica.group, replica.roster.graph.records[replica.group]?.bytes ?? [])
            }
            try await new.storage.write(isDurable: true) { try Replica.join(group: group, founding: founding, $0) }
        } catch let error as SyncError where error.code == .notMember {
            return
        }
        diary.append("\(sponsor.name) adds \(new.name), \(new.id)")
        devices.append(new)
        // The two met at the place.
        place.state.withLock { $0.known[new.id] = $0.known[sponsor.id] }
    }

    private func revoke(by device: SimulatedDevice) async throws {
        let others = devices.filter { $0.id != device.id && !$0.mind.withLock { $0.isRevoked } }
        guard others.count >= 2, let target = others.randomElement(using: &generator) else { return }
        // As the program does: with everything that there is.
        guard try await round(of: device) else { return }
        let isDone = try await device.replica.write { replica, tables in
            guard replica.roster.membership.isActive(replica.device), replica.roster.membership.isActive(target.id)
            else {
                return false
            }
            try replica.change(.revocation(target.id), tables)
            return true
        }
        guard isDone else { return }
        removals += 1
        diary.append("\(device.name) revokes \(target.name)")
    }

    // MARK: The place

    private func misbehave() {
        guard silence == .max else { return }
        guard let kind = SimulatedPlace.Misbehaviour.allCases.randomElement(using: &generator),
            let victim = devices.randomElement(using: &generator)
        else { return }
        let names = place.misbehave(kind, to: victim.id, &generator)
        guard !names.isEmpty else { return }
        injections.append(Injection(kind: kind, names: names))
        diary.append("the place: \(kind) \(names.map(\.text))" + (kind == .split ? " to \(victim.name)" : ""))
    }

    func view(for device: SimulatedDevice) -> SimulatedPlace.View {
        let crashes = device.mind.withLock { $0.crashes }
        return SimulatedPlace.View(place: place, reader: device.id) {
            try await self.interrupt(device)
            guard device.mind.withLock({ $0.crashes }) == crashes else { throw PowerLoss() }
        } weather: {
            await self.weather()
        }
    }

    /// Objects arrive late, twice and in any order at an honest place, too.
    private func weather() -> SimulatedPlace.Weather {
        guard !isCalm else { return SimulatedPlace.Weather() }
        return SimulatedPlace.Weather(
            lag: chance(0.2) ? Int(generator.next() % 8) : 0, isDoubled: chance(0.2),
            order: chance(0.3) ? generator.next() : nil)
    }

    /// Something may happen before and after each call.
    private func interrupt(_ device: SimulatedDevice) async throws {
        tick()
        guard !isCalm else { return }
        let failures = place.state.withLock { $0.failures }
        if chance(failures) {
            if chance(0.3) { throw Crash() }
            throw SyncError(code: .unreachable, message: "The place is out of reach.")
        }
        if depth < 2, chance(0.1) {
            depth += 1
            defer { depth -= 1 }
            guard let other = devices.filter({ $0.id != device.id }).randomElement(using: &generator) else { return }
            if chance(0.5) { try await edit(other) } else { try await round(of: other) }
        }
    }

    /// True if it went through and found nothing.
    @discardableResult
    private func round(of device: SimulatedDevice) async throws -> Bool {
        do {
            let outcome = try await device.round(view(for: device), isWhole: chance(0.2), silence: silence)
            try note(outcome, of: device)
            diary.append("\(device.name) syncs: read \(outcome.read), wrote \(outcome.written) \(outcome.names)")
            return outcome.findings.isEmpty
        } catch is Crash {
            try crash(device)
        } catch is PowerLoss {
            diary.append("\(device.name) had lost power, and this exchange with it")
        } catch is MemoryStorage.DiskFull {
            diary.append("\(device.name) cannot sync: disk full")
        } catch let error as SyncError where [.unreachable, .full, .readOnly].contains(error.code) {
            diary.append("\(device.name) cannot sync: \(error.code)")
        }
        return false
    }

    // MARK: The end

    private func calm() async throws {
        isCalm = true
        place.heal()
        diary.append("everything is well")
        var quiet = 0
        for _ in 0..<50 {
            var isQuiet = true
            for device in devices {
                let outcome = try await device.round(view(for: device), isWhole: true, silence: silence)
                try note(outcome, of: device)
                if outcome.written > 0 || outcome.read > 0 {
                    isQuiet = false
                    diary.append(
                        "\(device.name) syncs: read \(outcome.read), wrote \(outcome.written) \(outcome.names)")
                }
            }
            quiet = isQuiet ? quiet + 1 : 0
            if quiet == 2 { return }
        }
        throw Failure(description: "the devices do not come to rest")
    }
}
