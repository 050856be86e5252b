// SPDX-License-Identifier: MIT

import StructuredJSON

/// The transcript in each form in which it can be requested.
struct Transcript {
    let text: String
    let duration: Double
    let model: String

    private var usage: JSONValue {
        if model == "whisper-1" { return ["type": "duration", "seconds": .integer(Int(duration.rounded(.up)))] }
        let (input, output) = (Int(duration * 10), TokenEstimate.tokens(in: text))
        return [
            "type": "tokens", "input_tokens": .integer(input), "output_tokens": .integer(output),
            "total_tokens": .integer(input + output),
            "input_token_details": ["text_tokens": 0, "audio_tokens": .integer(input)],
        ]
    }

    var json: JSONValue { ["text": .string(text), "usage": usage] }

    func verbose(wantsWords: Bool) -> JSONValue {
        var object: JSONObject = [
            "task": "transcribe", "language": "english", "duration": .double(duration), "text": .string(text),
            "segments": [
                [
                    "id": 0, "seek": 0, "start": 0.0, "end": .double(duration), "text": .string(" " + text),
                    "tokens": [50364, 50464], "temperature": 0.0, "avg_logprob": -0.25, "compression_ratio": 1.1,
                    "no_speech_prob": 0.01,
                ]
            ], "usage": ["type": "duration", "seconds": .integer(Int(duration.rounded(.up)))],
        ]
        if wantsWords { object["words"] = .array(words) }
        return .object(object)
    }

    /// The words, each as long as its letters.
    private var words: [JSONValue] {
        let words = text.split(separator: " ")
        let letters = max(1, words.reduce(0) { $0 + $1.count })
        var time = 0.0
        return words.map { word in
            let start = time
            time += duration * Double(word.count) / Double(letters)
            return ["word": .string(String(word)), "start": .double(start), "end": .double(time)]
        }
    }

    func plain(_ format: String) -> String {
        switch format {
        case "srt": "1\n\(stamp(0, ",")) --> \(stamp(duration, ","))\n\(text)\n\n"
        case "vtt": "WEBVTT\n\n\(stamp(0, ".")) --> \(stamp(duration, "."))\n\(text)\n\n"
        default: text + "\n"
        }
    }

    func events(size: Int?) -> [JSONValue] {
        TextChunks.split(text, size: size).map { ["type": "transcript.text.delta", "delta": .string($0)] }
            + [["type": "transcript.text.done", "text": .string(text), "usage": usage]]
    }

    private func stamp(_ seconds: Double, _ mark: String) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let whole = milliseconds / 1000
        return "\(digits(whole / 3600, 2)):\(digits(whole / 60 % 60, 2)):\(digits(whole % 60, 2))\(mark)"
            + digits(milliseconds % 1000, 3)
    }
}
