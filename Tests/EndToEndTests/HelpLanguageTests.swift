// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Help in the languages that parley has.
@Suite(.timeLimit(.minutes(5))) struct HelpLanguageTests {
    private static let usage = ["de": "Aufruf:", "es": "Uso:", "ar": "الاستخدام:", "ja": "使い方:"]
    private let parley: ParleyProcess

    init() async throws {
        parley = try ParleyProcess()
        let folder = URL(filePath: ParleyProcess.executable).deletingLastPathComponent()
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let build = try ParleyProcess.start(
            [root.appending(path: "Scripts/l10n").path, "build", folder.appending(path: "locale").path],
            environment: ["PATH": "/usr/bin:/bin"])
        let result = await build.finished()
        try #require(result.code == 0, "\(result)")
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

    @Test func `a setting and a variable precede the system`() async throws {
        #expect(try await parley.run("settings", "set", "language", "de").code == 0)
        #expect(try await help(["--help"], [:]).contains("Aufruf:"))
        #expect(try await help(["--help"], ["LANG": "es_ES.UTF-8"]).contains("Aufruf:"))
        #expect(try await help(["--help"], ["PARLEY_LANGUAGE": "ja"]).contains("使い方:"))
        #expect(try await help(["--help"], ["PARLEY_LANGUAGE": "en-XA"]).contains("[Ûšåĝé"))
        let refused = try await parley.run("settings", "set", "language", "klingon")
        #expect(refused.code == 2 && refused.errors.contains("ja"), "\(refused)")
    }

    @Test(arguments: ["xx_YY.UTF-8", "de/../../../tmp", "../de", "C", "", "d"])
    func `a language that there is not is English`(name: String) async throws {
        #expect(try await help(["--help"], ["LANG": name]).contains("Usage: parley COMMAND"))
    }
}
