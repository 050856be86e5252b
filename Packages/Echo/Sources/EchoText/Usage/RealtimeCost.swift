// SPDX-License-Identifier: MIT

/// The cost of one answer, or of several together, in US dollars, by item of the bill.
public struct RealtimeCost: Sendable, Hashable {
    /// Text in and out.
    public var text: Double
    /// Sound in and out.
    public var audio: Double
    /// Pictures.
    public var image: Double
    /// Transcripts of what the user said.
    public var transcription: Double

    /// Costs, in US dollars.
    public init(text: Double = 0, audio: Double = 0, image: Double = 0, transcription: Double = 0) {
        self.text = text
        self.audio = audio
        self.image = image
        self.transcription = transcription
    }

    /// All of it.
    public var total: Double { text + audio + image + transcription }

    /// Both together.
    public static func + (first: RealtimeCost, second: RealtimeCost) -> RealtimeCost {
        RealtimeCost(
            text: first.text + second.text, audio: first.audio + second.audio, image: first.image + second.image,
            transcription: first.transcription + second.transcription)
    }

    /// Adds the other to this.
    public static func += (first: inout RealtimeCost, second: RealtimeCost) { first = first + second }
}

extension PriceTable {
    /// OpenAI's published prices of the listed voice models. Text is under the model's name; sound, pictures and seconds
    /// of transcribed sound are under that name after `audio:`, `image:` and `seconds:`.
    public static let publishedRealtime = PriceTable(
        prices: [
            "gpt-realtime": Price(input: 4, cachedInput: 0.4, output: 16),
            "audio:gpt-realtime": Price(input: 32, cachedInput: 0.4, output: 64),
            "image:gpt-realtime": Price(input: 5, cachedInput: 0.5, output: 0),
            "gpt-realtime-mini": Price(input: 0.6, cachedInput: 0.06, output: 2.4),
            "audio:gpt-realtime-mini": Price(input: 10, cachedInput: 0.3, output: 20),
            "image:gpt-realtime-mini": Price(input: 0.8, cachedInput: 0.08, output: 0),
            "seconds:whisper-1": Price(input: 100, cachedInput: 100, output: 0),
        ],
        source: "https://openai.com/api/pricing, as of October 2025")
}
