// SPDX-License-Identifier: MIT

import Networking

@testable import Echo

/// Something that goes wrong, by name.
enum WorldFault: Hashable, CaseIterable {
    case normalClose, goingAway, abnormal, internalError, restart, tryAgain, refusal
    case expired, serverError, oddError
    case stall, stallAndBreak, garbage
    case reconnectBroken, reconnectRefusedForNow, reconnectSlow
    case deviceVanishes, microphoneMuted
    case interrupt, typed
    case budgetUsedUp, deviceFails, switchFails

    static let codes: [WebSocketCloseCode] = [
        .normal, .goingAway, .abnormal, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    /// Whether no session can come after it.
    var isFatal: Bool { self == .refusal }

    /// The requests to continue in text that have to follow.
    func fallbacks(_ world: VoiceWorld) -> [String] {
        switch self {
        case .budgetUsedUp: ["budget"]
        case .deviceFails: ["device"]
        default: world.isGivenUp ? ["session"] : []
        }
    }

    func strike(_ world: VoiceWorld) {
        let session = world.machine.lifecycle.session.flatMap { world.sessions[$0] }
        switch self {
        case .normalClose: world.breakDown(session, .normal)
        case .goingAway: world.breakDown(session, .goingAway)
        case .abnormal: world.breakDown(session, .abnormal)
        case .internalError: world.breakDown(session, .internalError)
        case .restart: world.breakDown(session, .serviceRestart)
        case .tryAgain: world.breakDown(session, .tryAgainLater)
        case .refusal: world.breakDown(session, .policyViolation)
        case .expired: if let session { world.end(session) }
        case .serverError:
            session?.tell(
                .error(APIFailure(type: "server_error", message: "The server had an error."), clientEventID: nil))
        case .oddError: session?.tell(.error(APIFailure(code: "odd", message: "Odd."), clientEventID: nil))
        case .stall: if let session { world.stall(session, 4_000_000, breaks: false) }
        case .stallAndBreak: if let session { world.stall(session, 6_000_000, breaks: true) }
        case .garbage: if let session { world.garble(session) }
        case .reconnectBroken:
            world.connectFaults += [.broken, .broken, .broken]
            world.breakDown(session, .abnormal)
        case .reconnectRefusedForNow:
            world.connectFaults += [.refused(503), .refused(429)]
            world.breakDown(session, .abnormal)
        case .reconnectSlow:
            world.connectFaults += [.slow]
            world.breakDown(session, .abnormal)
        case .deviceVanishes: world.vanish(2_000_000)
        case .microphoneMuted:
            world.isDeaf = true
            world.after(700_000) { [unowned world] in world.isDeaf = false }
        case .interrupt: world.interrupt()
        case .typed: world.type()
        case .budgetUsedUp: world.spend(100)
        case .deviceFails: world.input(.deviceFailed("unplugged"))
        case .switchFails: world.failToSwitch()
        }
    }
}

extension VoiceFallback {
    var kind: String {
        switch self {
        case .budget: "budget"
        case .failure(.device): "device"
        case .failure(.session): "session"
        case .failure(let failure): "\(failure)"
        }
    }
}

extension VoiceWorld {
    /// The connection ends; it is noticed a moment later.
    func breakDown(_ session: WorldSession?, _ code: WebSocketCloseCode) {
        guard let session, !session.isOver else { return }
        note("! session \(session.number) breaks: \(code)")
        over(session)
        after(random(in: 1_000...80_000)) { [unowned self] in
            if !closedSessions.contains(session.number) {
                input(.failed(session.number, SessionLifecycle.Failure(code, reason: "")))
            }
        }
    }

    /// The service ends it as at the end of its age.
    func end(_ session: WorldSession) {
        session.tell(.error(APIFailure(code: "session_expired", message: "Over."), clientEventID: nil))
        after(max(session.lastDown - now, 0) + 1) { [unowned self] in breakDown(session, .normal) }
    }

    /// Nothing gets through for a while; then all of it, or the connection is found to be broken.
    func stall(_ session: WorldSession, _ time: Int, breaks: Bool) {
        note("! session \(session.number) stalls for \(time)")
        session.stalledUntil = now + time
        if breaks { after(time - 1) { [unowned self] in breakDown(session, .abnormal) } }
    }

    /// The device's clock stands still for a while.
    func vanish(_ time: Int) {
        guard !device.isStopped else { return }
        note("! the device vanishes for \(time)")
        hear()
        device.stop(true, at: now)
        after(time) { [unowned self] in device.stop(false, at: now) }
    }

    /// What no service should say.
    func garble(_ session: WorldSession) {
        let nowhere = AnswerPlace(responseID: "ghost", itemID: "ghost", outputIndex: -1, contentIndex: .min)
        session.tell(.unknown(type: "response.new_thing", .null))
        session.tell(.transcriptCompleted(RealtimeTranscript(itemID: "", contentIndex: .max, text: "")))
        session.tell(.itemDeleted(id: "ghost"))
        session.tell(.itemTruncated(id: "ghost", contentIndex: -1, audioEnd: .min))
        session.tell(.responseDone(RealtimeResponse(id: "", status: ResponseStatus(rawValue: "?"))))
        session.tell(.audioDone(nowhere))
        session.tell(.audioTranscriptDone(nowhere, transcript: ""))
        session.tell(.error(APIFailure(message: ""), clientEventID: ""))
        session.tell(.rateLimits([RealtimeRateLimit(name: "", limit: -1, remaining: .min, resetSeconds: -.infinity)]))
        session.tell(.idleTimeout(itemID: "", audioStart: .min, audioEnd: .max))
        session.tell(.functionArgumentsDelta(nowhere, callID: "", delta: "{"))
    }
}
