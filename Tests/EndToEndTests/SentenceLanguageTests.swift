// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Errors, warnings and lines of progress of commands in the person's language (ADR 0081).
@Suite(.timeLimit(.minutes(5))) struct SentenceLanguageTests {
    private let parley: ParleyProcess

    init() async throws {
        parley = try ParleyProcess()
        try await ParleyProcess.buildCatalogues()
    }

    /// The lines of standard error without the marks around inserted text; with `results`, standard output before them.
    private func said(
        _ words: [String], _ environment: [String: String], results: Bool = false
    ) async throws -> String {
        let running = try parley.start(words, environment: environment)
        running.write("")
        let isolates: Set<Unicode.Scalar> = ["\u{2068}", "\u{2069}"]
        let finished = await running.finished()
        let text = (results ? finished.output : "") + finished.errors
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isolates.contains($0) }))
    }

    /// A usage error, a domain error, progress, and a sentence inside another.
    private static let commands = [
        ["map", "Bavaria"], ["ask", "How is the weather?"], ["later", "list"], ["sync", "status"],
        ["history", "search", "zebra"],
    ]

    private static let texts = [
        "de": [
            "parley: Es gibt keinen US-Bundesstaat \"Bavaria\". parley map --help sagt mehr dazu.",
            "Auskunft gibt es nur über US-Bundesstaaten", "Keine Frage wartet.",
            "Sync ist hier nicht eingerichtet. parley sync setup beginnt.", "Keine Nachricht enthält zebra.",
        ],
        "es": [
            "No hay ningún estado de EE. UU. \"Bavaria\".",
            "Solo puedo informar sobre los estados de EE. UU.",
            "Ninguna pregunta espera.", "parley sync setup empieza.", "Ningún mensaje contiene zebra.",
        ],
        "ar": [
            "لا توجد ولاية أمريكية \"Bavaria\".", "الولايات الأمريكية فقط", "لا سؤال منتظر.",
            "لم تُعدّ المزامنة هنا.", "لا رسالة تحتوي zebra.",
        ],
        "ja": [
            "\"Bavaria\" という米国の州はありません。", "お答えできるのは米国の州についてだけです", "待機中の質問はありません。",
            "ここでは同期が設定されていません。", "zebra を含むメッセージはありません。",
        ],
    ]

    @Test func `errors of sound files and devices are in the person's language, too`() async throws {
        let german = ["PARLEY_LANGUAGE": "de"]
        let heard = try await parley.run("transcribe", "nofile.wav", "--json", environment: german)
        let error = try #require(heard.events.first?["error"] as? [String: String], "\(heard)")
        #expect(error["message"]?.hasPrefix("There is no file nofile.wav") == true, "\(error)")
        #expect(error["localized"]?.hasSuffix("There is no file nofile.wav. Check the name.") == true, "\(error)")
        let examined = try await parley.run("audio", "doctor", "--device", "hw:31", "--json", environment: german)
        #expect(!examined.events.isEmpty, "\(examined)")
        for event in examined.events {
            let problem = (event["problems"] as? [[String: String]])?.first
            #expect(problem?["localized"] != nil, "\(event)")
        }
    }

    @Test(arguments: [
        (["speech", "use", "local"], "this machine"), (["mcp", "add", "x", "--no-check", "--", "cat"], "not tried"),
        (["audio", "doctor", "--device", "hw:31"], "microphone"),
        (["speech", "add", "x", "--kind", "wyoming", "--url", "x"], "Wyoming"),
    ])
    func `words of commands are translated`(words: [String], english: String) async throws {
        let plain = try await ParleyProcess().start(words).finished()
        #expect((plain.output + plain.errors).contains(english), "\(plain)")
        let accented = try await said(words, ["PARLEY_LANGUAGE": "en-XA"], results: true)
        #expect(accented.contains("[") && !accented.contains(english), "\(accented)")
    }

    @Test func `an error in JSON is English, with the person's language beside it`() async throws {
        let words = ["map", "Bavaria", "--json"]
        for (tag, text) in [("de", "Es gibt keinen US-Bundesstaat"), ("en", nil)] {
            let running = try parley.start(words, environment: ["LANG": "\(tag).UTF-8"])
            let result = await running.finished()
            let error = try #require(result.events.first?["error"] as? [String: Any], "\(result)")
            #expect((error["message"] as? String)?.hasPrefix("There is no US state") == true, "\(error)")
            #expect((error["localized"] as? String)?.hasPrefix(text ?? "English") == text.map { _ in true }, "\(error)")
        }
    }

    @Test(arguments: ["de", "es", "ar", "ja"])
    func `a command speaks the language of the system`(tag: String) async throws {
        for (words, text) in zip(Self.commands, try #require(Self.texts[tag])) {
            let result = try await said(words, ["LANG": "\(tag).UTF-8"])
            #expect(result.contains(text), "\(words): \(result)")
        }
    }

    /// Results, findings with advice, the privacy text, help of settings, and an error of Networking.
    private static let results = [
        ["doctor"], ["privacy"], ["settings", "list"], ["status"], ["cache", "limit"],
        ["net", "get", "https://parley.invalid/"],
    ]

    private static let shown = [
        "de": [
            "Bundesstaaten und Distrikte", "gilt der englische Text", "Die Sprache der Texte von parley",
            "Modell: keines",
            "Antworten werden", "Der Name des Servers wurde nicht gefunden.",
        ],
        "es": [
            "estados y distritos", "vale el texto inglés", "El idioma de los textos de parley", "Modelo: ninguno",
            "Las respuestas se conservan", "No se encontró el nombre del servidor.",
        ],
        "ar": [
            "عدد الولايات والمقاطعات", "فالنص الإنجليزي هو المعتمد", "لغة نصوص parley", "النموذج: لا شيء",
            "تُحفظ الإجابات", "لم يُعثر على اسم الخادم.",
        ],
        "ja": [
            "の州と地区", "英語の文章が有効です", "parley の文章の言語", "モデル: なし", "回答は",
            "サーバーの名前が見つかりません。",
        ],
    ]

    @Test(arguments: ["de", "es", "ar", "ja"])
    func `results and errors of packages are in the language`(tag: String) async throws {
        for (words, text) in zip(Self.results, try #require(Self.shown[tag])) {
            let result = try await said(words, ["PARLEY_LANGUAGE": tag], results: true)
            #expect(result.contains(text), "\(words): \(result)")
        }
    }

    @Test(arguments: [
        ["privacy"], ["settings", "list"], ["cache", "limit"], ["net", "get", "https://parley.invalid/"],
    ])
    func `results in JSON are English`(words: [String]) async throws {
        let english = try await parley.start(words + ["--json"]).finished()
        let other = try await parley.start(words + ["--json"], environment: ["LANG": "ar.UTF-8"]).finished()
        #expect(english.output == Self.english(other.output) && english.code == other.code, "\(other)")
    }

    @Test func `no word of a sentence is left in English`() async throws {
        for words in Self.commands {
            let english = try await said(words, ["LANG": "C"])
            let accented = try await said(words, ["LANG": "C", "PARLEY_LANGUAGE": "en-XA"])
            let plain = english.replacingOccurrences(of: "parley: ", with: "")
            #expect(!plain.isEmpty && accented.contains("["), "\(words): \(accented)")
            for word in ["There", "only", "waits", "here", "contains", "begins", "For example"] {
                #expect(!accented.contains(" \(word) "), "\(words): \(accented)")
            }
        }
    }

    /// JSON without the person's language beside errors.
    static func english(_ json: String) -> String { json.replacing(/"localized":"([^"\\]|\\.)*",/, with: "") }

    @Test(arguments: ["de", "ar", "en-XB"]) func `JSON is English`(tag: String) async throws {
        for words in Self.commands {
            let english = try await parley.start(words + ["--json"]).finished()
            let other = try await parley.start(words + ["--json"], environment: ["PARLEY_LANGUAGE": tag]).finished()
            let isEqual = english.output == Self.english(other.output) && english.code == other.code
            #expect(isEqual, "\(words): \(other)")
        }
    }
}
