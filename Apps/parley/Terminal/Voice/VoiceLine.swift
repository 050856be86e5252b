// SPDX-License-Identifier: MIT

import DataAssistant
import Diagnostics
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
        case .userTranscriptionCompleted(let text, _): return said("you", text, console)
        case .turnTimed(let latency): return times(latency).map { console.styled("  \($0)", .muted) }
        case .interruptionWasFalse: return console.styled("  (no speech: the answer continues)", .muted)
        case .answerBlocked: return console.styled("  (an answer was blocked)", .muted)
        case .turnTooShort: return console.styled("That was too short. Speak for longer.", .muted)
        case .idleTimedOut: return console.styled("Nobody has spoken for a while.", .muted)
        case .turnTimedOut: return console.styled("The turn was open for too long, and was ended.", .muted)
        case .rateLimited(let wait) where !wait.isTooLong:
            return console.styled("Waiting for the server's rate limit (\(wait.limit.rawValue)).", .muted)
        case .audioRouteChanged(let route): return console.styled("The sound uses \(route.printable) now.", .muted)
        case .connectionStatusChanged(.reconnecting):
            return console.styled("The connection broke; it is being made again.", .muted)
        case .modeChanged(let mode, let reason): return change(to: mode, reason).map { console.styled($0, .muted) }
        default: return nil
        }
    }

    /// A complete message. The user's words that arrive late are shown by their transcript.
    private static func words(_ message: Message, name: String, _ console: Console) -> String? {
        switch message.role {
        case .user:
            // A typed message is on the screen already.
            if message.transcriptStatus == .notApplicable { return nil }
            return message.transcriptFailure == nil ? nil : console.styled("you: (not understood)", .muted)
        case .assistant:
            guard !message.text.isEmpty else { return nil }
            return said(name, message.text + (message.isInterrupted ? " …" : ""), console)
        case .system: return nil
        }
    }

    private static func said(_ who: String, _ words: String, _ console: Console) -> String {
        "\(console.styled("\(who.printable):", who == "you" ? .accent : .strong)) \(ForeignText.shown(words))"
    }

    /// "heard after 420 ms (sent 0 ms, answered 210 ms, sound 390 ms)".
    static func times(_ latency: TurnLatency) -> String? {
        guard let audible = latency.audible else { return nil }
        let steps = [("sent", latency.sent), ("answered", latency.firstEvent), ("sound", latency.firstAudio)]
            .compactMap { name, time in time.map { "\(name) \($0.whole) ms" } }
        return "heard after \(audible.whole) ms" + (steps.isEmpty ? "" : " (\(steps.joined(separator: ", ")))")
    }

    private static func change(to mode: EchoMode, _ reason: ModeChangeReason) -> String? {
        switch reason {
        case .requested: return nil
        case .budgetExceeded(let spent, let limit):
            return "The budget of \(ModelCost.money(limit)) is used up (\(ModelCost.money(spent)) spent): it goes on "
                + (mode == .text ? "in text." : "by voice.")
        case .failed(let error): return "Voice has ended, it goes on in text. \(ErrorReport(error)?.message ?? "")"
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds.
    var whole: Int { Int(milliseconds.rounded()) }
}
