// SPDX-License-Identifier: MIT

import Testing

@testable import Speech

@Suite struct ESpeakVoicesTests {
    private let voices = ESpeakVoices(
        listing: """
            Pty Language       Age/Gender VoiceName          File                 Other Languages
             5  cmn             --/M      Chinese_(Mandarin)  sit/cmn              (zh-cmn 5)(zh 5)
             5  de              --/M      German              gmw/de
             2  en-gb           --/M      English_(Great_Britain) gmw/en           (en 2)
             2  en-us           --/M      English_(America)   gmw/en-US            (en 3)
             5  fr-be           --/M      French_(Belgium)    roa/fr-BE            (fr 8)
             5  fr-fr           --/M      French_(France)     roa/fr               (fr 5)
             5  sr-latn-rs      --/M      Serbian             zls/sr
            """)

    @Test(arguments: [
        ("de", "de"), ("DE", "de"), ("de-DE", "de"), ("de_AT", "de"), ("fr", "fr-fr"), ("fr-ca", "fr-fr"),
        ("en", "en-gb"), ("en-US", "en-us"), ("en-AU", "en-gb"), ("zh", "cmn"), ("zh-TW", "cmn"), ("sr", "sr-latn-rs"),
    ])
    func `the nearest voice is found`(_ language: String, _ voice: String) {
        #expect(voices.nearest(to: language) == voice)
    }

    @Test(arguments: ["", "-", "x", "french", "e", "d"])
    func `a tag of no language has no voice`(_ language: String) {
        #expect(voices.nearest(to: language) == nil)
    }

    @Test func `tags are listed once and sorted`() {
        #expect(voices.tags == ["cmn", "de", "en-gb", "en-us", "fr-be", "fr-fr", "sr-latn-rs"])
    }
}
