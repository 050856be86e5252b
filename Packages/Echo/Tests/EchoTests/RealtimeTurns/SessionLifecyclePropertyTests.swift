// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Echo

@Suite("A conversation over sessions that break and end")
struct SessionLifecyclePropertyTests {
    private struct Run {
        var lifecycle: SessionLifecycle
        var record = RecordedSession(mode: .manual)
        var lines = LossyLines()
        var connecting: [Int] = []
        var now = Duration.zero
        var isOver = false
        /// All that the user said, turn by turn, and what is not a turn yet.
        var said: [[UInt8]] = []
        var saying: [UInt8] = []
        var counter: UInt8 = 0

        mutating func take(_ actions: [SessionLifecycle.Action]) {
            for action in actions {
                switch action {
                case .connect(let session): connecting.append(session)
                case .use(let session): for event in record.replay() { lines.sessions[session]?.up.append(event) }
                case .close(let session): lines.breakDown(session)
                case .giveUp: isOver = true
                case .started, .status: break
                }
            }
        }

        mutating func handle(_ event: SessionLifecycle.Event) { take(lifecycle.handle(event, at: now)) }

        mutating func send(_ event: ClientEvent.Detail) {
            record.send(event)
            guard let session = lifecycle.session, lines.sessions[session]?.isBroken == false else { return }
            lines.sessions[session]?.up.append(event)
        }

        mutating func connect(_ session: Int) {
            connecting.removeAll { $0 == session }
            lines.sessions[session] = LossyLines.Session(openedAt: now)
            handle(.opened(session))
        }

        mutating func deliver() {
            guard let session = lifecycle.session, var down = lines.sessions[session]?.down, !down.isEmpty else {
                return
            }
            record.receive(down.removeFirst())
            lines.sessions[session]?.down = down
        }

        mutating func speak() {
            counter &+= 1
            saying.append(counter)
            send(.inputAudioAppend([counter]))
        }

        mutating func endTurn() {
            guard !saying.isEmpty else { return }
            said.append(saying)
            saying = []
            send(.inputAudioCommit)
        }

        mutating func type() {
            counter &+= 1
            said.append([counter])
            send(
                .itemCreate(.message(MessageItem(id: "t\(said.count)", role: .user, text: "\(counter)")), at: .end))
        }
    }

    private func run(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var run = Run(lifecycle: SessionLifecycle(startAttempts: 8, seed: seed))
        run.handle(.start)
        let isSlow = Bool.random(using: &random)
        for _ in 0..<200 {
            run.now += .milliseconds(Int.random(in: 0...(isSlow ? 60_000 : 300), using: &random))
            run.take(run.lifecycle.advance(to: run.now))
            let session = run.lifecycle.session ?? 0
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<5: run.speak()
            case 5: run.endTurn()
            case 6: if run.saying.isEmpty { run.type() }
            case 7..<12: run.lines.receive(session)
            case 12..<16: run.deliver()
            case 16: run.lines.transcribe(session)
            case 17: run.lines.answer(session, whole: Bool.random(using: &random))
            case 18: run.handle(Bool.random(using: &random) ? .turnBegan : .turnEnded)
            case 19 where Int.random(in: 0..<3, using: &random) == 0: run.lines.breakDown(session)
            case 20:
                if run.lines.sessions[session]?.isBroken == true {
                    run.handle(.failed(session, .broken(retryAfter: nil)))
                }
            default:
                guard let next = run.connecting.randomElement(using: &random) else { break }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    run.connecting.removeAll { $0 == next }
                    run.handle(.failed(next, .broken(retryAfter: nil)))
                } else {
                    run.connect(next)
                }
            }
            // Every session ends at its hour.
            for (number, open) in run.lines.sessions where open.openedAt + .seconds(3_600) <= run.now {
                run.lines.breakDown(number)
            }
            if run.isOver {
                run.isOver = false
                run.handle(.start)
            }
        }
        // The network is well again.
        for _ in 0..<2_000 {
            run.now += .milliseconds(10)
            run.take(run.lifecycle.advance(to: run.now))
            if let session = run.lifecycle.session, run.lines.sessions[session]?.isBroken == true {
                run.handle(.failed(session, .broken(retryAfter: nil)))
            }
            if run.lifecycle.session == nil, let next = run.connecting.last { run.connect(next) }
            if run.isOver {
                run.isOver = false
                run.handle(.start)
            }
            run.lines.receive(run.lifecycle.session ?? 0)
            run.deliver()
        }
        let last = try #require(run.lifecycle.session.flatMap { run.lines.sessions[$0] }, "seed \(seed)")
        let heard = last.items.map(\.words).filter { !$0.isEmpty }
        try #require(heard == run.said, "seed \(seed): \(heard) \(run.said)")
        try #require(last.buffer == run.saying, "seed \(seed)")
        try #require(Set(last.items.map(\.id)).count == last.items.count, "seed \(seed)")
    }

    @Test(
        "No turn is lost, doubled or out of order, and no sound of an unfinished one",
        arguments: 0..<20 as Range<UInt64>)
    func random(part: UInt64) async throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 {
            try run(seed: part << 32 + seed)
            // Tests in real time need the few threads that all tasks share.
            await disturbOrder()
        }
    }
}
