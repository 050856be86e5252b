// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Domain
import Echo
import Speech
import Testing

@testable import parley

@Suite struct ErrorReportTests {
    @Test(
        arguments: [
            SocketError(.addressInUse, "why"), SocketError(.broken, "why"), SpeechError(.unknownWords, "why"),
            SpeechError(.recognitionFailed, "why"),
        ] as [any Error])
    func `an error of a package has its words in English and a sentence elsewhere`(error: any Error) {
        let sentence = Sentence(error is SpeechError ? DomainError(translating: error) : error)
        #expect(sentence.english == "why" && sentence.verbatim == nil, "\(sentence.pattern)")
    }

    @Test(arguments: [VoiceTraceError.foreign, .damaged(line: 3, reason: "why"), .unknownVersion(9)])
    func `an error of a trace is a sentence`(error: VoiceTraceError) {
        #expect(Sentence(error).verbatim == nil && Sentence(error).original == nil)
    }

    @Test(arguments: ToolRefusal.allCases)
    func `a call that is not made says why in a sentence`(refusal: ToolRefusal) {
        let sentence = AnswerEventText.refusal(ToolUse(id: "1", name: "add", arguments: "{}"), refusal)
        #expect(sentence.pattern.hasPrefix(refusal == .declined ? "You declined {a}." : "{a} was not called: "))
        #expect(!sentence.pattern.contains("{b}"), "\(sentence.pattern)")
    }
}
