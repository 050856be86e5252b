// SPDX-License-Identifier: MIT
import AudioKitLinux
import Testing

@Suite struct AudioSessionTests {
    private let lost = AudioError(.unplugged, "Gone.")

    @Test func theWaitsDoubleUpToTheirLimit() {
        let recovery = AudioRecovery(reopens: true, firstDelay: .milliseconds(100), maximumDelay: .milliseconds(500))
        var session = AudioSession(device: .alsa("hw:0"), recovery: recovery)
        var waits: [Duration] = []
        for step in 0..<5 {
            guard case .open(let device, let wait) = session.failed(lost, at: .seconds(step)).0 else { break }
            #expect(device.name == "hw:0")
            waits.append(wait)
        }
        #expect(waits == [100, 200, 400, 500, 500].map { .milliseconds($0) })
    }

    @Test func theFallbackIsTriedInTurn() {
        var recovery = AudioRecovery.reopen
        recovery.fallback = .alsa("default")
        recovery.triesBeforeFallback = 2
        var session = AudioSession(device: .alsa("hw:0"), recovery: recovery)
        var names: [String] = []
        for step in 0..<6 {
            if case .open(let device, _) = session.failed(lost, at: .seconds(step)).0 { names.append(device.name) }
        }
        #expect(names == ["hw:0", "hw:0", "default", "hw:0", "hw:0", "default"])
        let events = session.opened(.alsa("default"), lostFrames: 7)
        #expect(events.count == 2 && session.route == "default")
        guard case .routeChanged("hw:0", "default") = events[0],
            case .interruptionEnded(.deviceLost, lostFrames: 7) = events[1], case .active = session.state
        else {
            Issue.record("\(events) \(session.state)")
            return
        }
    }

    @Test func itGivesUpWhenToldTo() {
        var never = AudioSession(device: .default, recovery: .never)
        guard case .end(let error) = never.failed(lost, at: .zero).0 else {
            Issue.record("it goes on")
            return
        }
        #expect(error.code == .unplugged)
        var recovery = AudioRecovery.reopen
        recovery.giveUpAfter = .seconds(10)
        var session = AudioSession(device: .default, recovery: recovery)
        guard case .open = session.failed(lost, at: .seconds(100)).0,
            case .open = session.failed(lost, at: .seconds(109)).0,
            case .end = session.failed(lost, at: .seconds(110)).0, case .gone = session.state
        else {
            Issue.record("\(session.state)")
            return
        }
        #expect(session.interrupted(by: .xrun).isEmpty && session.opened(.default, lostFrames: 0).isEmpty)
    }

    @Test func aShortInterruptionBeginsAndEnds() {
        var session = AudioSession(device: .default, recovery: .never)
        #expect(session.resumed(lostFrames: 1).isEmpty)
        #expect(session.interrupted(by: .suspend).count == 1 && session.interrupted(by: .xrun).isEmpty)
        guard case .interruptionEnded(.suspend, lostFrames: 5)? = session.resumed(lostFrames: 5).first else {
            Issue.record("\(session.state)")
            return
        }
    }
}
