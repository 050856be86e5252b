// SPDX-License-Identifier: MIT

import Domain
import Speech

/// How to listen all day, as it was asked for.
struct ListenOptions: Sendable {
    let phrase: WakeWordDetector.Phrase
    let wakeWord: WakeWordDetector.Configuration
    let loop: VoiceLoop.Configuration
    let route: AudioRoute
    let voice: FliteSynthesizer.Voice
    let detector: VoiceActivityChoice
    let hasTones: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        phrase = try Self.phrase(invocation)
        var wakeWord = WakeWordDetector.Configuration.standard
        if let percent = try invocation.integer("sensitivity", in: 0...100) {
            wakeWord.sensitivity = Double(percent) / 100
        }
        self.wakeWord = wakeWord
        var loop = VoiceLoop.Configuration()
        if let seconds = try invocation.integer("follow-up", in: 0...60) { loop.followUp = .seconds(seconds) }
        self.loop = loop
        route = try AudioRoute(invocation)
        voice = TalkCommand.voice(of: invocation)
        detector = try VoiceActivityChoice(invocation)
        hasTones = !invocation.has("no-tones")
    }

    private static func phrase(_ invocation: Invocation) throws(UsageError) -> WakeWordDetector.Phrase {
        let text = invocation["wake-word"] ?? "hey jarvis"
        guard let phones = invocation["phones"] else { return WakeWordDetector.Phrase(text) }
        let parts = phones.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else {
            throw UsageError(
                "--phones takes a word and its phones, such as parley=\"P AA R L IY\".", command: invocation.command)
        }
        return WakeWordDetector.Phrase(text, phones: [String(parts[0]): [String(parts[1])]])
    }
}
