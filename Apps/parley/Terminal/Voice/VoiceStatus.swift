// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import Echo
import Glibc
import Localization
import TerminalKit

/// The line at the bottom of a conversation by voice: the level of the room, the party that speaks, the answer as it
/// arrives, the cost. Pure: events in, a text out.
struct VoiceStatus: Sendable {
    /// True if a key ends the user's turns; false if the server detects their end.
    let isPushToTalk: Bool
    let glyphs: Glyphs
    private let translator: Translator
    /// True if the user's turn is under way, with push to talk.
    var isTurnOpen = false
    private(set) var isMuted = false
    private var isUserSpeaking = false
    private var isSpeaking = false
    private var words = ""
    private var level = 0.0
    private var cost = 0.0
    private var connection = ConnectionStatus.connecting

    init(isPushToTalk: Bool, glyphs: Glyphs, translator: Translator) {
        self.isPushToTalk = isPushToTalk
        self.glyphs = glyphs
        self.translator = translator
    }

    /// Takes an event.
    mutating func take(_ event: EchoEvent) {
        switch event {
        case .audioLevelChanged(let level): self.level = level
        // The microphone stays as it is while the assistant speaks.
        case .audioStatusChanged(.muted): isMuted = true
        case .audioStatusChanged(.listening): isMuted = false
        case .userStartedSpeaking: isUserSpeaking = true
        case .userStoppedSpeaking: isUserSpeaking = false
        case .assistantStartedSpeaking: isSpeaking = true
        case .assistantStoppedSpeaking: (isSpeaking, words) = (false, "")
        case .assistantTextDelta(let piece): words = String((words + piece).suffix(200))
        case .usageCounted(_, let total): cost = total.cost
        case .connectionStatusChanged(let status): connection = status
        default: break
        }
    }

    /// The line without colours.
    ///
    /// - Parameter width: The terminal's columns; the assistant's words get the rest of the width.
    func text(width: Int) -> String {
        let start = "\(glyphs.dot) \(bar) \(translator(state))"
        let spent = cost > 0 ? "  \(ModelCost.money(cost))" : ""
        guard isSpeaking, !words.isEmpty else { return start + spent + (isSpeaking ? "" : "  " + translator(hint)) }
        let room = max(10, width - start.columns - spent.count - 4)
        return start + "  " + ForeignText.shown(words).printable.suffix(room) + spent
    }

    /// The state and the keys, in words that change with the state alone.
    var spoken: String { translator(isSpeaking ? state : "\(state). \(hint)") }

    private var state: Sentence {
        if connection == .connecting || connection == .reconnecting { return "connecting" }
        if isSpeaking { return "speaking" }
        if isMuted { return "muted" }
        if isUserSpeaking || isTurnOpen { return "hearing you" }
        return isPushToTalk ? "waiting" : "listening"
    }

    private var hint: Sentence {
        if isPushToTalk { return isTurnOpen ? "Enter ends your turn" : "Enter begins your turn" }
        return "Enter interrupts, m mutes, q ends"
    }

    /// The level in ten characters, from −60 dBFS to full scale.
    private var bar: String {
        let decibels = level > 0.001 ? 20 * log10(min(level, 1)) : -60
        return LevelBar.bar(decibels, glyphs: glyphs)
    }
}
