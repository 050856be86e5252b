// SPDX-License-Identifier: MIT

import Glibc
import SpeechEngines
import StructuredJSON

/// The answers of OpenAI's `/v1/audio/transcriptions` and of whisper.cpp's `/inference`, as `json` or `verbose_json`.
enum TranscriptionAnswer {
    /// The words of an answer without those invented for silence; nil if it is no such answer.
    static func read(_ bytes: [UInt8]) -> Transcription? {
        guard let json = try? JSONValue(parsing: bytes, maximumDepth: 32) else { return nil }
        return read(json)
    }

    static func read(_ json: JSONValue) -> Transcription? {
        guard let text = json["text"]?.string else { return nil }
        let segments = (json["segments"]?.array ?? []).compactMap(segment)
        let logs = segments.compactMap(\.averageLogProbability)
        let confidence = logs.isEmpty ? nil : min(1, max(0, exp(logs.reduce(0, +) / Double(logs.count))))
        var transcription = Transcription(
            trimmed(text), language: json["language"]?.string, confidence: confidence, segments: segments)
        if segments.isEmpty, NoSpeechRule.discards(.init(text: transcription.text)) { transcription.text = "" }
        return NoSpeechRule.applied(to: transcription)
    }

    private static func segment(_ json: JSONValue) -> Transcription.Segment? {
        guard let text = json["text"]?.string else { return nil }
        return Transcription.Segment(
            text: trimmed(text), start: seconds(json["start"]), end: seconds(json["end"]),
            averageLogProbability: json["avg_logprob"]?.double, noSpeechProbability: json["no_speech_prob"]?.double)
    }

    private static func seconds(_ json: JSONValue?) -> Duration? {
        guard let value = json?.double, value.isFinite, (0...1e6).contains(value) else { return nil }
        return .seconds(value)
    }

    /// The text on one line: whisper.cpp begins each segment with a space, and ends it with a line break.
    static func trimmed(_ text: String) -> String {
        var line = TextLine()
        line.append(text)
        return line.text
    }
}

/// Pieces of text on one line, each read once: every run of white space is a space, and none is at an end.
struct TextLine {
    private(set) var text = ""
    private var isSpaced = false

    mutating func append(_ piece: String) {
        for character in piece {
            if character.isWhitespace {
                isSpaced = true
                continue
            }
            if isSpaced, !text.isEmpty { text.append(" ") }
            isSpaced = false
            text.append(character)
        }
    }
}
