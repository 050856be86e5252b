// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@testable import Auth

/// What must be true of a session, said again in the plainest way: a list of what happened.
private struct Oracle {
    var session: String?
    var token: (value: String, from: Duration, until: Duration)?
    var running: (attempt: Int, session: String)?
    var lastFailure: (at: Duration, wait: Duration)?
    var isAwaiting = false

    func state(_ now: Duration) -> SessionState {
        if session == nil { return isAwaiting ? .awaitingProof : .signedOut }
        if running != nil { return .refreshing }
        return token.map { now < $0.until } == true ? .signedIn : .expired
    }

    mutating func change(to new: String?) {
        session = new
        token = nil
        running = nil
        lastFailure = nil
    }
}

@Suite struct SessionStateMachineTests {
    @Test(arguments: 0..<200) func `any order of events agrees with the oracle`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var (machine, oracle) = (SessionStateMachine(), Oracle())
        var now = Duration.zero
        var (serial, begun) = (0, [(attempt: Int, session: String)]())
        for step in 0..<300 {
            now += .seconds(Int.random(in: 0..<40, using: &random))
            let lifetime = Duration.seconds(Int.random(in: 10..<200, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                serial += 1
                #expect(
                    machine.signedIn("s\(serial)", token: "t\(serial)", lifetime: lifetime, askedAt: now)
                        == [.signInSucceeded])
                oracle.change(to: "s\(serial)")
                oracle.isAwaiting = false
                oracle.token = ("t\(serial)", now, now + lifetime)
            case 1:
                let ended = Bool.random(using: &random) ? oracle.session ?? "none" : "s\(max(0, serial - 1))"
                let events = machine.signedOut(ended, .requested)
                #expect(events == (ended == oracle.session ? [.signedOut(.requested)] : []))
                if ended == oracle.session { oracle.change(to: nil) }
            case 2:
                #expect(machine.linkRequested() == [.linkRequested])
                oracle.isAwaiting = true
            case 3:
                machine.proofForgotten()
                oracle.isAwaiting = false
            case 4:
                let attempt = machine.refreshBegan()
                #expect((attempt != nil) == (oracle.session != nil && oracle.running == nil))
                if let attempt, let session = oracle.session {
                    #expect(begun.allSatisfy { $0.attempt != attempt })
                    begun.append((attempt, session))
                    oracle.running = (attempt, session)
                }
            case 5:
                guard let late = begun.randomElement(using: &random) else { continue }
                serial += 1
                let result = machine.refreshSucceeded(
                    late.attempt, token: "t\(serial)", lifetime: lifetime, askedAt: now)
                #expect((result != nil) == (oracle.running?.attempt == late.attempt), "seed \(seed), step \(step)")
                if oracle.running?.attempt == late.attempt {
                    #expect(result?.token == AccessToken(value: "t\(serial)", session: late.session))
                    #expect(late.session == oracle.session)
                    (oracle.running, oracle.lastFailure) = (nil, nil)
                    oracle.token = ("t\(serial)", now, now + lifetime)
                }
            case 6:
                guard let late = begun.randomElement(using: &random) else { continue }
                let wait: Duration? = Bool.random(using: &random) ? .seconds(30) : nil
                let events = machine.refreshFailed(late.attempt, .noNetwork, retryAfter: wait, now: now)
                #expect(events == (oracle.running?.attempt == late.attempt ? [.refreshFailed(.noNetwork)] : []))
                if oracle.running?.attempt == late.attempt {
                    oracle.running = nil
                    oracle.lastFailure = (now, wait ?? .seconds(1))
                }
            case 7:
                guard let late = begun.randomElement(using: &random) else { continue }
                let events = machine.refreshEnded(late.attempt, .endedByServer)
                #expect(events == (oracle.running?.attempt == late.attempt ? [.signedOut(.endedByServer)] : []))
                if oracle.running?.attempt == late.attempt { oracle.change(to: nil) }
            default:
                serial += 1
                let found = Bool.random(using: &random) ? "s\(serial)" : oracle.session
                let events = machine.restored(found, isAwaitingProof: oracle.isAwaiting)
                let isOther = found != oracle.session
                #expect(events == (isOther && oracle.session != nil ? [.signedOut(.elsewhere)] : []))
                if isOther { oracle.change(to: found) }
            }
            try agree(machine, oracle, now, "seed \(seed), step \(step)")
        }
    }

    private func agree(_ machine: SessionStateMachine, _ oracle: Oracle, _ now: Duration, _ place: Comment) throws {
        #expect(machine.state(now: now) == oracle.state(now), place)
        #expect(machine.session == oracle.session, place)
        let good = oracle.token.flatMap { now < $0.until ? $0 : nil }
        #expect(machine.goodToken(now: now)?.value == good?.value, place)
        let maySoonAsk = oracle.lastFailure.map { now >= $0.at + $0.wait } ?? true
        switch machine.tokenNeeded(now: now) {
        case .none: #expect(oracle.session == nil, place)
        case .use(let token), .useAndRefresh(let token):
            #expect(token.value == good?.value && token.session == oracle.session, place)
        case .refresh: #expect(good == nil && (oracle.running != nil || maySoonAsk), place)
        case .wait: #expect(good == nil && oracle.running == nil && !maySoonAsk, place)
        }
        if let good, case .useAndRefresh = machine.tokenNeeded(now: now) {
            #expect(now >= good.until - .seconds(60) && oracle.running == nil && maySoonAsk, place)
        }
        #expect((machine.renewalTime == nil) == (oracle.session == nil || oracle.running != nil), place)
    }
}
