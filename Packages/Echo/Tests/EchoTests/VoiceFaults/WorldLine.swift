// SPDX-License-Identifier: MIT

import Networking

@testable import Echo
@testable import EchoSimulator

/// The line to one session of EchoSimulator, in virtual time. JSON text passes on it, in both directions, as over a socket;
/// the simulator's own state decides what the service says.
final class WorldLine {
    let number: Int
    unowned let world: VoiceWorld
    /// The scenario, whose turns are made as they are used up.
    private let core = SimulatorCore(scenario: Scenario(), configuration: SimulatorConfiguration())
    private(set) var service: RealtimeSessionState
    private let openedAt: Int
    /// The times at which the service is woken.
    private var wakeups: Set<Int> = []
    /// Whether the service says and hears nothing more, and since when.
    private(set) var isOver = false
    private var overAt = 0
    /// When what was sent last arrives.
    var lastUp = 0
    var lastDown = 0
    /// Until when the line stands still.
    var stalledUntil = 0
    var notes = WorldNotes()

    init(number: Int, world: VoiceWorld) {
        self.number = number
        self.world = world
        openedAt = world.now
        var setup = RealtimeSessionState.Setup()
        setup.seed = world.seed &* 1_000_003 &+ UInt64(number)
        setup.limit = .microseconds(world.plan.expiry)
        setup.opening = Scenario.Turn(session: .init(transcribesItems: world.plan.transcribesItems))
        setup.take = core.sessionTurns()
        service = RealtimeSessionState(setup)
        // The client waits for the session before it is used.
        service.receive(ClientEvent(.sessionUpdate(world.machine.session), id: "session").json.text, at: .zero)
        for case .text(let text) in service.takeFrames() where text.contains(#""type":"error""#) {
            world.fail("the service refuses the session: \(text)")
        }
        refill()
        armWakeup()
    }

    private var age: Duration { .microseconds(world.now - openedAt) }

    // MARK: In

    /// An event of the client's arrives.
    func receive(_ event: ClientEvent, _ text: String) {
        note(event)
        service.receive(text, at: age)
        settle()
        notes.cause = nil
    }

    func expire() {
        service.interject(.expire, at: age)
        settle()
    }

    func end() {
        isOver = true
        overAt = world.now
    }

    // MARK: Out

    /// Lets the service say what it does not say by itself, as JSON.
    func say(_ event: JSONValue) {
        guard !isOver else { return }
        deliver(event.text)
    }

    /// Does all that is due.
    private func settle() {
        while true {
            let frames = service.takeFrames()
            for frame in frames { take(frame) }
            let jobs = service.takeJobs()
            for job in jobs { perform(job) }
            if !frames.isEmpty || !jobs.isEmpty { refill() }
            guard jobs.isEmpty else { continue }
            guard let deadline = service.deadline, deadline <= age else { break }
            service.advance(to: age)
        }
        armWakeup()
    }

    private func armWakeup() {
        guard let deadline = service.deadline else { return }
        let time = openedAt + VoiceWorld.microseconds(deadline)
        if let first = wakeups.min(), first <= time { return }
        wakeups.insert(time)
        world.after(time - world.now) { [self] in
            wakeups.remove(time)
            // A service that is not told yet that the client has gone still sends transcripts.
            guard !isOver || isLingering else { return }
            settle()
        }
    }

    private var isLingering: Bool {
        world.plan.stale && world.closedSessions.contains(number) && world.now < overAt + 1_000_000
    }

    private func take(_ frame: RealtimeFrame) {
        switch frame {
        case .text(let text):
            deliver(text)
            // A delta says only what is new, so that one that comes twice is twice as much.
            if world.chance(world.plan.doubledEvents), !text.contains(".delta\"") { deliver(text) }
        case .close(let code, let reason): world.closed(self, code: code, reason: reason)
        case .cut: world.breakDown(self, .abnormal)
        case .binary, .wait, .stall: world.fail("the service did \(frame)")
        }
    }

    private func deliver(_ text: String) {
        let event: ServerEvent
        do { event = try ServerEvent(parsing: text) } catch { return world.fail("unreadable: \(error), \(text)") }
        if isOver {
            guard isLingering, text.contains("input_audio_transcription") else { return }
        } else if event.id == nil || event.id != notes.lastID {
            note(event.detail)
        }
        notes.lastID = event.id
        world.deliver(event, from: self)
    }

    // MARK: Words and sound

    private func perform(_ job: RealtimeSessionState.Job) {
        switch job {
        case .hear(let id, _):
            let words = world.records.items[id].map { world.records.words($0.content) } ?? ""
            service.heard(id, .success(words), at: age)
        case .answer(let id, _): service.compose(id, .success(script(of: id)), at: age)
        }
    }

    private func script(of id: String) -> RealtimeScript {
        let plan = world.plan
        let isForeign = notes.foreign.contains(id)
        let readsOutputs = notes.read[id, default: []].contains { world.records.items[$0]?.kind == .output }
        if !isForeign, world.chance(plan.broken) {
            return RealtimeScript(status: .failed(code: "oops", message: "Oops."))
        }
        guard !isForeign, !readsOutputs, world.chance(plan.tools) else {
            return RealtimeScript(items: [message(of: id, isForeign: isForeign)])
        }
        let calls = (0..<(world.chance(25) ? 2 : 1)).map { _ in
            RealtimeScript.Item.functionCall(name: "look_up", arguments: "{}", id: world.records.name("call"))
        }
        return RealtimeScript(items: (world.chance(30) ? [message(of: id, isForeign: false)] : []) + calls)
    }

    /// Words, a sentence in every quarter of a second or so, with the sound that names them.
    private func message(of id: String, isForeign: Bool) -> RealtimeScript.Item {
        let isBad = !isForeign && world.chance(world.plan.bad)
        let number = world.records.addAnswer(to: id, isBad: isBad, isForeign: isForeign)
        let frames = (isForeign ? 1_000 : world.random(in: world.plan.answer)) * 24 + world.random(in: 0...23)
        var sentences = (1...max(frames / 6_000, 1)).map { "Sentence \($0) of \(number). " }
        if isBad { sentences[sentences.count - 1] = "This is BAD. " }
        return .message(sentences.joined(), sound: WorldSound.answer(number, count: frames))
    }

    private func refill() {
        let turns = core.scenario.turns
        let spoken = turns.count { $0.speech != nil }
        guard spoken < 4 || turns.count - spoken < 4 else { return }
        for _ in 0..<4 {
            if spoken < 4 { core.scenario.turns.append(world.plan.spokenTurn(using: &world.generator)) }
            if turns.count - spoken < 4 { core.scenario.turns.append(world.plan.answerTurn(using: &world.generator)) }
        }
    }
}
