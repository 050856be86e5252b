// SPDX-License-Identifier: MIT

@testable import Echo

/// What the user and the program do.
extension VoiceWorld {
    /// The user speaks, or coughs; nothing happens while the user is speaking already.
    func speak(_ milliseconds: Int, hasWords: Bool = true) {
        guard speaking == nil else { return }
        records.utterances.append(WorldRecords.Utterance(hasWords: hasWords))
        let blocks = min(max(milliseconds * 1_000 / plan.period, 1), 127)
        speaking = (records.utterances.count - 1, blocks, 0)
        note(
            "user \(hasWords ? "says" : "coughs") \(records.utterances.count - 1) for \(blocks * plan.period / 1_000) ms"
        )
        if plan.localVoice { after(40_000) { [unowned self] in input(.voice(true)) } }
    }

    /// The user writes.
    func type() {
        let id = records.name("typed")
        // Calls that wait for the program come first.
        if machine.pendingCalls.isEmpty { checks.typed.append(id) }
        command { .say($0, id: id, text: "text of \(id)") }
    }

    func interrupt() {
        excuseEverything()
        command { .interrupt($0) }
    }

    func command(_ make: (Int) -> VoiceCommand) {
        lastCommand += 1
        commands[lastCommand] = now
        input(.command(make(lastCommand)))
    }

    /// The program carries out a call, unless it was answered as interrupted meanwhile.
    func runForProgram(_ call: ToolCall) {
        toolsRunning += 1
        after(random(in: plan.toolTime)) { [unowned self] in
            toolsRunning -= 1
            guard machine.pendingCalls.contains(where: { $0.id == call.id }) else { return }
            command { .submit($0, [ToolResult(callID: call.id, output: "It is so.")]) }
        }
    }

    /// Another engine is made, which fails.
    func failToSwitch() {
        excuseEverything()
        command { .windUp($0, within: .milliseconds(800)) }
        after(900_000) { [unowned self] in input(.command(.goOn)) }
    }

    /// Holds the button while speaking.
    func press(_ milliseconds: Int) {
        guard speaking == nil, !checks.isPressed else { return }
        checks.isPressed = true
        input(.command(.beginTurn))
        speak(milliseconds)
        let blocks = speaking?.left ?? 1
        after(blocks * plan.period + random(in: 1_000...plan.period * 4)) { [unowned self] in
            checks.isPressed = false
            input(.command(.endTurn))
        }
    }

    /// One thing by chance.
    func act() {
        switch random(in: 0...19) {
        case 0...8:
            if plan.isAutomatic { speak(random(in: 200...2_400)) } else { press(random(in: 200...2_400)) }
        case 9...11: if plan.isAutomatic { speak(random(in: 80...500), hasWords: false) }
        case 12, 13: type()
        case 14: interrupt()
        case 15: input(.command(.tools([])))
        case 16:
            if plan.localVoice {
                input(.voice(true))
                after(random(in: 10_000...2_000_000)) { [unowned self] in input(.voice(false)) }
            }
        default: break
        }
    }

    /// One thing goes wrong by chance.
    func suffer() {
        let session = machine.lifecycle.session.flatMap { sessions[$0] }
        switch random(in: 0...8) {
        case 0, 1:
            if let session { breakDown(session, WorldFault.codes[random(in: 0...WorldFault.codes.count - 1)]) }
        case 2: if let session { stall(session, random(in: 200_000...6_000_000), breaks: chance(40)) }
        case 3: if let session { garble(session) }
        case 4: connectFaults += [[.broken], [.refused(503)], [.slow], [.broken, .broken, .broken]][random(in: 0...3)]
        case 5: vanish(random(in: 100_000...3_000_000))
        case 6:
            isDeaf = true
            after(random(in: 100_000...1_000_000)) { [unowned self] in isDeaf = false }
        case 7:
            session?.say(WorldFault.error("invalid_request_error", code: "odd", "Odd."))
        default: session?.say(WorldFault.error("server_error", code: nil, "The server had an error."))
        }
    }
}
