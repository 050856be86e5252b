// SPDX-License-Identifier: MIT

import TestKit
import Testing

/// Themes, and terminals on which nothing is written anew.
@Suite(.timeLimit(.minutes(5))) struct TerminalLooksTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func terminal(_ words: [String], _ environment: [String: String]) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + words, environment: parley.environment.merging(environment) { $1 })
    }

    @Test(arguments: [
        (["--static"], ["TERM": "xterm", "NO_COLOR": "1"]),
        ([], ["TERM": "xterm", "NO_COLOR": "1", "PARLEY_STATIC": "1"]),
        ([], ["TERM": "dumb", "CLICOLOR_FORCE": "1"]),
    ])
    func `a static chat writes no escape sequence`(_ words: [String], _ environment: [String: String]) async throws {
        let terminal = try terminal(["chat", "--offline"] + words, environment)
        try await terminal.shows("› ")
        try terminal.type("capital of Texax")
        try await terminal.shows("capital of Texax")
        try terminal.type("\u{7F}")
        try await terminal.shows("\u{8} \u{8}")
        try terminal.type("s\r")
        try await terminal.shows("Austin")
        try await terminal.shows("› ")
        // An arrow brings the question back, on the line of the empty prompt.
        try terminal.type("\u{1B}[A")
        try await terminal.shows("capital of Texas")
        try terminal.type("\r")
        try await terminal.shows("Austin")
        try await terminal.shows("› ")
        try terminal.type("\u{4}")
        #expect(await terminal.code() == 0)
        #expect(!terminal.text.contains("\u{1B}"), "\(terminal.text.debugDescription)")
    }

    @Test func `a code for another device is shown whole in colours`() async throws {
        let place = try TemporaryFolder()
        let setUp = try await parley.run(
            "sync", "setup", "--name", "desk", "--store", "file", "--folder", place.path)
        #expect(setUp.code == 0, "\(setUp.errors)")
        let terminal = try terminal(["sync", "add-device"], ["TERM": "xterm-256color"])
        try await terminal.shows("Waiting for the other device.")
        #expect(terminal.text.contains(/The code is [A-Z0-9-]+\. Waiting/), "\(terminal.text.debugDescription)")
        try terminal.type("\u{3}")
        #expect(await terminal.code() == 130)
    }

    @Test func `a map fits a narrow terminal`() async throws {
        let run = try TerminalRun(
            [ParleyProcess.executable, "map", "TX"],
            environment: parley.environment.merging(["NO_COLOR": "1"]) { $1 }, size: (columns: 30, rows: 24))
        #expect(await run.code() == 0)
        let lines = run.text.split(separator: "\r\n")
        #expect(lines.count > 8 && lines.allSatisfy { $0.count <= 30 }, "\(run.text)")
    }

    @Test func `the theme is a setting`() async throws {
        let environment = ["TERM": "xterm-256color"]
        func map(_ more: [String: String] = [:]) async throws -> String {
            let terminal = try terminal(["map", "TX", "--width", "40"], environment.merging(more) { $1 })
            #expect(await terminal.code() == 0)
            return terminal.text
        }
        #expect(try await map().contains("\u{1B}[38;5;208m"), "the orange of auto")
        #expect(try await parley.run("settings", "set", "theme", "light").code == 0)
        let light = try await map()
        #expect(light.contains("\u{1B}[") && !light.contains("\u{1B}[38;5;208m"))
        #expect(try await map(["COLORTERM": "truecolor"]).contains("\u{1B}[38;2;149;56;0m"))
        #expect(try await !map(["PARLEY_THEME": "plain"]).contains("\u{1B}"))
        let wrong = try await map(["PARLEY_THEME": "pink"])
        #expect(wrong.contains("one of auto, light, dark, high-contrast, plain") && wrong.contains("Austin"))
    }

    @Test(arguments: ["auto", "light", "dark", "high-contrast"])
    func `the gallery shows a theme`(_ theme: String) async throws {
        let forced = ["CLICOLOR_FORCE": "1", "TERM": "xterm-256color"]
        let run = try await parley.run("dev", "gallery", "--width", "40", "--theme", theme, environment: forced)
        let plain = try await parley.run("dev", "gallery", "--width", "40", "--theme", theme)
        #expect(run.code == 0 && run.output.contains("\u{1B}["), "\(run.errors)")
        #expect(run.output.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.output)
    }

    @Test func `commands for development are in no list`() async throws {
        #expect(try await !parley.run("--help").output.contains("gallery"))
        #expect(try await parley.run("dev").output.contains("dev gallery"))
        #expect(try await parley.run("dev", "galery").code == 2)
    }
}
