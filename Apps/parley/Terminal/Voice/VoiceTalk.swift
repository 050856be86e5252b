// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import Diagnostics
import Domain
import Echo
import TerminalKit

/// A conversation by voice at a terminal, or from a sound file.
final class VoiceTalk: Sendable {
    /// The silence that has to follow the end of a file: the server may yet hear that somebody has finished speaking.
    private static let grace = Duration.seconds(3)
    /// The longest time after the end of a file in which anything may be owed without a sign of it.
    private static let patience = Duration.seconds(60)

    private struct State {
        var status: VoiceStatus
        var progress = VoiceProgress()
        var last: ContinuousClock.Instant
        var failure: (any Error)?
        /// The failure that was shown as it happened.
        var shown: ErrorReport?
        var hasBegun = false
        var wantsEnd = false
        var ended = false
    }

    private let model: ModelAssistant
    private let record: RecordSpeech
    private let tracing: VoiceTracing
    private let console: Console
    private let isFile: Bool
    private let isPushToTalk: Bool
    private let question: VoiceQuestion
    private let clock = ContinuousClock()
    private let line: StatusLine
    private let state: Guarded<State>
    private let calls: AsyncStream<Void>
    private let callsInput: AsyncStream<Void>.Continuation
    /// Ends with the talk.
    private let talking: AsyncStream<Never>
    private let talkingInput: AsyncStream<Never>.Continuation

    /// - Parameters:
    ///   - record: Stores what is said.
    ///   - tracing: Keeps the times of it.
    ///   - isFile: True if the microphone is a sound file: the talk ends when all of it was answered.
    ///   - isPushToTalk: True if the user begins and ends turns; a file is one turn then.
    ///   - question: The questions to the person during the talk.
    init(
        model: ModelAssistant, record: RecordSpeech, tracing: VoiceTracing, console: Console, isFile: Bool,
        isPushToTalk: Bool, question: VoiceQuestion = VoiceQuestion()
    ) {
        self.model = model
        (self.record, self.tracing) = (record, tracing)
        self.console = console
        self.isFile = isFile
        self.isPushToTalk = isPushToTalk
        self.question = question
        line = StatusLine(console: console)
        (calls, callsInput) = AsyncStream.makeStream(of: Void.self)
        (talking, talkingInput) = AsyncStream.makeStream(of: Never.self)
        state = Guarded(
            State(
                status: VoiceStatus(
                    isPushToTalk: isPushToTalk, glyphs: console.traits.glyphs, translator: console.translator),
                last: clock.now))
    }

    /// Runs the conversation until it ends: by Ctrl-C or `q`, at the end of the file, or when voice has failed.
    func run() async throws -> ExitCode {
        line.announce(console.text("Connecting …"))
        let events = await model.voiceEvents()
        let keys = KeyInput()
        question.begin(with: keys)
        defer {
            keys.close()
            line.clear()
        }
        let follower = try await withThrowingTaskGroup(of: Void.self) { group in
            // The person may be asked about tools before the conversation begins.
            group.addTask { [self] in await obey(keys) }
            try await tracing.connecting { try await model.begin { [self] in try say($0) } }
            if isFile, isPushToTalk { try await model.beginTurn() }
            state.withLock { $0.hasBegun = true }
            let follower = Task { [self] in
                for await event in events { await take(event.detail) }
            }
            group.addTask { [talking] in for await _ in talking {} }
            group.addTask { [self] in await carryOutCalls() }
            if isFile { group.addTask { [self] in await watch() } }
            // A task that ends without ending the talk (the end of the keys, beside a file) lets the others continue.
            while try await group.next() != nil { if state.withLock({ $0.ended }) || Task.isCancelled { break } }
            group.cancelAll()
            return follower
        }
        // It ends an answer that is being spoken, which is stored as far as it was heard.
        await model.close()
        await follower.value
        line.clear()
        let (failure, progress, shown, wantsEnd) = state.withLock { ($0.failure, $0.progress, $0.shown, $0.wantsEnd) }
        if let failure {
            if shown != nil, shown == ErrorReport(failure) { return ExitCode(for: failure) }
            throw failure
        }
        guard isFile, !wantsEnd else { return Task.isCancelled ? .interrupted : .done }
        try Task.checkCancellation()
        if progress.answers == 0 { throw progress.hasWords ? Self.silence : DomainError.noSpeech }
        return .done
    }

    private static let silence = EchoError.timedOut("No answer to the question arrived. Try again.")

    private func take(_ event: EchoEvent) async {
        state.withLock { state in
            state.status.take(event)
            state.progress.take(event)
            switch event {
            case .audioLevelChanged, .outputLevelChanged: break
            default: state.last = clock.now
            }
        }
        do { try await show(event) } catch { end(with: error) }
    }

