// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import Domain
import Echo
import TerminalKit

/// Messages of a chat that goes on by voice: shown above the prompt as it comes, and kept for `/save`.
final class ChatVoice: Sendable {
    private let model: ModelAssistant?
    private let console: Console
    private let terminal: ChatTerminal
    private let record: @Sendable () -> RecordSpeech
    private let tracing: VoiceTracing
    private let follower = Guarded<Task<Void, Never>?>(nil)
    private let muted = Guarded(false)
    /// True if voice is being begun: what keeps it from that is thrown, and need not be said twice.
    private let isBeginning = Guarded(false)

    /// - Parameters:
    ///   - tracing: Keeps the times of it.
    ///   - record: Returns what stores the conversation.
    init(
        model: ModelAssistant?, console: Console, terminal: ChatTerminal, tracing: VoiceTracing,
        record: @escaping @Sendable () -> RecordSpeech
    ) {
        self.model = model
        self.console = console
        self.terminal = terminal
        (self.tracing, self.record) = (tracing, record)
    }

    private func withModel() throws -> ModelAssistant {
        guard let model else {
            throw DomainError.invalidInput(
                "The local assistant speaks in parley talk. In a chat it writes; omit --offline to speak with a model.")
        }
        return model
    }

    /// The text before the person's words.
    var prompt: String {
        get async {
            let mark = console.traits.hasUnicode ? "›" : ">"
            guard let model, await model.mode == .audio else { return mark + " " }
            return console.text(muted.withLock { $0 } ? "muted" : "voice") + mark + " "
        }
    }

    /// Switches to voice, and shows the events from then on.
    func begin() async throws {
        let model = try withModel()
        guard await model.mode == .text else {
            return terminal.say(console.text("You speak with it already. /text goes on in text." as Sentence))
        }
        // A model without voice reports it here.
        let events = await model.voiceEvents()
        await record().count(from: AnswerUsage(await model.cost()))
        muted.withLock { $0 = false }
        let (calls, callsInput) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [weak self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [weak self] in
                    for await _ in calls { await self?.carryOutCalls() }
                }
                for await event in events {
                    if case .toolCallRequested = event.detail { callsInput.yield() }
                    guard let self, await self.take(event.detail) else { break }
                }
                group.cancelAll()
            }
        }
        follower.withLock { $0 = task }
        isBeginning.withLock { $0 = true }
        do { try await tracing.connecting { try await model.switchMode(to: .audio) } } catch {
            task.cancel()
            throw error
        }
        isBeginning.withLock { $0 = false }
        console.progress("Speak. You can also type; /mute, /text.", .muted)
    }

    /// Switches to text, and stores what was said until then.
    func goOnInText() async throws {
        try await model?.switchMode(to: .text)
        await end()
    }

    /// Closes the microphone, or opens it again.
    func mute() async throws {
        let model = try withModel()
        guard await model.mode == .audio else {
            return terminal.say(console.text("In text no microphone is open. /voice goes on by voice." as Sentence))
        }
        let isMuted = !muted.withLock { $0 }
        try await model.setMuted(isMuted)
        muted.withLock { $0 = isMuted }
        console.progress(isMuted ? "The microphone is closed; /mute opens it." : "The microphone is open.", .muted)
    }

    /// Waits until all events are shown and stored; the last is the change to text, or the end of the model.
    func end() async { await follower.withLock { $0 }?.value }

    private func carryOutCalls() async {
        do {
            let record = record()
            try await model?.carryOutCalls { [self] event in
                tracing.spans.note(event)
                try await record.took(event)
                switch event {
                case .notice(let notice):
                    terminal.say(console.styled(ForeignText.shown(console.text(notice.sentence)), .muted))
                case .toolReturned(let use, let output, _, _):
                    terminal.say(
                        console.styled("\(use.name.printable) → \(ForeignText.short(output, limit: 60))", .muted))
                case .toolRefused(let use, let refusal):
                    terminal.say(console.styled(console.text(AnswerEventText.refusal(use, refusal)), .muted))
                case .delta, .attached, .toolCalled, .starting, .unavailable, .available: break
                }
            }
        } catch {
            if let report = ErrorReport(error), !(error is CancellationError) {
                terminal.say(console.text(report.sentence))
            }
        }
    }

    private func keep(_ body: (RecordSpeech) async throws -> Void) async {
        do { try await body(record()) } catch {
            if let report = ErrorReport(error), !(error is CancellationError) {
                terminal.say(console.text(report.sentence))
            }
        }
    }

    /// - Returns: False at the end of the voice.
    private func take(_ event: EchoEvent) async -> Bool {
        tracing.note(event)
        let name = await model?.name ?? ""
        if let output = VoiceOutput(event) { try? console.emit(output) }
        switch event {
        case .userTranscriptionCompleted(let text, _): await keep { try await $0.asked(text) }
        case .messageFinalized(let message) where message.role == .assistant:
            await keep {
                try await $0.answered(message.text, isInterrupted: message.isInterrupted, by: name)
            }
        case .usageCounted:
            guard let model else { break }
            await keep { try await $0.spent(AnswerUsage(await model.cost())) }
        case .error(let error):
            if let report = ErrorReport(error), !isBeginning.withLock({ $0 }) {
                terminal.say("\(console.styled("parley:", .failure)) \(console.text(report.sentence))")
            }
        default: break
        }
        if let line = VoiceLine.text(event, name: name, console) { terminal.say(line) }
        guard case .modeChanged(.text, _) = event else { return true }
        terminal.show(prompt: await prompt)
        return false
    }
}
