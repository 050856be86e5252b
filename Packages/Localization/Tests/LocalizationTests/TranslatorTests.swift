// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Localization

struct TranslatorTests {
    private func translator(_ language: Language?, _ body: String = CatalogueFixture.german) throws -> Translator {
        let fixture = try CatalogueFixture()
        try fixture.add(language?.code ?? "", body)
        return fixture.finder.translator(for: try #require(language))
    }

    @Test func `texts are translated and filled in`() throws {
        let german = try translator(Language("de-AT"))
        #expect(german.language.tag == "de-AT")
        #expect(german(tr("Cancel")) == "Abbrechen")
        #expect(german(trc("verb", "Open")) == "Öffnen")
        #expect(german(tr("Synced with {device}", ["device": "Küche"])) == "Mit Küche abgeglichen")
        #expect(german(trn("{count} message", "{count} messages", count: 1)) == "1 Nachricht")
        #expect(german(trn("{count} message", "{count} messages", count: 12_345)) == "12.345 Nachrichten")
        #expect(german(tr("Nobody translated {this}", ["this": "me"])) == "Nobody translated me")
        #expect(Translator.english(trn("{count} message", "{count} messages", count: 1)) == "1 message")
        #expect(Translator.english(trcn("x", "{count} message", "{count} messages", count: 0)) == "0 messages")
    }

    @Test func `a text of a table keeps its braces`() throws {
        let german = try translator(Language("de"))
        #expect(german(table: "Cancel") == "Abbrechen" && german(table: "{a} {\"b\": 1}") == "{a} {\"b\": 1}")
        #expect(Translator.english(table: "{a}") == "{a}")
        let accented = Translator(.accentedEnglish)(table: "Say {name} {\"b\": 1}")
        #expect(accented.hasPrefix("[Šåý {name} {\"ƀ\": 1}"), "\(accented)")
    }

    @Test(arguments: [
        ("اكتب --json هنا", "اكتب \u{200E}--json هنا"),
        ("في ~/.config أو [OPTIONS]", "في \u{200E}~/.config أو \u{200E}[OPTIONS]\u{200E}"),
        ("اضغط Ctrl-C.", "اضغط Ctrl-C."), ("{heading}:", "{heading}:"), ("من 1 إلى -5 (مرة)", "من 1 إلى -5 (مرة)"),
        ("(NAME)", "\u{200E}(NAME)\u{200E}"),
    ])
    func `signs stay with their Latin word in a text from right to left`(_ text: String, _ marked: String) throws {
        #expect(TextDirection.withMarkedWords(text, in: try #require(Language("ar"))) == marked)
        #expect(TextDirection.withMarkedWords(text, in: try #require(Language("de"))) == text)
    }

    @Test func `a region's catalogue precedes its language's`() throws {
        let fixture = try CatalogueFixture()
        try fixture.add("de", "msgid \"a\"\nmsgstr \"de\"\n\nmsgid \"b\"\nmsgstr \"de\"\n")
        try fixture.add("de_AT", "msgid \"a\"\nmsgstr \"de_AT\"\n")
        let translator = fixture.finder.translator(for: try #require(Language("de-AT")))
        #expect([translator(tr("a")), translator(tr("b")), translator(tr("c"))] == ["de_AT", "de", "c"])
        try fixture.add("en_GB", "msgid \"color\"\nmsgstr \"colour\"\n")
        let british = fixture.finder.translator(for: try #require(Language("en_GB")))
        #expect([british(tr("color")), british(tr("a")), british.language.tag] == ["colour", "a", "en-GB"])
    }

    @Test func `the build folder precedes the resources`() throws {
        let (build, resources) = (try CatalogueFixture(), try CatalogueFixture())
        try build.add("de", "msgid \"a\"\nmsgstr \"build\"\n")
        try resources.add("de", "msgid \"a\"\nmsgstr \"resources\"\n")
        try resources.add("es", "msgid \"a\"\nmsgstr \"resources\"\n")
        let finder = CatalogueFinder(
            domain: "test", buildFolder: build.root, resourceFolder: resources.root, systemFolder: nil)
        #expect(finder.translator(for: try #require(Language("de")))(tr("a")) == "build")
        #expect(finder.translator(for: try #require(Language("es")))(tr("a")) == "resources")
        #expect(CatalogueFinder(domain: "test").folders == ["/usr/share/locale"])
    }

    @Test func `a damaged catalogue gives English and its error`() throws {
        let fixture = try CatalogueFixture()
        try fixture.add("ar", plurals: "nplurals=2; plural=n!=1;", "msgid \"a\"\nmsgstr \"b\"\n")
        let path = fixture.path("ar")
        try fixture.folder.write(
            try fixture.folder.bytes("ar/LC_MESSAGES/test.mo").map { $0 == UInt8(ascii: "!") ? UInt8(ascii: "%") : $0 },
            to: "ar/LC_MESSAGES/test.mo")
        let translator = fixture.finder.translator(for: try #require(Language("ar")))
        #expect(translator.language == .english)
        #expect(translator(trn("{count} day", "{count} days", count: 1000)) == "1,000 days")
        #expect(translator.problems.map(\.code) == [.pluralForms])
        #expect(translator.problems.first?.message.contains(path) == true)
        #expect(fixture.finder.translator(for: try #require(Language("fr"))).problems.isEmpty)
    }

    @Test func `wrong placeholders of a translation are harmless`() throws {
        let translator = try translator(
            Language("de"),
            """
            msgid "Lacks {a} {b}"
            msgstr "Ohne {a}"

            msgid "Invents {a}"
            msgstr "{a} und {invented}"

            msgid "Strays {a}"
            msgstr "{a} und { und %s %n"

            msgid "Braces {{a}}"
            msgstr "Klammern {{a}} %n%s"

            """)
        #expect(translator(tr("Lacks {a} {b}", ["a": 1, "b": 2])) == "Ohne 1")
        #expect(translator(tr("Invents {a}", ["a": 1])) == "Invents 1")
        #expect(translator(tr("Strays {a}", ["a": 1])) == "Strays 1")
        #expect(translator(tr("Braces {{a}}")) == "Klammern {a} %n%s")
        #expect(translator(tr("Forgotten {a} { } }} {1} {é}", ["b": 1])) == "Forgotten {a} { } } {1} {é}")
        // A value is not read as a template again.
        #expect(translator(tr("{a} {b}", ["a": "{b}", "b": "x"])) == "{b} x")
    }

    @Test func `values take the language's form`() throws {
        let german = try translator(Language("de"))
        let text = tr(
            "{n} {d} {p} {s} {t} {day} {l} {m}",
            [
                "n": .number(-1234), "d": .decimal(1234.5, fractionDigits: 2), "p": .percent(0.4),
                "s": .byteCount(1_500_000),
                "t": .duration(.seconds(61)), "day": .date(year: 2026, month: 3, day: 1), "l": .list(["a", 2, "c"]),
                "m": .message(tr("Cancel")),
            ])
        #expect(
            german(text) == "-1.234 1.234,50 40\u{A0}% 1,5 MB 1 Minute und 1 Sekunde 1. März 2026 a, 2 und c Abbrechen")
        #expect(text == text)
    }

    @Test func `inserted text is isolated where direction matters`() throws {
        let fixture = try CatalogueFixture()
        try fixture.add("ar", "msgid \"{n}: {x}\"\nmsgstr \"{n} ← {x}\"\n")
        let arabic = fixture.finder.translator(for: try #require(Language("ar")))
        let english = Translator.english
        func shown(_ translator: Translator, _ value: TextValue) -> String {
            translator(tr("{n}: {x}", ["n": 1, "x": value]))
        }
        #expect(shown(english, "box") == "1: box")
        #expect(shown(english, "صندوق") == "1: \u{2068}صندوق\u{2069}")
        #expect(shown(arabic, "box") == "1 ← \u{2068}box\u{2069}")
        #expect(shown(arabic, 5) == "1 ← 5")
        #expect(shown(arabic, "") == "1 ← ")
        // An override that is not closed would turn the line, an end of isolation would break out.
        #expect(shown(english, "a\u{202E}b\u{2069}c") == "1: abc")
        #expect(shown(arabic, "a\u{2069}\u{202E}b") == "1 ← \u{2068}ab\u{2069}")
    }

    @Test func `the pseudo-languages change the text alone`() {
        let text = trn("{count} new message: {text}", "{count} new messages: {text}", count: 2000, ["text": "hello"])
        #expect(
            Translator(.accentedEnglish)(text)
                == "[2,000 ñéŵ ṁéššåĝéš: hello one two th]")
        #expect(
            Translator(.mirroredEnglish)(tr("OK, {text}!", ["text": "hello"]))
                == "\u{200F}\u{202E}OK\u{202C}\u{200F}, \u{2068}hello\u{2069}!")
        #expect(Translator(.accentedEnglish)(tr("")) == "")
        #expect(Translator(.accentedEnglish)(tr("{{x}} {")) == "[{ẋ} { on]")
        #expect(Translator(.accentedEnglish)(tr("OK\n")) == "[ÖĶ o]\n")
    }

    @Test func `accented text is at least 40 % longer`() {
        for count in 1...100 {
            let text = String(repeating: "a", count: count)
            let longer = Pseudolanguage.accented.text(text)
            #expect(longer.count * 5 >= count * 7)
            #expect(!longer.contains("a "))
        }
    }
}
