// SPDX-License-Identifier: MIT

import TestKit

@testable import Echo
@testable import EchoText

extension WireTalk {
    /// Returns when nothing is under way.
    func quiet() async throws {
        try await until("all is quiet") { [self] in
            guard await conversation.pendingMessages.isEmpty else { return false }
            guard let engine = conversation.current as? VoiceEngine else { return true }
            return await engine.isAtRest
        }
    }

    func until(_ what: String, _ isTrue: () async -> Bool) async throws {
        do {
            try await eventually(what) {
                await note()
                return await isTrue()
            }
        } catch {
            let engine = conversation.current as? VoiceEngine
            let state = await engine?.unrest ?? "text"
            let pending = await conversation.pendingMessages.map { "\($0.id) \($0.role) \($0.text)" }
            throw Stuck(description: "\(error); steps \(steps), pending \(pending), \(state)")
        }
    }

    /// Remembers what must be gone in the end.
    func note() async {
        guard let engine = conversation.current as? VoiceEngine else { return }
        if !engines.contains(where: { $0.object === engine }) { engines.append(Weak(object: engine)) }
        for session in await engine.sessions.values where !sessions.contains(where: { $0.object === session }) {
            sessions.append(Weak(object: session))
        }
    }

    /// What lives on of engines and sessions.
    var remains: Leftovers { Leftovers(engines: engines, sessions: sessions) }

    struct Leftovers {
        let engines: [Weak<VoiceEngine>]
        let sessions: [Weak<VoiceSession>]
        var isEmpty: Bool { engines.allSatisfy { $0.object == nil } && sessions.allSatisfy { $0.object == nil } }
    }

    struct Weak<Object: AnyObject> { weak var object: Object? }
}

extension VoiceEngine {
    /// Whether nothing is under way.
    fileprivate var isAtRest: Bool {
        guard !machine.isOver else { return phase != .running }
        return machine.isQuiet && machine.lifecycle.session != nil && !machine.order.awaitsTranscripts
            && machine.turns.uncommitted.isEmpty && sessions.values.allSatisfy { $0.deadline == nil }
            // After a session that broke, the next one has yet to hear it.
            && !WireSound.isLoud(machine.history.pending)
    }

    fileprivate var unrest: String {
        """
        quiet \(machine.isQuiet) over \(machine.isOver) phase \(phase) lifecycle \(machine.lifecycle) gate \
        \(machine.gate) turns \(machine.turns) answers \(machine.answers) calls \(machine.calls) \
        order \(machine.order.items) playing \(machine.playback.isActive) sayings \(machine.turnWaits) \
        deferred \(machine.deferred)
        """
    }
}
