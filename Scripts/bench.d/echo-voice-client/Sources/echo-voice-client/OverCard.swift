// SPDX-License-Identifier: MIT

import AudioKitLinux
import Echo

/// A conversation with the device that users have, and all that it does with sound, over a virtual card: an ALSA handle with
/// a clock of its own, in this process: `card BASE JOURNAL TURNS`.
struct OverCard {
    var base: String
    var turns: Int
    let journal = Journal()

    private static let format = AudioFormat(sampleRate: 24_000, channels: 1)

    func run() async throws {
        let sound = AudioBuffer(samples: (0..<turns).flatMap { _ in Self.question }, format: Self.format)
        let card = try VirtualCard(format: Self.format, capture: .samples(sound), playback: .memory)
        let device = ALSAVoiceDevice(capture: .virtual(card), playback: .virtual(card))
        let echo = Echo(key: "bench", configuration: Talking.configuration(base, device))
        var events = echo.events(buffering: 100_000).makeAsyncIterator()
        let start = Journal.Use()
        let conversation = try await echo.startConversation(mode: .audio)
        for _ in 0..<turns { try await Talking.next(.assistantStoppedSpeaking, &events) }
        journal.end(since: start)
        await conversation.close()
        await echo.close()
    }

    /// A vowel of 1.5 s, and the time in which it is answered.
    private static let question: [Float] = {
        let period = 160
        let voice = (0..<36_000).map { place -> Float in
            // Pulses of the voice through a falling spectrum, in syllables.
            let wave = 1 - 2 * Float(place % period) / Float(period)
            return 0.3 * wave * (0.3 + 0.7 * Float(abs(place % 4_800 - 2_400)) / 2_400)
        }
        return voice + [Float](repeating: 0, count: 96_000)
    }()
}
