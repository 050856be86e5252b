// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import FoundationEssentials

/// Messages of a chat that goes on by voice: shown above the prompt as it comes, and kept for `/save`.
final class ChatVoice: Sendable {
    private let partner: any ChatPartner
    private let console: Console
    private let terminal: ChatTerminal
    private let note: @Sendable ((inout ChatTranscript) -> Void) -> Void
    private let follower = Guarded<Task<Void, Never>?>(nil)
    private let muted = Guarded(false)
    /// True if voice is being begun: what keeps it from that is thrown, and need not be said twice.
    private let isBeginning = Guarded(false)

    /// - Parameter note: Changes the transcript.
    init(
        partner: any ChatPartner, console: Console, terminal: ChatTerminal,
        note: @escaping @Sendable ((inout ChatTranscript) -> Void) -> Void
    ) {
        self.partner = partner
        self.console = console
        self.terminal = terminal
        self.note = note
    }

    /// The text before the person's words.
    var prompt: String {
        get async {
            let mark = console.traits.hasUnicode ? "›" : ">"
            guard await partner.mode == .audio else { return mark + " " }
            return (muted.withLock { $0 } ? "muted" : "voice") + mark + " "
        }
    }

    /// Switches to voice, and shows the events from then on.
    func begin() async throws {
        guard await partner.mode == .text else {
            return terminal.say("You speak with it already. /text goes on in text.")
        }
        // A model without voice reports it here.
        let events = try await partner.voiceEvents()
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
        follow(task)
        isBeginning.withLock { $0 = true }
        do { try await partner.switchMode(to: .audio) } catch {
            end()
            throw error
        }
        isBeginning.withLock { $0 = false }
        console.progress(console.styled("Speak. You can also type; /mute, /text.", .dim))
    }

    /// Switches to text.
    func goOnInText() async throws {
        try await partner.switchMode(to: .text)
        end()
    }

    /// Closes the microphone, or opens it again.
    func mute() async throws {
        let isMuted = !muted.withLock { $0 }
        try await partner.setMuted(isMuted)
        muted.withLock { $0 = isMuted }
        console.progress(
            console.styled(isMuted ? "The microphone is closed; /mute opens it." : "The microphone is open.", .dim))
    }

    /// Stops showing events.
    func end() { follow(nil) }

    /// Ends the task that shows events, and lets another one do so.
    private func follow(_ task: Task<Void, Never>?) {
        let old = follower.withLock { follower in
            defer { follower = task }
            return follower
        }
        old?.cancel()
    }

    private func carryOutCalls() async {
        do {
            try await partner.carryOutCalls { [self] event in
                switch event {
                case .notice(let text): terminal.say(console.styled(ModelText.shown(text), .dim))
                case .toolEnded(let call, let result, _):
                    note { $0.called(call, result, at: .now) }
                    terminal.say(
                        console.styled(
                            "\(call.name.printable) → \(ModelText.short(result.output, limit: 60))", .dim))
                case .toolDenied(let call, let result, let reason):
                    note { $0.called(call, result, at: .now) }
                    terminal.say(console.styled(ChatEvent.denial(call, reason: reason), .dim))
                case .text, .toolStarted, .startingServers: break
                }
            }
        } catch {
            if let report = ErrorReport(error), !(error is CancellationError) { terminal.say(report.message) }
        }
    }

    /// - Returns: False at the end of the voice.
    private func take(_ event: EchoEvent) async -> Bool {
        let name = await partner.name
        if let output = VoiceOutput(event) { try? console.emit(output) }
        switch event {
        case .userTranscriptionCompleted(let text, _): note { $0.asked(text, at: .now) }
        case .messageFinalized(let message) where message.role == .assistant:
            note { transcript in
                transcript.said(message.text, by: name, at: .now)
                if message.isInterrupted { transcript.brokeOff() }
            }
        case .error(let error):
            if let report = ErrorReport(error), !isBeginning.withLock({ $0 }) {
                terminal.say("\(console.styled("parley:", .red)) \(report.message)")
            }
        default: break
        }
        if let line = VoiceLine.text(event, name: name, console) { terminal.say(line) }
        guard case .modeChanged(.text, _) = event else { return true }
        terminal.show(prompt: await prompt)
        return false
    }
}
