// SPDX-License-Identifier: MIT

/// Requests for answers, on their way to the gate.
extension VoiceMachine {
    /// Requests an answer, once the server knows how much of the last one was heard, and the rate limits allow it.
    mutating func request(_ request: ResponseGate.Request, at now: Duration) {
        deferred.append(request)
        sendDeferred(at: now)
    }

    /// Sends the requests that need not wait any more, in order.
    mutating func sendDeferred(at now: Duration) {
        while !playback.isCutting, let request = deferred.first {
            if let paceEnd {
                guard paceEnd <= now else { return }
                self.paceEnd = nil
            } else if let wait = rates.take(tokens: expectedTokens, at: now) {
                emit(.rateLimited(wait))
                guard wait.isTooLong else {
                    paceEnd = now + wait.duration
                    return
                }
                deferred.removeFirst()
                refuse(request, at: now)
                continue
            }
            rates.answered(tokens: expectedTokens)
            if paid.count > 64 { paid = [] }
            paid.insert(request.id)
            deferred.removeFirst()
            updateGate(.request(request), at: now)
        }
    }

    /// Drops the requests that wait.
    mutating func dropDeferred() {
        for request in deferred { resolve(request.id, nil) }
        deferred = []
        guard paceEnd != nil else { return }
        paceEnd = nil
        rates.giveBack(tokens: expectedTokens)
    }

    private mutating func refuse(_ request: ResponseGate.Request, at now: Duration) {
        if turnWaits.contains(where: { $0.request == request.id }) {
            resolve(request.id, .rateLimited)
        } else if gate.activeResponseID == nil {
            // The results of calls stay without an answer, and the turn ends with them.
            updateTurns(.answerEnded, at: now)
            for index in turnWaits.indices where turnWaits[index].isResolved { turnWaits[index].failure = .rateLimited }
        }
        actions.append(.report(.rateLimited))
    }

    /// Follows the server's rate limits.
    mutating func follow(_ limits: [RealtimeRateLimit], at now: Duration) {
        for limit in limits {
            rates.note(
                RateLimitWait.Limit(rawValue: limit.name), count: limit.limit, remaining: limit.remaining,
                reset: limit.resetSeconds.map { .seconds(min(max($0, 0), 1e8)) }, at: now)
        }
    }

    /// Counts an answer's tokens against the program's own limit.
    mutating func charge(_ usage: Usage, at now: Duration) {
        let total = min(usage.totalTokens, 1 << 40)
        // The last estimate was charged with the request.
        rates.charge(tokens: total - expectedTokens, at: now)
        expectedTokens = total
    }
}
