// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct PractiseCuesTests {
    private let recorder = ScriptedRecorder()
    private let results = InMemoryPracticeRepository()
    private let evaluations = InMemoryEvaluationStore()
    private let cues: [Cue]
    private let device = PracticeSamples.evaluation(right: 5, missed: 0)
    private let server = PracticeSamples.evaluation(right: 1, source: .server)
    private let today: CalendarDate

    init() throws {
        cues = try CueSamples.cues(3)
        today = try #require(CalendarDate("2024-05-06"))
    }

    /// Sends the commands one by one, each when a state of the kind before it was reached.
    private func run(
        _ script: [(when: String, command: PractiseCues.Command)], until last: String,
        player: ScriptedPlayer = ScriptedPlayer(), device: ScriptedEvaluator? = nil, server: ScriptedEvaluator? = nil,
        limit: Duration = .seconds(600), choose: ChooseNextCue? = nil,
        onEvent: (@Sendable (PractiseCues.Event) async -> Void)? = nil
    ) async throws -> [PractiseCues.Event] {
        let (today, second) = (today, cues[1])
        let ports = PractiseCues.Ports(
            recorder: recorder, player: player, device: device ?? ScriptedEvaluator(answer: .success(self.device)),
            server: server, results: results, evaluations: evaluations,
            nextCue: { try await choose?(at: Date(timeIntervalSince1970: 7), skipping: $0) ?? second },
            now: { Date(timeIntervalSince1970: 7) }, today: { today }, serverTimeLimit: { limit })
        let (commands, send) = AsyncStream<PractiseCues.Command>.makeStream()
        let director = Director(script: script, last: last, send: send)
        try await PractiseCues(ports)(cues[0], commands: commands) { event in
            await onEvent?(event)
            await director.note(event)
        }
        return await director.events
    }

    private func names(_ events: [PractiseCues.Event]) -> [String] { events.compactMap(Director.name) }

    @Test func recordKeepResult() async throws {
        let events = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil))], until: "result")
        #expect(names(events) == ["viewing", "recording", "reviewing", "waiting", "waiting", "result"])
        #expect(
            await recorder.log == ["start 1", "finish 1", "keep 1", "discard 1"],
            "a kept one is not removed by discarding")
        let stored = try #require(await results.page(PracticeQuery(), after: nil).results.first)
        #expect(stored.cue == cues[0].id && stored.cueText == cues[0].text && stored.day == today)
        #expect(stored.evaluation == device && stored.rating == .hard, "4 of 5, since one was inserted")
        #expect(events.contains(.stored(stored)))
    }

    @Test func pauseResumeRedo() async throws {
        let events = try await run(
            [
                ("viewing", .record), ("recording", .pause), ("paused", .resume), ("recording", .stop),
                ("reviewing", .record),
                ("recording", .stop), ("reviewing", .discard),
            ], until: "viewing")
        #expect(
            names(events) == [
                "viewing", "recording", "paused", "recording", "reviewing", "recording", "reviewing", "viewing",
            ])
        #expect(
            await recorder.log == [
                "start 1", "pause 1", "resume 1", "finish 1", "discard 1", "start 2", "finish 2", "discard 2",
            ])
    }

    @Test func aRecordingThatBreaksOffIsThereWithTheReason() async throws {
        let gone = DomainError.device("The microphone was unplugged.")
        await recorder.set(interruption: gone)
        let recorder = recorder
        let events = try await run([("viewing", .record), ("reviewing", .keep(.easy))], until: "result") { event in
            if case .meter = event { await recorder.breakOff() }
        }
        #expect(events.contains { if case .state(.reviewing(_, _, gone)) = $0 { true } else { false } })
        #expect(
            await results.page(PracticeQuery(), after: nil).results.map(\.rating) == [.easy],
            "the person's own judgement")
    }

    @Test func whatCannotBeRecordedOrKeptSaysSoAndCanBeTriedAgain() async throws {
        await recorder.set(startError: .device("There is no microphone."))
        let recorder = recorder
        let events = try await run(
            [("viewing", .record), ("failed", .record), ("recording", .stop), ("failed", .record)], until: "recording"
        ) { event in
            if case .state(.failed) = event { await recorder.set(finishError: .device("Nothing was heard of it.")) }
        }
        #expect(names(events) == ["viewing", "failed", "recording", "failed", "recording"])
        await recorder.set(keepError: .storage("The disk is full."))
        let kept = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil))], until: "failed")
        #expect(names(kept) == ["viewing", "recording", "reviewing", "waiting", "failed"])
        #expect(await results.page(PracticeQuery(), after: nil).results.isEmpty)
    }

    @Test func theServersEvaluationIsStoredAndShownBesideThisDevices() async throws {
        let events = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil))], until: "result",
            server: ScriptedEvaluator(answer: .success(server)))
        guard case .state(.result(_, let recording, let shown, nil))? = events.last else {
            Issue.record("no result: \(events)")
            return
        }
        #expect(shown == [device, server])
        #expect(await evaluations.evaluations(of: recording.id) == [.server: server])
        #expect(events.contains(.uploading(1, of: 2)))
    }

    @Test func withoutTheServersAnswerTheResultSaysWhy() async throws {
        let offline = DomainError.offline("No route.")
        for (answer, error) in [
            (Result<Evaluation, DomainError>.failure(offline), offline), (nil, .timedOut(.evaluation)),
        ] {
            let events = try await run(
                [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil))], until: "result",
                server: ScriptedEvaluator(answer: answer), limit: answer == nil ? .milliseconds(1) : .seconds(600))
            guard case .state(.result(_, _, let shown, let problem))? = events.last else {
                Issue.record("no result: \(events)")
                continue
            }
            #expect(shown == [device] && problem == error)
        }
    }

    @Test func withoutARecogniserTheResultIsStoredAllTheSame() async throws {
        let broken = DomainError.speechEngine("The model is missing.")
        let events = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil))], until: "result",
            device: ScriptedEvaluator(answer: .failure(broken)))
        #expect(events.last == .state(try #require(resultState(events, [], broken))))
        #expect(await results.page(PracticeQuery(), after: nil).results.map(\.evaluation) == [nil])
    }

    private func resultState(
        _ events: [PractiseCues.Event], _ evaluations: [Evaluation], _ error: DomainError?
    ) -> PracticeState? {
        for case .state(.waiting(let cue, let recording, _, _)) in events {
            return .result(cue, recording, evaluations, error)
        }
        return nil
    }

    @Test func goingOnDoesNotWaitForTheServer() async throws {
        let events = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil)), ("waiting+", .next)],
            until: "viewing",
            server: ScriptedEvaluator(answer: nil))
        #expect(events.last == .state(.viewing(cues[1])))
        #expect(await results.page(PracticeQuery(), after: nil).results.count == 1)
    }

    @Test func `a stored result can be left without an evaluation`() async throws {
        let events = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil)), ("stored", .next)],
            until: "viewing", device: ScriptedEvaluator(answer: .failure(.speechEngine("The model is missing."))),
            server: ScriptedEvaluator(answer: nil))
        #expect(events.last == .state(.viewing(cues[1])))
        #expect(await results.page(PracticeQuery(), after: nil).results.count == 1)
    }

    @Test func playingEndsOrIsStopped() async throws {
        let ended = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .play), ("playing nil", .discard)],
            until: "viewing")
        #expect(ended.contains(.playing(1)))
        let stopped = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .play), ("playing", .discard)], until: "viewing",
            player: ScriptedPlayer(isEndless: true))
        #expect(stopped.contains(.playing(0)))
        let broken = DomainError.device("There is no loudspeaker.")
        let failed = try await run(
            [("viewing", .record), ("recording", .stop), ("reviewing", .play), ("playing nil", .discard)],
            until: "viewing",
            player: ScriptedPlayer(error: broken))
        #expect(failed.contains(.problem(broken)))
    }

    @Test func endingWhileRecordingRemovesItAndAfterKeepingStoresIt() async throws {
        _ = try await run([("viewing", .record)], until: "recording")
        #expect(await recorder.log == ["start 1", "drop 1"])
        _ = try await run([("viewing", .record), ("recording", .stop), ("reviewing", .keep(nil))], until: "waiting")
        #expect(await results.page(PracticeQuery(), after: nil).results.count == 1)
    }

    private func shown(_ events: [PractiseCues.Event]) -> [Cue] {
        events.compactMap { if case .state(.viewing(let cue)) = $0 { cue } else { nil } }
    }

    @Test func `cues that are passed over come again after all others`() async throws {
        let choose = ChooseNextCue(cues: InMemoryCueStore(cues), results: results, query: CueQuery())
        await recorder.set(startError: .device("There is no microphone."))
        let events = try await run(
            [
                ("viewing", .next), ("viewing", .record), ("failed", .next), ("viewing", .next), ("viewing", .next),
                ("viewing", .next),
            ], until: "viewing", choose: choose)
        let shown = shown(events)
        #expect(Set(shown.prefix(3)).count == 3 && Set(shown.suffix(3)).count == 3, "\(shown.map(\.text))")
        #expect(shown[2] != shown[3])
    }

    @Test func `the only cue comes again`() async throws {
        let choose = ChooseNextCue(cues: InMemoryCueStore([cues[0]]), results: results, query: CueQuery())
        #expect(try await shown(run([("viewing", .next)], until: "viewing", choose: choose)) == [cues[0], cues[0]])
    }

    @Test func `without a next cue the screen stays and says why`() async throws {
        let choose = ChooseNextCue(cues: BrokenCues(), results: results, query: CueQuery())
        let events = try await run([("viewing", .next)], until: "problem", choose: choose)
        #expect(events == [.state(.viewing(cues[0])), .problem(.notFound("cue"))])
    }
}

