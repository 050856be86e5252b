// SPDX-License-Identifier: MIT

import Domain
import Testing

@testable import parley

@Suite struct SpeakableTextTests {
    @Test(arguments: ["Hello", "42", "naïve café", "Straße", "🎉 party", "x²"])
    func `a text in Latin letters is spoken`(_ text: String) {
        let speakable = SpeakableText(text)
        #expect(speakable.refusal == nil && speakable.warning == nil)
    }

    @Test(arguments: [
        ("你好，世界", "cmn"), ("こんにちは", "ja"), ("안녕하세요", "ko"), ("Привет", "ru"), ("Γειά", "el"), ("שלום", "he"),
        ("مرحبا", "ar"), ("नमस्ते", "hi"),
    ])
    func `a text in other letters names its language`(_ text: String, _ language: String) {
        let refusal = SpeakableText(text).refusal
        #expect(refusal?.message == "This voice cannot speak that; try --language \(language).")
    }

    @Test(arguments: ["🎉", "…", "!?", "🎉🎉 —"])
    func `a text without letters is refused`(_ text: String) {
        #expect(SpeakableText(text).refusal?.message.contains("Write it in words") == true)
    }

    @Test func `what is left out of a mixed text is said`() {
        let speakable = SpeakableText("Hello, 世界")
        #expect(speakable.refusal == nil)
        #expect(speakable.warning?.english.contains("--language cmn") == true)
    }
}
