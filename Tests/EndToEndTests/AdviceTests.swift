// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// Mistakes of a person at the terminal: what was meant is said, and nothing is lost.
@Suite(.timeLimit(.minutes(5))) struct AdviceTests {
    @Test func `a file in the place of a socket stays`() async throws {
        let parley = try ParleyProcess()
        let notes = parley.path("notes.txt")
        try Data("precious".utf8).write(to: URL(filePath: notes))
        let serve = try await parley.run("serve", "wyoming", "--uri", "unix://\(notes)")
        #expect(serve.code == 5 && serve.errors.contains("is no socket"), "\(serve.errors)")
        #expect(FileManager.default.contents(atPath: notes) == Data("precious".utf8))
    }

    @Test func `a broken tool server hides no other one`() async throws {
        try await ChatFixture.using { chat in
            #expect(try await chat.parley.run("mcp", "add", "broken", "--no-check", "--", "cat").code == 0)
            let words = ["mcp", "add", "calc", "--timeout", "300", "--"] + chat.plainServer()
            #expect(try await chat.parley.start(words).finished().code == 0)
            let tools = try await chat.parley.run("mcp", "tools")
            #expect(tools.output.contains("calc add") && tools.code != 0, "\(tools.output)")
            #expect(tools.errors.contains("The tools of broken are missing"), "\(tools.errors)")
        }
    }

    @Test func `a tool server runs where it was added`() async throws {
        try await ChatFixture.using { chat in
            let parley = chat.parley
            try FileManager.default.createDirectory(atPath: parley.path("here"), withIntermediateDirectories: true)
            let words = chat.plainServer()
            try FileManager.default.copyItem(atPath: words[1], toPath: parley.path("here/calc.py"))
            try "raise SystemExit(1)".write(toFile: parley.path("calc.py"), atomically: true, encoding: .utf8)
            func run(in folder: String, _ arguments: String...) async throws -> ParleyProcess.Result {
                let start = [ParleyProcess.executable, "mcp"] + arguments
                return try await ParleyProcess.start(start, environment: parley.environment, folder: folder).finished()
            }
            let added = try await run(
                in: parley.path("here"), "add", "calc", "--timeout", "300", "--", words[0], "calc.py", words[2])
            #expect(added.code == 0, "\(added.errors)")
            let tools = try await run(in: parley.folder, "tools")
            #expect(tools.code == 0 && tools.output.contains("calc add"), "\(tools)")
        }
    }

    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Apps/parley/Samples/capital-of-texas.wav").standardized.path

    @Test(arguments: [
        (["record", "x.mp3"], 2, "a name ends in .wav"),
        (["chat", "--offline", "hi"], 3, "parley ask --explain says why"),
        (["chat", "--offline", "--trace", "trace", "hi"], 2, "--trace records what is said after /voice"),
        (["data", "export", "x.zip"], 2, "FILE takes a name that ends in .tar, not \"x.zip\"."),
        (["data", "export", "-"], 2, "ends in .tar"), (["diagnostics", "export", "x.tar", "--yes"], 2, "ends in .zip"),
        (["trace", "export", "x.txt"], 2, "ends in .json"),
        (["cues", "list", "--level", "9"], 2, "--level cannot be \"9\". Choose one of: 1, 2"),
        (["later", "cancel", "zzzz"], 2, "(0 to 9, a to f) of a name from parley later list, not \"zzzz\"."),
        (["suggestions", "limit", "--quiet", "x"], 2, "or none, not \"x\"."),
        (["secrets", "list", "--store", "file"], 0, "No secret is stored."),
        (["crash", "list"], 0, "No crash is reported."),
        (["search", "--offline", "xqzt", "/etc/passwd"], 0, "No paragraph is about that."),
        (["dashboard", "--no-open", "--port", "\(refusingPort)"], 2, "End it, or choose another --port.\n"),
        (["sync", "setup", "--server"], 2, "parley sign-in EMAIL --server URL"),
        (["sync", "recovery", "shwo"], 2, "Did you mean show? sync recovery has: show, use."),
        (["talk", "--budget", "abc"], 2, #"US dollars such as 0.50, not "abc""#),
        (
            ["sync", "setup", "--folder", "/proc", "--store", "file", "--name", String(repeating: "x", count: 99)], 2,
            "1 to 64 visible"
        ),
        (["listen", "--input", sample, "--wake-word", "xqzt blorp"], 6, #"such as blorp="HH AH L OW""#),
    ])
    func `advice can be followed`(words: [String], code: Int32, advice: String) async throws {
        let parley = try ParleyProcess()
        let run = try await parley.start(words).finished()
        #expect(run.code == code && run.errors.contains(advice), "\(run.code) \(run.errors)")
    }
}
