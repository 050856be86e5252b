// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// `parley cache`, and questions whose answers it has.
@Suite(.timeLimit(.minutes(5))) struct KeptAnswerTests {
    private static let dracula = Scenario.Turn(.message(#"{"answer":"Bram Stoker wrote it.","lasts":true}"#))

    private func ask(_ chat: ChatFixture, _ question: String) async throws -> ParleyProcess.Result {
        try await chat.parley.run("ask", question, "--json")
    }

    @Test func `a fact is asked once, and then answered without the server, until it is cleared`() async throws {
        try await ChatFixture.withModelInUse([Self.dracula]) { chat in
            let first = try await ask(chat, "Who wrote Dracula?")
            #expect(first.events.first?["answer"] as? String == "Bram Stoker wrote it.", "\(first)")
            #expect(
                first.events.first?["source"] as? String == "model:qwen" && first.events.first?["answeredAt"] == nil)
            let format =
                chat.simulator.requests.last?.json?["response_format"] ?? chat.simulator.requests.last?.json?["text"]
            #expect(format != nil, "no schema was sent")
            let count = chat.simulator.requests.count
            await chat.simulator.close()

            let second = try await ask(chat, "hey, please tell me who wrote drácula")
            #expect(second.code == 0 && second.events.first?["source"] as? String == "cache", "\(second)")
            #expect(second.events.first?["answeredAt"] is String && chat.simulator.requests.count == count)
            let words = try await chat.parley.run("ask", "Who wrote Dracula?")
            #expect(words.output == "Bram Stoker wrote it.\n" && words.errors.contains("qwen's answer of"), "\(words)")
            #expect(try await chat.parley.run("history").output.contains("Bram Stoker"))
            let stats = try await chat.parley.run("stats", "--json").events.first
            #expect((stats?["keptAnswerRate"] as? Double).map { abs($0 - 2.0 / 3) < 1e-9 } == true, "two of three")

            let archive = chat.parley.path("all.tar")
            #expect(try await chat.parley.run("data", "export", archive, "--offline").code == 0)
            let tar = try ChildProcess("tar", ["-xOf", archive, "kept-answers.jsonl"], errors: .captured).finish()
            #expect(tar.output.contains("Bram Stoker"), "\(tar)")
            let cleared = try await chat.parley.run("cache", "clear")
            #expect(cleared.output == "1 answer is deleted.\n", "\(cleared)")
            #expect(try await ask(chat, "Who wrote Dracula?").code != 0)
        }
    }

    @Test func `what history forgets is not kept either`() async throws {
        try await ChatFixture.withModelInUse([Self.dracula, Self.dracula, .init(.message("Stoker."))]) { chat in
            let unkept = try await chat.parley.run("ask", "--no-history", "Who wrote Dracula?")
            #expect(unkept.code == 0, "\(unkept)")
            #expect(try await ask(chat, "Who wrote Dracula?").events.first?["source"] as? String == "model:qwen")
            #expect(try await chat.parley.run("history", "delete", "Dracula", "--yes").code == 0)
            #expect(try await ask(chat, "Who wrote Dracula?").events.first?["source"] as? String == "model:qwen")
        }
    }

    @Test func `nothing is kept where the person wants none, and what was kept goes`() async throws {
        try await ChatFixture.withModelInUse([Self.dracula, .init(.message("Stoker."))]) { chat in
            #expect(try await ask(chat, "Who wrote Dracula?").code == 0)
            let limit = try await chat.parley.run("cache", "limit", "--megabytes", "0")
            #expect(limit.output == "No answers are kept.\n", "\(limit)")
            let again = try await ask(chat, "Who wrote Dracula?")
            #expect(again.events.first?["source"] as? String == "model:qwen", "\(again)")
            let request = chat.simulator.requests.last?.json
            #expect(request?["response_format"] == nil && request?["text"]?["format"] == nil)
            #expect(try await chat.parley.run("cache", "clear").output == "0 answers are deleted.\n")
        }
    }

    @Test func `a full memory keeps the answer that is asked for most`() async throws {
        // Three of these fill a megabyte.
        let text = #"{"answer":"\#(String(repeating: "a", count: 300_000))","lasts":true}"#
        let turn = Scenario.Turn(.message(text), times: 5, pace: .init(chunk: 20_000))
        try await ChatFixture.withModelInUse([turn]) { chat in
            let limit = try await chat.parley.run("cache", "limit", "--megabytes", "1")
            #expect(limit.code == 0, "\(limit)")
            // Before the last answer is stored, the one about Dracula is the least recently used, and the most often used.
            let dracula = (0..<3).map { ("Dracula", $0 == 0 ? "model:qwen" : "cache") }
            let others = ["Emma", "Hamlet", "Faust"].map { ($0, "model:qwen") }
            for (name, source) in dracula + others + [("Dracula", "cache"), ("Emma", "model:qwen")] {
                let answer = try await ask(chat, "Who wrote \(name)?")
                #expect(answer.events.first?["source"] as? String == source, "\(name)")
            }
        }
    }

    @Test func `a damaged limit and a damaged file cost a warning or nothing, never the answer`() async throws {
        try await ChatFixture.withModelInUse([Self.dracula, Self.dracula]) { chat in
            let limit = try await chat.parley.run("cache", "limit", "--days", "30")
            #expect(limit.output == "Answers are kept for 30 days, 100 megabytes of them.\n", "\(limit)")
            let folder = URL(filePath: chat.parley.path("home"))
            let files = FileManager.default.subpaths(atPath: folder.path) ?? []
            let file = try #require(files.first { $0.hasSuffix("answers.json") })
            try Data("{".utf8).write(to: folder.appending(path: file))
            let warned = try await chat.parley.run("ask", "Who wrote Dracula?")
            #expect(warned.code == 0 && warned.errors.contains("parley cache limit"), "\(warned)")
            #expect(try await chat.parley.run("cache", "limit", "--megabytes", "1", "--days", "1").code == 0)
            #expect(try await ask(chat, "Who wrote Dracula?").code == 0)
            let path = try #require(
                (FileManager.default.subpaths(atPath: folder.path) ?? []).first { $0.hasSuffix("answers.sqlite") })
            try Data(repeating: 7, count: 9_000).write(to: folder.appending(path: path))
            let answered = try await ask(chat, "Who wrote Dracula?")
            #expect(answered.code == 0, "\(answered)")
        }
    }
}
