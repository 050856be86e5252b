// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Commands of the program at terminals of three widths, in English, both pseudo-languages and Japanese.
@Suite(.timeLimit(.minutes(10))) struct CommandSnapshotTests {
    static let languages = ["en", "en-XA", "en-XB", "ja"]

    private struct Group {
        let name: String
        let commands: [[String]]
        var widths = [40, 80, 120]
        var languages = CommandSnapshotTests.languages
    }

    private static let groups = [
        Group(name: "overview", commands: [["--help"]], widths: [80]),
        Group(name: "help", commands: [["ask", "--help"]]),
        Group(
            name: "tables",
            commands: [
                ["conversations", "list"], ["history"], ["cues", "list", "--language", "en", "--limit", "3"],
                ["voices", "list"], ["assistant", "list"], ["context", "list"], ["flags"],
            ]),
        Group(
            name: "errors",
            commands: [
                ["map", "Bavaria"], ["ask", "How is the weather?"], ["history", "--limit", "many"], ["aks"],
                ["sync", "status"], ["later", "list"], ["whoami"], ["assistant", "use", "nobody"],
            ]),
        Group(name: "answers", commands: [["ask", "capital of Texas"], ["map", "Texas"], ["status"]]),
        Group(name: "settings", commands: [["settings", "list"]], widths: [40, 80]),
        Group(name: "logs", commands: [["logs"]]),
        // It takes two seconds of processor.
        Group(name: "doctor", commands: [["doctor"]], widths: [40], languages: ["en", "en-XA", "ja"]),
    ]

    private let parley: ParleyProcess
    /// A home with a log of its own, which no other command writes.
    private let logged: ParleyProcess

    init() async throws {
        parley = try ParleyProcess()
        logged = try ParleyProcess()
        try await ParleyProcess.buildCatalogues()
    }

    /// All that a command writes to a terminal.
    private func shown(_ words: [String], _ width: Int, _ language: String) async throws -> [String] {
        let more = ["PARLEY_LANGUAGE": language, "TERM": "xterm-256color"]
        let child = try ChildProcess(
            ParleyProcess.executable, words,
            environment: .only((words == ["logs"] ? logged : parley).environment.merging(more) { $1 }),
            input: .sizedTerminal(columns: width, rows: 50))
        let bytes = await child.detached { child in
            var all: [UInt8] = []
            while case let bytes = child.bytes(), !bytes.isEmpty { all += bytes }
            return all
        }
        let text = masked(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n"))
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The text without what differs by machine and moment; each mark is as wide as what it stands for.
    private func masked(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2026-01-02T03:04:05Z")
            .replacing(/[0-9a-f]{8}(?=  2026-01-02T)/, with: "1234abcd")
    }

    /// The findings that differ by machine: devices, files and durations.
    private static let machine: Set<Substring> = [
        "Microphone", "Loudspeaker", "Journal", "History", "Practice", "Settings", "Timers", "Secrets", "Recogniser",
        "Offline dictation",
    ]

    private func plain(_ line: String) -> String { line.replacing(/\x1B\[[0-9;]*m/, with: "") }

    /// The labels of the findings in English, in their order.
    private func labels(_ lines: [String]) -> [Substring] {
        lines.compactMap { plain($0).firstMatch(of: /^\S+ +([^:]+):/)?.1 }
    }

    /// The lines without findings that differ by machine, by the labels of the same findings in English: each finding begins at the
    /// left edge.
    private func withoutMachine(_ lines: [String], _ labels: [Substring]) throws -> [String] {
        var (result, index, isHidden) = ([String](), 0, false)
        for line in lines {
            if plain(line).first?.isWhitespace == false {
                let label = try #require(index < labels.count ? labels[index] : nil, "more findings than in English")
                isHidden = Self.machine.contains(label)
                if isHidden { result.append("\(label): …") }
                index += 1
            }
            if !isHidden { result.append(line) }
        }
        #expect(index == labels.count, "\(lines)")
        return result
    }

    /// Stores the data that the tables show.
    private func fill() async throws {
        let setups = [
            ["ask", "What is the capital of Texas?"], ["ask", "What is the bird of 東京?"],
            ["voices", "add", "evening", "--voice", "slt", "--rate", "0.8"],
            ["assistant", "add", "home", "--base-url", "http://127.0.0.1:9/v1", "--model", "qwen"],
        ]
        for words in setups { _ = try await parley.start(words).finished() }
        let lines = [("info", "ready", 5), ("warning", "The microphone is lost; it is opened again.", 7)].map {
            #"{"time":"2026-01-02T03:04:0\#($2).000Z","level":"\#($0)","category":"audio","message":"\#($1)"}"#
        }
        let folder = logged.path("home/data/logs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = (lines + ["damaged"]).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: folder + "/parley.log"))
    }

    /// The commands of the help that have subcommands.
    private func commandGroups() async throws -> [String] {
        let help = try await parley.run("--help").output
        let names = help.matches(of: #/(?m)^  ([a-z-]+) [a-z-]+(?: [a-z]+)?  /#).map { String($0.1) }
        return Set(names).sorted()
    }

    @Test func `commands look as they did`() async throws {
        try await fill()
        let helpOfGroups = try await commandGroups().map { [$0, "--help"] }
        #expect(helpOfGroups.count > 20)
        var texts: [String: String] = [:]
        for group in Self.groups + [Group(name: "groups", commands: helpOfGroups, widths: [40])] {
            var sections: [(title: String, lines: [String])] = []
            var english: [Substring] = []
            for words in group.commands {
                for width in group.widths {
                    for language in group.languages {
                        var lines = try await shown(words, width, language)
                        if words == ["doctor"] {
                            if language == "en" { english = labels(lines) }
                            lines = try withoutMachine(lines, english)
                        }
                        sections.append(("\(width) \(language) \(words.joined(separator: " "))", lines))
                    }
                }
            }
            texts[group.name] = SnapshotFolder.text(sections)
        }
        let found = try SnapshotFolder("Tests/EndToEndTests/Snapshots/commands").differences(from: texts)
        #expect(found.isEmpty, "\(found)")
    }
}
