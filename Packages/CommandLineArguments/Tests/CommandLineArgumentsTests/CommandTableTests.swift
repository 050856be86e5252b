// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import CommandLineArguments

@Suite struct CommandTableTests {
    private static let loud = Flag("loud", short: "l", help: "")
    private static let verbose = Flag("verbose", short: "v", help: "")
    private static let rate = ValueOption<Int>("rate", short: "r", placeholder: "HZ", help: "", in: 1...8_000)
    private static let mode = ValueOption<Mode>("mode", placeholder: "MODE", help: "", choices: Mode.allCases)
    private static let tag = ValueOption<[String]>(repeated: "tag", placeholder: "TAG", help: "")

    private static let file = Positional<String>("FILE", help: "")
    private static let more = Positional<String?>(optional: "MORE", help: "")
    private static let words = Positional<[String]>(any: "WORDS", help: "")
    private static let speed = Positional<Mode>("MODE", help: "", choices: Mode.allCases)
    private static let pitch = Positional<String>(
        "PITCH", help: "", completion: .following(["slow": ["a", "b"], "fast": ["c"]]))
    private static let numbers = Positional<[Int]>(
        oneOrMore: "NUMBER", help: "", expected: "a whole number", parse: { Int($0) })

    private enum Mode: String, CaseIterable {
        case slow
        case fast
    }

