// SPDX-License-Identifier: MIT

import Concurrency

extension SessionLifecycle {
    mutating func open(at now: Duration, _ actions: inout [Action]) {
        lastSession += 1
        opening = (lastSession, now)
        actions.append(.connect(lastSession))
    }

    mutating func opened(_ session: Int, at now: Duration, _ actions: inout [Action]) {
        guard !isOver, opening?.session == session else {
            // The attempt was given up meanwhile.
            if session != current?.session, session != spare { actions.append(.close(session)) }
            return
        }
        opening = nil
        if current == nil || !isTurnActive {
            use(session, at: now, &actions)
        } else {
            spare = session
        }
    }

    mutating func use(_ session: Int, at now: Duration, _ actions: inout [Action]) {
        let old = current?.session
        let wasConnected = old != nil
        spare = nil
        current = (session, now)
        cannotReplace = false
        if !hasConnected { actions.append(.started) }
        hasConnected = true
        actions.append(.use(session))
        if let old { actions.append(.close(old)) }
        if !wasConnected { actions.append(.status(.connected)) }
    }

    mutating func failed(_ session: Int, _ failure: Failure, at now: Duration, _ actions: inout [Action]) {
        guard !isOver else { return }
        if session == current?.session {
            lost(failure, at: now, &actions)
        } else if session == spare {
            spare = nil
            again(failure, at: now, &actions)
        } else if session == opening?.session {
            opening = nil
            again(failure, at: now, &actions)
        }
    }

    private mutating func lost(_ failure: Failure, at now: Duration, _ actions: inout [Action]) {
        if let since = current?.since { attempts = since + limits.stable <= now ? 0 : attempts + 1 }
        current = nil
        actions.append(.status(.reconnecting))
        if let spare {
            use(spare, at: now, &actions)
        } else if opening == nil, retry == nil {
            if case .refused = failure { return giveUp(failure, &actions) }
            if attempts >= limits.attempts { return giveUp(failure, &actions) }
            if attempts == 0 { open(at: now, &actions) } else { pause(failure, at: now) }
        }
    }

    private mutating func again(_ failure: Failure, at now: Duration, _ actions: inout [Action]) {
        attempts += 1
        let limit = hasConnected ? limits.attempts : min(startAttempts, limits.attempts)
        let isHopeless = if case .refused = failure { true } else { attempts >= limit }
        if !isHopeless {
            pause(failure, at: now)
        } else if current == nil {
            giveUp(failure, &actions)
        } else {
            // The current session continues as long as it can.
            cannotReplace = true
        }
    }

    /// Waits for a random time in the upper half of a limit that doubles.
    private mutating func pause(_ failure: Failure, at now: Duration) {
        let backoff = Backoff(first: limits.firstPause, longest: limits.longestPause, jitter: .half)
        var pause = backoff.delay(afterFailures: attempts, chance: Double.random(in: 0...1, using: &random))
        if case .broken(let asked?) = failure { pause = max(pause, min(asked, .seconds(60))) }
        retry = now + pause
    }

    private mutating func giveUp(_ failure: Failure, _ actions: inout [Action]) {
        isOver = true
        actions += [.status(.disconnected), .giveUp(failure)]
    }

    mutating func stop(_ actions: inout [Action]) {
        guard !isOver else { return }
        for session in [current?.session, opening?.session, spare].compactMap({ $0 }) {
            actions.append(.close(session))
        }
        isOver = true
        current = nil
        opening = nil
        spare = nil
        retry = nil
        actions.append(.status(.disconnected))
    }
}
