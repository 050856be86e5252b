// SPDX-License-Identifier: MIT

import DataAssistant
import Diagnostics
import Domain
import Echo
import TerminalKit

/// The lines that a person reads of a conversation by voice.
enum VoiceLine {
    /// The line for an event; `nil` if it has none.
    ///
    /// - Parameter name: The name of the party that answers.
    static func text(_ event: EchoEvent, name: String, _ console: Console) -> String? {
        switch event {
        case .messageFinalized(let message): return words(message, name: name, console)
        case .userTranscriptionCompleted(let text, _):
            return said(console.text("you" as Sentence), text, console, isPerson: true)
        case .turnTimed(let latency): return times(latency).map { console.styled("  " + console.text($0), .muted) }
        case .interruptionWasFalse: return muted("  (no speech: the answer continues)" as Sentence, console)
        case .answerBlocked: return muted("  (an answer was blocked)" as Sentence, console)
        case .turnTooShort: return muted("That was too short. Speak for longer." as Sentence, console)
        case .idleTimedOut: return muted("Nobody has spoken for a while." as Sentence, console)
        case .turnTimedOut: return muted("The turn was open for too long, and was ended." as Sentence, console)
        case .rateLimited(let wait) where !wait.isTooLong:
            return muted("Waiting for the server's rate limit (\(wait.limit.rawValue))." as Sentence, console)
        case .audioRouteChanged(let route): return muted("The sound uses \(route.printable) now." as Sentence, console)
        case .connectionStatusChanged(.reconnecting):
            return muted("The connection broke; it is being made again." as Sentence, console)
        case .modeChanged(let mode, let reason): return change(to: mode, reason).map { muted($0, console) }
        default: return nil
        }
    }

    /// A complete message. The user's words that arrive late are shown by their transcript.
    private static func words(_ message: SpokenMessage, name: String, _ console: Console) -> String? {
        switch message.role {
        case .user:
            // A typed message is on the screen already.
            if message.transcriptStatus == .notApplicable { return nil }
            return message.transcriptFailure == nil ? nil : muted("you: (not understood)" as Sentence, console)
        case .assistant:
            guard !message.text.isEmpty else { return nil }
            return said(name, message.text + (message.isInterrupted ? " …" : ""), console)
        case .system: return nil
        }
    }

    private static func said(
        _ who: String, _ words: String, _ console: Console, isPerson: Bool = false
    ) -> String {
        "\(console.styled("\(who.printable):", isPerson ? .accent : .strong)) \(ForeignText.shown(words))"
    }

    private static func muted(_ sentence: Sentence, _ console: Console) -> String {
        console.styled(console.text(sentence), .muted)
    }

    /// "heard after 420 ms (sent 0 ms, answered 210 ms, sound 390 ms)".
    static func times(_ latency: SpokenTurnTimes) -> Sentence? {
        guard let audible = latency.audible else { return nil }
        let steps = [
            latency.sent.map { "sent \($0.whole) ms" as Sentence },
            latency.firstEvent.map { "answered \($0.whole) ms" as Sentence },
            latency.firstAudio.map { "sound \($0.whole) ms" as Sentence },
        ].compactMap { $0 }
        return steps.isEmpty ? "heard after \(audible.whole) ms" : "heard after \(audible.whole) ms (\(steps.listed))"
    }

    private static func change(to mode: EchoMode, _ reason: ModeChangeReason) -> Sentence? {
        switch reason {
        case .requested: return nil
        case .budgetExceeded(let spent, let limit):
            let (limit, spent) = (ModelCost.money(limit), ModelCost.money(spent))
            return mode == .text
                ? "The budget of \(limit) is used up (\(spent) spent): it goes on in text."
                : "The budget of \(limit) is used up (\(spent) spent): it goes on by voice."
        case .failed(let error): return "Voice has ended, it goes on in text. \(Sentence(error))"
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds.
    var whole: Int { Int(milliseconds.rounded()) }
}
