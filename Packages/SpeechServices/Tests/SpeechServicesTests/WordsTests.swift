// SPDX-License-Identifier: MIT

import SpeechEngines
import Testing

@testable import SpeechServices

@Suite struct WordsTests {
    struct Heard: Sendable {
        let text: String
        let noSpeech: Double
        let average: Double

        init(_ text: String, _ noSpeech: Double, _ average: Double) {
            (self.text, self.noSpeech, self.average) = (text, noSpeech, average)
        }
    }

    private static func verbose(_ segments: [Heard]) -> [UInt8] {
        let list = segments.map {
            #"{"text": " \#($0.text)", "no_speech_prob": \#($0.noSpeech), "avg_logprob": \#($0.average)}"#
        }
        let text = segments.map { " " + $0.text }.joined()
        return Array(#"{"text": "\#(text)", "segments": [\#(list.joined(separator: ","))]}"#.utf8)
    }

    @Test(arguments: [
        ([Heard("Thanks for watching!", 0.61, -1.01)], ""),
        ([Heard("Thanks for watching!", 0.6, -1.01)], "Thanks for watching!"),
        ([Heard("Thanks for watching!", 0.99, -1.0)], "Thanks for watching!"),
        (
            [Heard("Turn on", 0.1, -0.2), Heard("the light.", 0.9, -0.3), Heard("Bye.", 0.9, -1.5)],
            "Turn on the light."
        ),
        ([Heard("[BLANK_AUDIO]", 0, 0)], ""), ([Heard("(wind howling)", 0, 0), Heard("Yes.", 0, 0)], "Yes."),
        ([Heard("Say (softly) yes.", 0, 0)], "Say (softly) yes."),
        ([Heard("(sighs) Turn on the light. (music)", 0, 0)], "(sighs) Turn on the light. (music)"),
        ([Heard("(sighs) [music].", 0, 0)], ""), ([Heard("?", 0, 0)], "?"),
    ])
    func `words invented for silence are dropped`(segments: [Heard], expected: String) throws {
        let words = try #require(TranscriptionAnswer.read(Self.verbose(segments)))
        #expect(words.text == expected)
        #expect(words.confidence.map((0...1).contains) ?? expected.isEmpty)
    }

    @Test(arguments: ["", "{}", "[]", "{\"text\": 1}", "<html>"])
    func `another answer is no transcription`(text: String) {
        #expect(TranscriptionAnswer.read(Array(text.utf8)) == nil)
    }

    @Test func `an answer without segments has its words alone`() {
        #expect(TranscriptionAnswer.read(Array(#"{"text": " Yes,\n no. "}"#.utf8)) == Transcription("Yes, no."))
        #expect(TranscriptionAnswer.read(Array(#"{"text": "[BLANK_AUDIO]\n"}"#.utf8))?.text == "")
    }

    @Test func `deltas grow until they are done`() {
        var words = StreamedWords()
        #expect(words.take(#"{"type": "transcript.text.delta", "delta": "Turn"}"#) == "Turn")
        #expect(words.take(#"{"type": "transcript.text.delta", "delta": " on"}"#) == "Turn on")
        #expect(words.finish() == nil)
        #expect(words.take(#"{"type": "transcript.text.done", "text": "Turn on."}"#) == nil)
        #expect(words.finish() == Transcription("Turn on."))
    }

    @Test func `a segment in each event is joined`() {
        var words = StreamedWords()
        #expect(words.take(#"{"text": "Turn on"}"#) == "Turn on")
        #expect(words.take("the light.") == "Turn on the light.")
        #expect(words.take("[DONE]") == nil)
        #expect(words.finish() == Transcription("Turn on the light."))
    }
}