/// Cues that cannot be read.
private struct BrokenCues: CueRepository {
    func page(_ query: CueQuery, after cursor: CueCursor?) throws -> CuePage { throw DomainError.notFound("cue") }
    func cue(_ id: Identifier<Cue>) -> Cue? { nil }
}

/// Sends each command of a script when the event before it has come, and ends the commands at the last one.
private actor Director {
    private(set) var events: [PractiseCues.Event] = []
    private var script: ArraySlice<(when: String, command: PractiseCues.Command)>
    private let last: String
    private let send: AsyncStream<PractiseCues.Command>.Continuation

    init(
        script: [(when: String, command: PractiseCues.Command)], last: String,
        send: AsyncStream<PractiseCues.Command>.Continuation
    ) {
        self.script = script[...]
        self.last = last
        self.send = send
    }

    func note(_ event: PractiseCues.Event) {
        events.append(event)
        guard let name = Self.detail(event) else { return }
        if let first = script.first {
            guard name.hasPrefix(first.when) else { return }
            script.removeFirst()
            send.yield(first.command)
        } else if name.hasPrefix(last) {
            send.finish()
        }
    }

    /// The name of a state; `nil` for other events.
    static func name(_ event: PractiseCues.Event) -> String? {
        guard case .state(let state) = event else { return nil }
        return switch state {
        case .viewing: "viewing"
        case .recording(_, isPaused: let isPaused): isPaused ? "paused" : "recording"
        case .reviewing: "reviewing"
        case .waiting: "waiting"
        case .result: "result"
        case .failed: "failed"
        }
    }

    private static func detail(_ event: PractiseCues.Event) -> String? {
        switch event {
        case .state(.waiting(_, _, .some, _)): "waiting+"
        case .stored: "stored"
        case .playing(let position): position == nil ? "playing nil" : "playing"
        case .problem: "problem"
        default: name(event)
        }
    }
}
