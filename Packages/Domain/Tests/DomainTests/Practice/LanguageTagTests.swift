// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct LanguageTagTests {
    @Test(arguments: [
        ("EN-us", "en-US"), ("de", "de"), ("zh-hant-tw", "zh-Hant-TW"), ("sl-IT-nedis", "sl-IT-nedis"),
        ("es-419", "es-419"),
    ])
    func tagsGetTheirUsualCase(text: String, tag: String) {
        #expect(LanguageTag(text)?.description == tag)
    }

    @Test(arguments: [
        "", "e", "engl", "en_US", "en-", "-en", "en--US", "e1", "ен", "en-x", "en-üb",
        "en-" + String(repeating: "a", count: 40),
    ])
    func anythingElseIsNone(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test func aLanguageMatchesItsRegions() throws {
        let tags = try ["pt", "pt-BR", "ptx"].map { try #require(LanguageTag($0)) }
        #expect(tags[0].matches(tags[1]) && tags[0].matches(tags[0]))
        #expect(!tags[1].matches(tags[0]) && !tags[0].matches(tags[2]))
        #expect(tags[1].primary == "pt")
    }

    @Test func `an id is made of its halves`() {
        for _ in 0..<100 {
            let id = Identifier<Cue>()
            #expect(Identifier<Cue>(high: id.halves.high, low: id.halves.low) == id)
        }
    }
}
