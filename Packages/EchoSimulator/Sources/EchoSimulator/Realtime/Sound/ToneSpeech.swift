// SPDX-License-Identifier: MIT

/// Replaces speech where no synthesiser is configured: a tone a syllable, always the same for the same text, as long as
/// a person would take.
enum ToneSpeech {
    /// The sound of a text at 24 kHz: 60 ms a letter, at least 200 ms a word, and a pause of 60 ms after each word.
    static func samples(of text: String) -> [Int16] {
        var samples: [Int16] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let length = max(200, 60 * word.unicodeScalars.count) * SoundFormat.samplesPerMillisecond
            let sum = word.unicodeScalars.reduce(0) { ($0 &* 31 &+ Int($1.value)) & 0xFFFF }
            // A whole number of samples a wave, so that there is no sine and no rounding: 150 to 300 Hz.
            let period = 80 + sum % 80
            for place in 0..<length {
                let phase = place % period
                let wave = phase * 2 < period ? 4 * phase - period : 3 * period - 4 * phase
                let edge = min(place, length - place, 480)
                samples.append(Int16(wave * 6_000 / period * edge / 480))
            }
            samples += [Int16](repeating: 0, count: 60 * SoundFormat.samplesPerMillisecond)
        }
        return samples
    }
}
