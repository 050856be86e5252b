// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import parley

@Suite struct ArgumentParserTests {
    private let parser = ArgumentParser(commands: [
        CommandSpecification(
            path: ["play"], summary: "Play",
            positionals: [
                PositionalSpecification(name: "FILE", arity: .one, help: ""),
                PositionalSpecification(name: "MORE", arity: .optional, help: ""),
            ],
            options: [
                OptionSpecification(name: "loud", short: "l", help: ""),
                OptionSpecification(name: "rate", short: "r", value: "HZ", help: ""),
                OptionSpecification(name: "mode", value: "MODE", help: "", completion: .choices(["slow", "fast"])),
            ]),
        CommandSpecification(path: ["list"], summary: "List"),
        CommandSpecification(
            path: ["list", "all"], summary: "List all",
            positionals: [PositionalSpecification(name: "WORDS", arity: .any, help: "")]),
    ])

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .run(let invocation) = try parser.parse(words) else { throw Unexpected() }
        return invocation
    }

    private struct Unexpected: Error {}

    private func message(_ words: [String]) -> String? {
        do {
            _ = try parser.parse(words)
            return nil
        } catch { return error.message }
    }

    @Test(arguments: [
        ["play", "f", "--rate", "8000"], ["play", "--rate=8000", "f"], ["play", "-r", "8000", "f"],
        ["play", "-r8000", "f"], ["play", "f", "-r", "8000"],
    ])
    func everyWayToGiveAValue(_ words: [String]) throws {
        guard case .run(let invocation) = try parser.parse(words) else { throw Unexpected() }
        #expect(invocation["rate"] == "8000")
        #expect(invocation.positionals == ["f"])
        #expect(try invocation.integer("rate", in: 1...8000) == 8000)
        #expect(throws: UsageError.self) { try invocation.integer("rate", in: 1...7999) }
    }

    @Test func shortFlagsBundleWithAValueAtTheEnd() throws {
        let invocation = try invocation("play", "-lvr8000", "f")
        #expect(invocation.has("loud") && invocation.has("verbose"))
        #expect(invocation["rate"] == "8000")
    }

    @Test func twoDashesEndTheOptions() throws {
        #expect(try invocation("play", "--", "--loud").positionals == ["--loud"])
        #expect(try invocation("play", "-").positionals == ["-"])
    }

    @Test func theLongestCommandWins() throws {
        #expect(try invocation("list", "all", "x").command.name == "list all")
        #expect(try invocation("list").command.name == "list")
    }

    @Test(arguments: [
        (["plya"], "play"), (["play"], "FILE is missing"), (["play", "a", "b", "c"], "\"c\" is one argument too many"),
        (["play", "f", "--laud"], "Did you mean --loud?"), (["play", "f", "-x"], "There is no option -x"),
        (["play", "f", "--rate"], "needs a value"), (["play", "f", "--rate="], "needs a value"),
        (["play", "f", "--loud=1"], "takes no value"), (["play", "f", "--rate", "1", "--rate", "2"], "given twice"),
        (["play", "f", "--mode", "fats"], "Did you mean fast?"), (["--loud"], "Name a command first"),
        (["list", "some"], "one argument too many"),
    ])
    func whatIsWrongIsSaid(_ words: [String], _ expected: String) {
        #expect(message(words)?.contains(expected) == true, "\(message(words) ?? "no error")")
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], []])
    func helpOfTheProgram(_ words: [String]) throws {
        guard case .help(nil) = try parser.parse(words) else { throw Unexpected() }
    }

    @Test(arguments: [["help", "play"], ["play", "--help"], ["play", "f", "-h"]])
    func helpOfACommand(_ words: [String]) throws {
        guard case .help(let command?) = try parser.parse(words) else { throw Unexpected() }
        #expect(command.name == "play")
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
            if case .run(let invocation)? = try? parser.parse(words) {
                #expect(words.starts(with: invocation.command.path), "seed \(seed): \(words)")
            }
        }
    }
}