    private func show(_ event: EchoEvent) async throws {
        tracing.note(event)
        switch event {
        case .error(let error):
            line.clear()
            state.withLock { $0.shown = ErrorReport(error) }
            console.report(error)
        case .toolCallRequested: callsInput.yield()
        case .userTranscriptionCompleted(let text, _): try await record.asked(text)
        case .messageFinalized(let message) where message.role == .assistant:
            try await record.answered(message.text, isInterrupted: message.isInterrupted, by: await model.name)
        case .usageCounted: try await record.spent(AnswerUsage(await model.cost()))
        case .audioInputEnded where isPushToTalk: try await model.endTurn()
        case .modeChanged(.text, .failed(let error)): end(with: error)
        case .modeChanged(.text, .budgetExceeded(let spent, let limit)):
            end(with: EchoError.budgetExceeded(spent: spent, limit: limit))
        default: break
        }
        if let output = VoiceOutput(event) { try console.emit(output) }
        if !console.isJSON, let text = VoiceLine.text(event, name: await model.name, console) {
            line.clear()
            try console.show(text)
        }
        drawStatus()
    }

    /// Shows a trace's failure, which does not end the conversation.
    func tell(_ error: VoiceTraceError) {
        line.clear()
        console.report(error)
    }

    private func drawStatus() {
        let width = (console.errors.columns ?? 80) - 1
        if let question = question.line(width: width) { return line.show(question) }
        let status = state.withLock { $0.status }
        line.show(status.text(width: width), spoken: status.spoken)
    }

    private func say(_ event: AnswerEvent) throws {
        line.clear()
        if let output = ToolOutput(event) { try console.emit(output) }
        guard !console.isJSON else { return }
        switch event {
        case .delta: break
        case .starting(let names): if !names.isEmpty { line.announce(console.text(AnswerEventText.starting(names))) }
        case .toolCalled(let use): console.progress("Waiting for \(use.name.printable) …", .muted)
        case .toolReturned(let use, let output, _, let duration):
            let words = ForeignText.short(output, limit: 60)
            console.progress("\(use.name.printable) → \(words) (\(duration.whole) ms)", .muted)
        case .toolRefused(let use, let refusal):
            console.progress(AnswerEventText.refusal(use, refusal), .muted)
        case .notice(let notice): console.progress(notice.sentence, .muted)
        case .attached: break
        case .unavailable(_, let error): console.progress(error.unavailableText, .muted)
        case .available: console.progress(AnswerEventText.available, .muted)
        }
    }

    private func carryOutCalls() async {
        for await _ in calls {
            do {
                try await model.carryOutCalls { [self] event in
                    tracing.spans.note(event)
                    try await record.took(event)
                    try say(event)
                }
            } catch {
                if error is CancellationError { return }
                line.clear()
                console.report(error)
            }
        }
    }

    private func end(with error: (any Error)? = nil) {
        state.withLock { state in
            state.failure = state.failure ?? error
            state.ended = true
        }
        talkingInput.finish()
    }

    // MARK: Keys

    private func obey(_ keys: KeyInput) async {
        for await press in keys.presses {
            if question.take(press) {
                drawStatus()
                continue
            }
            let key = press.key
            do {
                switch key {
                case .end, .character("q"):
                    // A file is heard to its end, whether or not anybody types.
                    if isFile, key == .end { return }
                    state.withLock { $0.wantsEnd = true }
                    return end()
                // Before the conversation begins, no other key has an action.
                case _ where !state.withLock({ $0.hasBegun }): break
                case .character("m"):
                    let isMuted = state.withLock { $0.status.isMuted }
                    try await model.setMuted(!isMuted)
                case .enter: try await enter()
                default: break
                }
            } catch {
                if error is CancellationError { return }
                line.clear()
                console.report(error)
            }
            drawStatus()
        }
    }

    private func enter() async throws {
        guard isPushToTalk else { return try await model.interrupt() }
        let begins = state.withLock { state in
            state.status.isTurnOpen.toggle()
            return state.status.isTurnOpen
        }
        if begins { try await model.beginTurn() } else { try await model.endTurn() }
    }

    // MARK: The end of a file

    private func watch() async {
        while (try? await clock.sleep(for: .milliseconds(100))) != nil {
            let (isQuiet, isOver, since) = state.withLock { state in
                // The time limit pauses while the person thinks about a question.
                if question.isOpen { state.last = clock.now }
                return (state.progress.isQuiet, state.progress.isInputOver, clock.now - state.last)
            }
            let awaitsWords = (try? await model.awaitsWords) ?? false
            if isQuiet && !awaitsWords && since > Self.grace || isOver && since > Self.patience { return end() }
        }
    }
}
