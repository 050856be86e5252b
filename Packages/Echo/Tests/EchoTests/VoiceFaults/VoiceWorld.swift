// SPDX-License-Identifier: MIT

import TestKit

@testable import Echo

/// A voice machine in a virtual world of service, device and user, in virtual time: the same for the same seed.
///
/// Times are microseconds since the beginning.
final class VoiceWorld {
    /// Refusals that come of two things being on their way at once.
    struct Races {
        var busy = 0
        var deletes = 0
        var truncates = 0
        var cancels = 0
    }

    private struct Event {
        var time: Int
        var number: Int
        var run: () -> Void
    }

    let seed: UInt64
    var plan: WorldPlan
    var generator: SeededGenerator
    var now = 0
    var machine: VoiceMachine
    var records = WorldRecords()
    var messages = WorldMessages()
    var device: WorldDevice
    var sessions: [Int: WorldLine] = [:]
    /// How the next attempts to connect end; then they succeed.
    var connectFaults: [WorldConnectFault] = []
    var races = Races()
    var checks = WorldChecks()
    private(set) var failures: [String] = []
    private var events: [Event] = []
    private var counted = 0
    /// What happened last, for a failure's message.
    private(set) var trace: [String] = []
    var tracesAll = false

    // The program.
    var commands: [Int: Int] = [:]
    var lastCommand = 0
    var toolsRunning = 0
    var isGivenUp = false
    /// The money that was spent, and each request to continue in text.
    var spent = 0.0
    var fallbacks: [VoiceFallback] = []
    var isStopped = false
    var status = ConnectionStatus.disconnected
    var closedSessions: Set<Int> = []

    // The user and the device.
    var speaking: (utterance: Int, left: Int, block: Int)?
    var isDeaf = false
    var isFlushing = false
    var playsAfterFlush: [[UInt8]] = []
    var reportedFrames = 0

    init(plan: WorldPlan, seed: UInt64) {
        self.plan = plan
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        device = WorldDevice(delay: plan.deviceDelay)
        connectFaults = plan.connectFaults
        machine = VoiceMachine(configuration: plan.configuration(seed: seed), history: [], knownMessages: [])
        input(.start)
        after(plan.period) { [unowned self] in tick() }
    }

    // MARK: Chance and time

    func random(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    func chance(_ percent: Int) -> Bool { percent > 0 && Int.random(in: 0..<100, using: &generator) < percent }

    /// What happens later. What is due at the same time happens in the order of its being planned.
    func after(_ delay: Int, _ run: @escaping () -> Void) {
        counted += 1
        events.append(Event(time: now + delay, number: counted, run: run))
        var index = events.count - 1
        while index > 0, isBefore(events[index], events[(index - 1) / 2]) {
            events.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func isBefore(_ first: Event, _ second: Event) -> Bool {
        (first.time, first.number) < (second.time, second.number)
    }

    private func pop() -> Event {
        let top = events[0]
        let last = events.removeLast()
        guard !events.isEmpty else { return top }
        events[0] = last
        var index = 0
        while true {
            var least = index
            for child in [index * 2 + 1, index * 2 + 2]
            where child < events.count && isBefore(events[child], events[least]) {
                least = child
            }
            guard least != index else { return top }
            events.swapAt(index, least)
            index = least
        }
    }

    /// Lets time pass.
    func run(_ span: Int, while goesOn: () -> Bool = { true }) {
        let end = now + span
        while goesOn(), failures.isEmpty {
            let deadline = machine.deadline.map(Self.microseconds) ?? .max
            let next = min(events[0].time, max(deadline, now))
            guard next <= end else { break }
            now = next
            if deadline <= now { advance() } else { pop().run() }
        }
        if goesOn(), failures.isEmpty { now = end }
    }

    /// Rounded up.
    static func microseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000_000 + Int((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }

    // MARK: The machine

    var time: Duration { .microseconds(now) }

    func input(_ input: VoiceInput) {
        if tracesAll || !Self.isUsual(input) { note("→ \(Self.short(input))") }
        take(machine.handle(input, at: time))
    }

    private func advance() {
        note("… due")
        take(machine.advance(to: time))
        if let deadline = machine.deadline, Self.microseconds(deadline) <= now {
            fail("the machine has something to do at \(deadline), which it did not do at \(time)")
        }
    }

    func fail(_ problem: String) {
        failures.append("\(problem), after \(time)")
    }

    func note(_ line: @autoclosure () -> String) {
        guard tracesAll else { return }
        trace.append("\(Double(now) / 1_000_000) \(line())")
    }

    private static func isUsual(_ input: VoiceInput) -> Bool {
        switch input {
        case .captured, .heard: true
        default: false
        }
    }

    static func short(_ value: Any) -> String {
        let text = "\(value)"
        return text.count > 300 ? "\(text.prefix(200))…\(text.suffix(60))" : text
    }
}
