// SPDX-License-Identifier: MIT

import StructuredJSON

/// The tokens of an answer by kind: ten a second of input sound, twenty a second of output sound.
struct RealtimeTokens: Sendable, Hashable {
    var text = 0
    var audio = 0
    var image = 0

    var total: Int { text + audio + image }

    /// The tokens of items as input.
    init(reading items: [RealtimeItems.Item], instructions: String, tools: JSONValue?) {
        text = TokenEstimate.tokens(in: instructions)
        if let tools, tools.array?.isEmpty == false { text += TokenEstimate.tokens(in: tools.text) }
        for item in items {
            text += 4
            if item.hasSound {
                audio += (item.milliseconds + 99) / 100
                if item.role == "assistant" { text += TokenEstimate.tokens(in: item.text ?? "") }
                continue
            }
            for part in item.content {
                if part["type"] == "input_image" { image += 85 }
                text += TokenEstimate.tokens(in: part["text"]?.string ?? "")
            }
            text += TokenEstimate.tokens(in: item.json["arguments"]?.string ?? item.json["output"]?.string ?? "")
        }
    }

    /// The tokens of items as output.
    init(saying items: [RealtimeItems.Item]) {
        for item in items {
            text += TokenEstimate.tokens(in: item.text ?? item.json["arguments"]?.string ?? "")
            audio += (item.milliseconds + 49) / 50
        }
    }

    /// The `usage` of an answer.
    ///
    /// - Parameter former: The input of the previous answer; multiples of 64 of its tokens are in the cache.
    static func usage(input: RealtimeTokens, former: RealtimeTokens?, output: RealtimeTokens) -> JSONValue {
        let text = min(former?.text ?? 0, input.text) / 64 * 64
        let audio = min(former?.audio ?? 0, input.audio) / 64 * 64
        return [
            "total_tokens": .integer(input.total + output.total), "input_tokens": .integer(input.total),
            "output_tokens": .integer(output.total),
            "input_token_details": [
                "text_tokens": .integer(input.text), "audio_tokens": .integer(input.audio),
                "image_tokens": .integer(input.image), "cached_tokens": .integer(text + audio),
                "cached_tokens_details": [
                    "text_tokens": .integer(text), "audio_tokens": .integer(audio), "image_tokens": 0,
                ],
            ],
            "output_token_details": ["text_tokens": .integer(output.text), "audio_tokens": .integer(output.audio)],
        ]
    }
}
