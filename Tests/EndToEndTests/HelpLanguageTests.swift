// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Help and errors of usage in the languages that parley has.
@Suite(.timeLimit(.minutes(5))) struct HelpLanguageTests {
    private static let usage = ["de": "Aufruf:", "es": "Uso:", "ar": "الاستخدام:", "ja": "使い方:"]
    private let parley: ParleyProcess

    init() async throws {
        parley = try ParleyProcess()
        try await ParleyProcess.buildCatalogues()
    }

    private func help(_ words: [String], _ environment: [String: String]) async throws -> String {
        let running = try parley.start(words, environment: environment)
        running.write("")
        let result = await running.finished()
        #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
        return result.output
    }

    /// The lines of a list of commands: the name, and the summary behind it.
    private func summaries(_ help: String) -> [String: String] {
        Dictionary(
            help.split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap { line in
                let parts = line.drop { $0 == " " }.split(separator: "  ", maxSplits: 1)
                return parts.count == 2 ? (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test(arguments: ["de", "es", "ar", "ja"]) func `help is in the language of the system`(tag: String) async throws {
        let english = try await help(["--help"], [:])
        let translated = try await help(["--help"], ["LANG": "\(tag).UTF-8"])
        let (source, target) = (summaries(english), summaries(translated))
        #expect(source.count > 100 && Set(source.keys) == Set(target.keys))
        for (command, summary) in source { #expect(target[command] != summary, "\(command) is in English") }
        let usage = try #require(Self.usage[tag])
        #expect(translated.contains("\n\(usage) parley COMMAND"), "\(translated.prefix(300))")
        let command = try await help(["sync", "now", "--help"], ["LANG": "\(tag).UTF-8"])
        #expect(command.contains("\(usage) parley sync now"), "\(command)")
        let group = try await help(["sync"], ["LANG": "\(tag).UTF-8"])
        #expect(group.hasPrefix(usage) && group.contains("parley sync COMMAND --help"), "\(group)")
    }

    /// As `swift build` leaves it, without Scripts/run.
    @Test func `a program in a build folder reads the sources of its checkout`() async throws {
        let checkout = URL(filePath: parley.path("checkout"))
        let program = checkout.appending(path: ".build/triple/release/parley")
        for folder in [program.deletingLastPathComponent(), checkout.appending(path: "l10n")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(at: URL(filePath: ParleyProcess.executable), to: program)
        let source = URL(filePath: #filePath).appending(path: "../../../l10n/de.po").standardized
        try FileManager.default.copyItem(at: source, to: checkout.appending(path: "l10n/de.po"))
        for (tag, usage) in [("de", "Aufruf:"), ("ja", "Usage:")] {
            let environment = parley.environment.merging(["PARLEY_LANGUAGE": tag]) { $1 }
            let result = try await ChildProcess(
                program.path, ["--help"], environment: .only(environment), errors: .captured
            ).finished()
            #expect(result.code == 0 && result.output.contains(usage), "\(result)")
        }
    }

    @Test func `a setting and a variable precede the system`() async throws {
        #expect(try await parley.run("settings", "set", "language", "de").code == 0)
        #expect(try await help(["--help"], [:]).contains("Aufruf:"))
        #expect(try await help(["--help"], ["LANG": "es_ES.UTF-8"]).contains("Aufruf:"))
        #expect(try await help(["--help"], ["PARLEY_LANGUAGE": "ja"]).contains("使い方:"))
        #expect(try await help(["--help"], ["PARLEY_LANGUAGE": "en-XA"]).contains("[Ûšåĝé"))
        let refused = try await parley.run("settings", "set", "language", "klingon")
        #expect(refused.code == 2 && refused.errors.contains("ja"), "\(refused)")
    }

    private static let errors = [
        (
            "de", "Die Option --jsno gibt es nicht. War --json gemeint?",
            "--limit nimmt \"many\" nicht an. Erwartet: eine ganze Zahl von 1 bis"
        ),
        ("es", "No existe la opción --jsno. ¿Quiso", "--limit no acepta \"many\". Se espera: un número entero de 1 a"),
        ("ar", "لا يوجد خيار --jsno. هل", "الوسيط --limit لا يقبل \"many\". المنتظر: عدد صحيح من 1 إلى"),
        ("ja", "オプション --jsno はありません。", "--limit に \"many\" は指定できません。指定できるもの: 1〜"),
    ]

    @Test(arguments: errors)
    func `an error of usage is in the language of the system`(tag: String, option: String, value: String) async throws {
        let language = ["LANG": "\(tag).UTF-8"]
        let isolates: Set<Unicode.Scalar> = ["\u{2068}", "\u{2069}"]
        for (words, text) in [(["ask", "--jsno", "x"], option), (["history", "--limit", "many"], value)] {
            let english = try await parley.start(words).finished()
            let result = try await parley.start(words, environment: language).finished()
            let plain = String(String.UnicodeScalarView(result.errors.unicodeScalars.filter { !isolates.contains($0) }))
            #expect(result.code == 2 && plain.hasPrefix("parley: \(text)"), "\(result)")
            #expect(plain.contains("parley \(words[0]) --help") && !plain.contains("says more"), "\(plain)")
            #expect(english.errors.hasPrefix("parley: ") && english.errors.contains(" --help says more."), "\(english)")
            #expect((tag == "ar") == (plain != result.errors), "\(result)")
            let object = try await parley.start(words + ["--json"]).finished()
            let translated = try await parley.start(words + ["--json"], environment: language).finished()
            let output = SentenceLanguageTests.english(translated.output)
            #expect(object.output == output && translated.errors.isEmpty, "\(translated)")
        }
    }

    @Test(arguments: [
        (["--json"], nil), (["--verbose"], "Name a command first"), (["aks"], "There is no command"),
        (["aks"], "Did you mean"), (["mcp", "tols"], " has: "), (["ask", "--jsno"], "There is no option"),
        (["ask", "-x"], "Put an argument"), (["ask", "--static=1"], "The option"),
        (["ask", "--static=1"], "takes no value"),
        (["talk", "--input"], "needs a value"), (["completion"], " is missing"),
        (["devices", "x"], "one argument too many"),
        (["history", "--limit", "1", "--limit", "1"], "is given twice"), (["history", "--limit", "0"], " takes "),
        (["history", "--limit", "0"], "a whole number from"), (["completion", "tcsh"], "cannot be"),
        (["completion", "tcsh"], "Choose one of"), (["voices", "add", "x", "--rate", "x"], "a number from"),
        (["stats", "--since", "x"], "a day such as"), (["recordings", "play", "x"], "of a name from"),
    ])
    func `each part of an error of usage is translated`(words: [String], part: String?) async throws {
        let accented = ["LANG": "C", "PARLEY_LANGUAGE": "en-XA"]
        let english = try await parley.start(words).finished()
        let result = try await parley.start(words, environment: accented).finished()
        #expect(english.code == 2 && result.code == 2, "\(english) \(result)")
        guard let part else {
            let output = SentenceLanguageTests.english(result.output)
            return #expect(english.output == output && result.errors.isEmpty, "\(result)")
        }
        #expect(english.errors.contains(part) && english.errors.contains("says more"), "\(english)")
        #expect(!result.errors.contains(part) && !result.errors.contains("says more"), "\(result)")
    }

    @Test func `what was typed cannot drive the terminal in any language`() async throws {
        let result = try await parley.start(
            ["aks\u{1B}[31m\u{202E}{command}"], environment: ["LANG": "de.UTF-8"]
        ).finished()
        #expect(result.errors.contains("\"aks [31m{command}\" gibt es nicht"), "\(result)")
    }

    @Test(arguments: ["xx_YY.UTF-8", "de/../../../tmp", "../de", "C", "", "d"])
    func `a language that there is not is English`(name: String) async throws {
        #expect(try await help(["--help"], ["LANG": name]).contains("Usage: parley COMMAND"))
    }
}