    private let table = CommandTable(
        program: "player",
        commands: [
            CommandSpecification(
                path: ["play"], summary: "Play",
                positionals: [Self.file, Self.more], options: [Self.loud, Self.rate, Self.mode, Self.tag]),
            CommandSpecification(path: ["list"], summary: "List"),
            CommandSpecification(
                path: ["list", "all"], summary: "List all", positionals: [Self.words]),
            CommandSpecification(path: ["skip"], summary: "Skip", positionals: [Self.speed, Self.numbers]),
            CommandSpecification(path: ["tune", "up"], summary: "Up"),
            CommandSpecification(
                path: ["tune", "by", "ear"], summary: "By ear", positionals: [Self.speed, Self.pitch]),
            CommandSpecification(path: ["tune", "by", "fork"], summary: "By a fork", options: [Self.tag]),
        ], everywhere: [Self.verbose])

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .run(let invocation) = try table.parse(words) else { throw Unexpected() }
        return invocation
    }

    private struct Unexpected: Error {}

    private func message(_ words: [String]) -> String? {
        do {
            _ = try table.parse(words)
            return nil
        } catch { return error.message }
    }

    @Test func `help is in another language, and its columns by that language's widths`() {
        let words = [
            "Usage": "用法", "{heading}:": "{heading}：", "{sentence}.": "{sentence}。", "Play": "再生する",
            "{command} says more about one of them.": "詳しくは {command}",
        ]
        let language = HelpLanguage(columns: { $0.utf8.count }) { words[$0] ?? $0 }
        let help = table.help(of: table.commands[0], in: language)
        #expect(help.hasPrefix("再生する。\n\n用法： player play [OPTIONS] FILE [MORE]\n\nArguments：\n"), "\(help)")
        let group = table.help(ofGroup: [table.commands[0]], in: language)
        #expect(group.hasSuffix("\n\n詳しくは player play COMMAND --help\n"), "\(group)")
        #expect(language.padded("é", to: 4) == "é  ")
    }

    @Test(arguments: [
        ["play", "f", "--rate", "8000"], ["play", "--rate=8000", "f"], ["play", "-r", "8000", "f"],
        ["play", "-r8000", "f"], ["play", "f", "-r", "8000"],
    ])
    func everyWayToGiveAValue(_ words: [String]) throws {
        guard case .run(let invocation) = try table.parse(words) else { throw Unexpected() }
        #expect(invocation[Self.rate] == 8000)
        #expect(invocation[Self.file] == "f" && invocation[Self.more] == nil)
    }

    @Test func shortFlagsBundleWithAValueAtTheEnd() throws {
        let invocation = try invocation("play", "-lvr8000", "f")
        #expect(invocation.has(Self.loud) && invocation.has(Self.verbose))
        #expect(invocation[Self.rate] == 8000)
    }

    @Test func `a value has the type of its declaration`() throws {
        let invocation = try invocation("play", "f", "--mode", "fast", "--tag", "a", "--tag=b")
        #expect(invocation[Self.mode] == .fast)
        #expect(invocation[Self.tag] == ["a", "b"])
        #expect(invocation[Self.rate] == nil)
        #expect(invocation.isGiven(Self.mode) && !invocation.isGiven(Self.loud))
    }

    @Test func `an argument has the type of its declaration`() throws {
        let two = try invocation("play", "a", "b")
        #expect(two[Self.file] == "a" && two[Self.more] == "b")
        #expect(try invocation("list", "all", "x", "y")[Self.words] == ["x", "y"])
        #expect(try invocation("list", "all")[Self.words].isEmpty)
        let skip = try invocation("skip", "fast", "1", "--verbose", "2")
        #expect(skip[Self.speed] == .fast && skip[Self.numbers] == [1, 2])
    }

    @Test func `an argument that the command lacks stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let table = CommandTable(program: "p", commands: [CommandSpecification(path: ["run"], summary: "Run")])
            if case .run(let invocation)? = try? table.parse(["run"]) {
                _ = invocation[Positional<String>("FILE", help: "")]
            }
        }
    }

    @Test func `an option that the command lacks stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let table = CommandTable(program: "p", commands: [CommandSpecification(path: ["run"], summary: "Run")])
            if case .run(let invocation)? = try? table.parse(["run"]) { _ = invocation.has(Flag("other", help: "")) }
        }
    }

    @Test func `the version is shown only by a program that has one`() throws {
        #expect(throws: UsageError.self) { try table.parse(["--version"]) }
        guard case .version = try CommandTable(program: "p", commands: [], hasVersion: true).parse(["--version"]) else {
            throw Unexpected()
        }
    }

    @Test func `a default is a value that was not given`() throws {
        let plain = try invocation("play", "f")
        let filled = try plain.withDefault("44", for: "rate").withDefault("x", for: "unknown")
        #expect(filled[Self.rate] == 44 && filled.text(of: "rate") == "44" && !filled.isGiven(Self.rate))
        #expect(filled.text(of: "unknown") == nil && plain[Self.rate] == nil)
        let given = try invocation("play", "f", "--rate", "7").withDefault("44", for: "rate")
        #expect(given[Self.rate] == 7 && given.text(of: "rate") == "7")
        let error = #expect(throws: UsageError.self) { try plain.withDefault("fast", for: "rate") }
        #expect(error?.message.contains("a whole number") == true)
        #expect(try plain.withDefault("x", for: "loud").has(Self.loud) == false, "a flag takes no value")
    }

    @Test func twoDashesEndTheOptions() throws {
        #expect(try invocation("play", "--", "--loud")[Self.file] == "--loud")
        #expect(try invocation("play", "-")[Self.file] == "-")
    }

    @Test func theLongestCommandWins() throws {
        #expect(try invocation("list", "all", "x").command.name == "list all")
        #expect(try invocation("list").command.name == "list")
    }

    @Test(arguments: [
        (["plya"], "play"), (["play"], "FILE is missing"), (["play", "a", "b", "c"], "\"c\" is one argument too many"),
        (["play", "f", "--laud"], "Did you mean --loud?"), (["play", "f", "-x"], "There is no option -x"),
        (["play", "f", "--rate"], "needs a value"), (["play", "f", "--rate="], "needs a value"),
        (["play", "f", "--loud=1"], "takes no value"), (["play", "f", "--rate", "9999", "--rate", "2"], "given twice"),
        (["play", "f", "--mode", "fats"], "Did you mean fast?"),
        (["play", "f", "--rate", "8001"], "--rate takes a whole number from 1 to 8000, not \"8001\"."),
        (["play", "f", "--rate", "fast"], "not \"fast\"."), (["--loud"], "Name a command first: player COMMAND"),
        (["list", "some"], "one argument too many"), (["skip", "fast"], "NUMBER is missing"),
        (["skip", "fats", "1"], "MODE cannot be \"fats\". Did you mean fast? Choose one of: slow, fast."),
        (["skip", "fast", "1", "x"], "NUMBER takes a whole number, not \"x\"."),
        (["tune", "pu"], "There is no command \"tune pu\". Did you mean up? tune has: up, by."),
        (["tune", "by", "eye"], "There is no command \"tune by eye\". tune by has: ear, fork."),
        (["tune", "by", "fokr"], "Did you mean fork?"),
    ])
    func whatIsWrongIsSaid(_ words: [String], _ expected: String) {
        #expect(message(words)?.contains(expected) == true, "\(message(words) ?? "no error")")
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], []])
    func helpOfTheProgram(_ words: [String]) throws {
        guard case .help(nil) = try table.parse(words) else { throw Unexpected() }
    }

    @Test(arguments: [["help", "play"], ["play", "--help"], ["play", "f", "-h"]])
    func helpOfACommand(_ words: [String]) throws {
        guard case .help(let command?) = try table.parse(words) else { throw Unexpected() }
        #expect(command.name == "play")
    }

    @Test(arguments: ["tune", "tune by"])
    func `each word that only begins commands is a group`(_ name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        for line in [words, words + ["--help"], ["help"] + words] {
            guard case .group(let commands) = try table.parse(line) else { throw Unexpected() }
            #expect(table.help(ofGroup: commands).hasPrefix("Usage: player \(name) COMMAND\n\n  \(name) "))
        }
    }

    @Test func `words are offered behind the longest path`() {
        let words = CompletionWords(table)
        #expect(words.arguments(of: "tune") == ["up", "by"] && words.options(of: "tune").isEmpty)
        #expect(words.arguments(of: "tune by") == ["ear", "fork"])
        #expect(words.options(of: "tune by fork") == ["--help", "--tag", "--verbose"])
        #expect(words.arguments(of: "tune by ear").isEmpty)
        let followers = words.followers(of: "tune by ear").map { "\($0.word): \($0.words.joined(separator: " "))" }
        #expect(followers == ["ear: slow fast", "fast: c", "slow: a b"])
    }

    @Test func anythingAtAllIsParsedOrRefused() {
        let alphabet = [
            "play", "list", "all", "-", "--", "-l", "-r", "--rate", "--rate=", "=", "", "-\u{301}", "😀", "--help",
        ]
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let words = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            if case .run(let invocation)? = try? table.parse(words) {
                #expect(words.starts(with: invocation.command.path), "seed \(seed): \(words)")
            }
        }
    }
}
