// SPDX-License-Identifier: MIT

import SpeechEngines
import StructuredJSON

/// The words of an event stream: OpenAI's `transcript.text.delta` and `.done`, or a segment in each event, as speaches
/// sends them. Pure.
struct StreamedWords {
    private var line = TextLine()
    private var done: Transcription?
    private var hasSegments = false

    /// Takes an event's data.
    ///
    /// - Returns: The words so far; nil if they are the same as before.
    mutating func take(_ data: String) -> String? {
        guard data != "[DONE]", done == nil else { return nil }
        guard let json = try? JSONValue(parsing: data, maximumDepth: 32), json.object != nil else {
            return append(segment: data)
        }
        switch json["type"]?.string {
        case "transcript.text.delta":
            guard let delta = json["delta"]?.string, !delta.isEmpty else { return nil }
            line.append(delta)
            return line.text
        case "transcript.text.done":
            done = TranscriptionAnswer.read(json)
            return nil
        case .some: return nil
        case nil: return TranscriptionAnswer.read(json).flatMap { append(segment: $0.text) }
        }
    }

    /// The whole; nil if the stream ended before the words did.
    func finish() -> Transcription? {
        if let done { return done }
        // A stream of segments has no mark at its end.
        return hasSegments ? Transcription(line.text) : nil
    }

    private mutating func append(segment: String) -> String? {
        hasSegments = true
        let words = TranscriptionAnswer.trimmed(segment)
        guard !words.isEmpty, !NoSpeechRule.discards(.init(text: words)) else { return nil }
        line.append(" " + words)
        return line.text
    }
}
