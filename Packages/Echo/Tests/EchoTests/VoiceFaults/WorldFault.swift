// SPDX-License-Identifier: MIT

import Networking
import StructuredJSON

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

    static func error(_ type: String, code: String?, _ message: String) -> JSONValue {
        [
            "type": "error",
            "error": [
                "type": .string(type), "code": code.map(JSONValue.string) ?? .null, "message": .string(message),
            ],
        ]
    }

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
        case .expired: session?.expire()
        case .serverError:
            session?.say(Self.error("server_error", code: nil, "The server had an error."))
        case .oddError: session?.say(Self.error("invalid_request_error", code: "odd", "Odd."))
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
    func breakDown(_ session: WorldLine?, _ code: WebSocketCloseCode) {
        guard let session, !session.isOver else { return }
        note("! session \(session.number) breaks: \(code)")
        over(session)
        after(random(in: 1_000...80_000)) { [unowned self] in
            if !closedSessions.contains(session.number) {
                input(.failed(session.number, SessionLifecycle.Failure(code, reason: "")))
            }
        }
    }

    /// Nothing gets through for a while; then all of it, or the connection is found to be broken.
    func stall(_ session: WorldLine, _ time: Int, breaks: Bool) {
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
    func garble(_ session: WorldLine) {
        let nowhere: JSONObject = [
            "response_id": "ghost", "item_id": "ghost", "output_index": -1, "content_index": .integer(.min),
        ]
        func say(_ type: String, _ fields: JSONObject = [:]) {
            var event: JSONObject = ["type": .string(type)]
            for (name, value) in fields { event[name] = value }
            session.say(.object(event))
        }
        say("response.new_thing")
        say(
            "conversation.item.input_audio_transcription.completed",
            ["item_id": "", "content_index": .integer(.max), "transcript": ""])
        say("conversation.item.deleted", ["item_id": "ghost"])
        say(
            "conversation.item.truncated",
            ["item_id": "ghost", "content_index": -1, "audio_end_ms": .integer(.min)])
        say("response.done", ["response": ["id": "", "status": "?"]])
        say("response.output_audio.done", nowhere)
        say("response.output_audio_transcript.done", ["item_id": "ghost", "transcript": ""])
        say("error", ["error": ["message": "", "event_id": ""]])
        say(
            "rate_limits.updated",
            ["rate_limits": [["name": "", "limit": -1, "remaining": .integer(.min), "reset_seconds": -1e308]]])
        say(
            "input_audio_buffer.timeout_triggered",
            ["item_id": "", "audio_start_ms": .integer(.min), "audio_end_ms": .integer(.max)])
        say("response.function_call_arguments.delta", ["item_id": "ghost", "call_id": "", "delta": "{"])
    }
}
