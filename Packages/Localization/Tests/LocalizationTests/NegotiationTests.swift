// SPDX-License-Identifier: MIT

import Testing

@testable import Localization

struct NegotiationTests {
    private static let existing = ["ar", "de", "en-GB", "pt-BR", "sr", "zh-Hant"]

    private func exists(_ language: Language) -> Bool { Self.existing.contains(language.tag) }

    private func language(acceptLanguage: String) -> String {
        LanguageNegotiation.language(acceptLanguage: acceptLanguage, exists).tag
    }

    @Test(
        arguments: [
            ([:], "en"), (["LANG": ""], "en"), (["LANG": "de"], "de"), (["LANG": "de_AT.UTF-8"], "de-AT"),
            (["LANG": "de_DE@euro"], "de-DE"), (["LANG": "sr_RS.UTF-8@latin"], "sr-RS"),
            (["LANG": "ar", "LC_MESSAGES": "de"], "de"),
            (["LANG": "ar", "LC_MESSAGES": "de", "LC_ALL": "pt_BR"], "pt-BR"),
            (["LANG": "ar", "LC_ALL": "", "LC_MESSAGES": ""], "ar"),
            (["LANG": "de", "LANGUAGE": "fr:pt_BR:ar"], "pt-BR"), (["LANG": "de", "LANGUAGE": ""], "de"),
            // Without a locale, or with one of the two plain ones, LANGUAGE counts for nothing.
            (["LANGUAGE": "de"], "en"), (["LANG": "C", "LANGUAGE": "de"], "en"),
            (["LANG": "POSIX", "LANGUAGE": "de"], "en"),
            (["LANG": "C.UTF-8", "LANGUAGE": "de"], "en"), (["LC_ALL": "C", "LANG": "de"], "en"),
            (["LANG": "de", "LANGUAGE": "fr:C:de"], "en"), (["LANG": "de", "LANGUAGE": "en_US:de"], "en-US"),
            (["LANG": "de", "LANGUAGE": "fr:it"], "en"), (["LANG": "de", "LANGUAGE": ":::de"], "de"),
            // Nonsense, paths and what does not exist.
            (["LANG": "../../etc"], "en"), (["LANG": "de/../ar"], "en"), (["LANG": "x"], "en"),
            (["LANG": "deutsch"], "en"),
            (["LANG": "\u{E4}\u{E4}"], "en"), (["LANG": "_"], "en"), (["LANG": "."], "en"), (["LANG": "@"], "en"),
            (["LANG": "de__AT"], "en"), (["LANG": "de", "LANGUAGE": "????:de"], "de"), (["LANG": "pt"], "en"),
            (["LANG": "en_XA"], "en-XA"), (["LANG": "zh_Hant_TW"], "zh-Hant-TW"), (["LANG": "zh_TW"], "en"),
        ] as [([String: String], String)])
    func `the environment chooses by POSIX and GNU`(environment: [String: String], tag: String) {
        #expect(LanguageNegotiation.first(of: LanguageNegotiation.wishes(environment: environment), exists).tag == tag)
    }

    @Test func `a setting precedes the environment`() throws {
        let fixture = try CatalogueFixture()
        for language in ["ar", "de"] { try fixture.add(language, "msgid \"a\"\nmsgstr \"b\"\n") }
        let cases: [(String?, String)] = [
            (nil, "ar"), ("", "ar"), ("de", "de"), ("de-AT", "de-AT"), ("en", "en"), ("en-XB", "en-XB"), ("fr", "en"),
            ("???", "en"), (String(repeating: "x", count: 100_000), "en"),
        ]
        for (setting, tag) in cases {
            #expect(fixture.finder.language(setting: setting, environment: ["LANG": "ar"]).tag == tag)
        }
        #expect(fixture.finder.language(acceptLanguage: "fr, de;q=0.5").tag == "de")
        #expect(fixture.finder.language(acceptLanguage: nil) == .english)
    }

    @Test(arguments: [
        ("de", "de"), ("DE", "de"), ("de-AT, en;q=0.5", "de-AT"), ("fr, de;q=0.8, ar;q=0.9", "ar"), ("fr", "en"),
        ("", "en"),
        ("ar;q=0.5, de;q=0.5", "ar"), ("de;q=0, ar;q=0.1", "ar"), ("de-AT, de;q=0", "en"), ("*", "en"),
        ("fr, *;q=0.5, de;q=0.1", "en"),
        ("fr, *;q=0, de;q=0.1", "de"), ("de;q=0.001", "de"), ("de;q=1.000", "de"), ("ar ; q=0.2 , de\t;\tQ=0.7", "de"),
        // Weights and ranges that break the grammar are skipped.
        ("de;q=2, ar", "ar"), ("de;q=0.1234, ar;q=0.1", "ar"), ("de;q=-1, ar;q=0.1", "ar"),
        ("de;q=1.001, ar;q=0.1", "ar"),
        ("de;q=, ar;q=0.1", "ar"), ("de;level=1, ar;q=0.1", "ar"), ("de;q=0.5;q=1, ar;q=0.1", "ar"),
        (",,;;,= ,de", "de"),
        ("de_AT, ar;q=0.1", "ar"), ("zh-Hant-TW", "zh-Hant-TW"), ("zh-yue-Hant-HK", "zh-Hant-HK"),
        ("de-DE-1996-x-y", "de-DE"),
        ("i-klingon, x-private, de", "de"), ("en-US,en;q=0.9", "en-US"), ("pt-BR,pt;q=0.9", "pt-BR"),
        ("en;q=0, de", "de"),
    ])
    func `a request chooses by its weights`(header: String, tag: String) {
        #expect(language(acceptLanguage: header) == tag)
    }

    @Test func `a long header is bounded`() {
        let filler = String(repeating: "fr, ", count: 31)
        #expect(language(acceptLanguage: filler + "de") == "de")
        #expect(language(acceptLanguage: filler + "fr, de") == "en")
        #expect(language(acceptLanguage: String(repeating: " ", count: 2000) + "de") == "en")
        #expect(language(acceptLanguage: String(repeating: "q", count: 10_000_000)) == "en")
    }

    @Test func `the languages that exist are listed`() throws {
        let fixture = try CatalogueFixture()
        for folder in ["de", "pt_BR", "zh_Hant", "de_AT.UTF-8", "en"] {
            try fixture.add(folder, "msgid \"a\"\nmsgstr \"b\"\n")
        }
        #expect(fixture.finder.languages.map(\.tag) == ["de", "en", "pt-BR", "zh-Hant"])
        #expect(CatalogueFinder(domain: "test", systemFolder: nil).languages == [.english])
    }

    @Test func `fallbacks drop the region, then the script`() {
        #expect(Language("zh_Hant_TW")?.fallbacks.map(\.tag) == ["zh-Hant-TW", "zh-Hant", "zh"])
        #expect(Language("de")?.fallbacks.map(\.tag) == ["de"])
        #expect(Language("ZH-hANT-tw")?.folderName == "zh_Hant_TW")
        #expect(Language("es-419")?.region == "419")
        #expect(Language("uz_Arab")?.isRightToLeft == true)
        #expect(Language("az_Latn")?.isRightToLeft == false)
    }
}
