// SPDX-License-Identifier: MIT

/// The tokens of one answer of a voice session, by what they stand for.
public struct RealtimeUsage: Sendable, Hashable {
    /// Tokens of text.
    public var text: Usage
    /// Tokens of sound.
    public var audio: Usage
    /// Tokens of pictures.
    public var image: Usage

    /// Usage.
    public init(text: Usage = Usage(), audio: Usage = Usage(), image: Usage = Usage()) {
        self.text = text
        self.audio = audio
        self.image = image
    }

    /// All of them together.
    public var total: Usage { text + audio + image }

    /// Both together.
    public static func + (first: RealtimeUsage, second: RealtimeUsage) -> RealtimeUsage {
        RealtimeUsage(
            text: first.text + second.text, audio: first.audio + second.audio, image: first.image + second.image)
    }

    /// Adds the other to this.
    public static func += (first: inout RealtimeUsage, second: RealtimeUsage) { first = first + second }
}

extension RealtimeUsage {
    /// The `usage` of an answer; `nil` where there is none. What the server does not tell apart counts as text.
    init?(json: JSONValue?) {
        guard let json, json.object != nil else { return nil }
        func count(_ value: JSONValue?) -> Int { min(max(value?.integer ?? 0, 0), 1 << 40) }
        let input = json["input_token_details"]
        let output = json["output_token_details"]
        let cached = input?["cached_tokens_details"]
        let audio = count(input?["audio_tokens"])
        let image = count(input?["image_tokens"])
        let text = max(count(input?["text_tokens"]), count(json["input_tokens"]) - audio - image, 0)
        let spoken = count(output?["audio_tokens"])
        let written = max(count(output?["text_tokens"]), count(json["output_tokens"]) - spoken, 0)
        let cachedAudio = min(count(cached?["audio_tokens"]), audio)
        let cachedImage = min(count(cached?["image_tokens"]), image)
        let cachedText = max(count(cached?["text_tokens"]), count(input?["cached_tokens"]) - cachedAudio - cachedImage)
        self.init(
            text: Usage(inputTokens: text, cachedInputTokens: min(max(cachedText, 0), text), outputTokens: written),
            audio: Usage(inputTokens: audio, cachedInputTokens: cachedAudio, outputTokens: spoken),
            image: Usage(inputTokens: image, cachedInputTokens: cachedImage))
    }
}

/// The usage of a transcript of the user's speech.
public enum TranscriptionUsage: Sendable, Hashable {
    /// Tokens of text and sound.
    case tokens(RealtimeUsage)
    /// Seconds of sound.
    case seconds(Double)

    init?(json: JSONValue?) {
        guard let json, json.object != nil else { return nil }
        if let seconds = json["seconds"]?.double {
            self = .seconds(max(seconds, 0))
        } else if let usage = RealtimeUsage(json: json) {
            self = .tokens(usage)
        } else {
            return nil
        }
    }
}
