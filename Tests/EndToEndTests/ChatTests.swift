// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import Networking
import NetworkingTestSupport
import StructuredJSON
import TestKit
import Testing

/// `parley chat` in scripts: a question, an answer, an exit code.
@Suite struct ChatTests {
    @Test func aQuestionIsAnsweredOnce() async throws {
        try await ChatFixture.using([.init(.message("It is **Austin**.\u{1B}[31m"))]) { chat in
            let result = try await chat.run("chat", "What", "is", "the capital?")
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output == "It is **Austin**. [31m\n", "Markdown as it came, nothing that drives a terminal")
            #expect(chat.inputs == [["user: What is the capital?"]])
            #expect(chat.simulator.requests.first?.headers["Authorization"] == "Bearer sk-never-shown")
        }
    }

    @Test func whatIsPipedInIsTheQuestionOrAPartOfIt() async throws {
        try await ChatFixture.using { chat in
            let whole = try await chat.run("chat", input: "from a pipe\n")
            let part = try await chat.run("chat", "Summarise:", "-", input: "a text")
            let blank = try await chat.run("chat", input: " \n")
            #expect([whole.code, part.code, blank.code] == [0, 0, 2], "\(whole.errors)\(part.errors)")
            #expect(chat.inputs == [["user: from a pipe\n"], ["user: Summarise: \na text\n"]])
        }
    }

    @Test func eventsAreLinesOfJSON() async throws {
        let usage = Scenario.Usage(input: 1_000, cached: 200, output: 100, reasoning: 40)
        let answer = Scenario.Answer(items: [.message("Hello you")], usage: usage)
        try await ChatFixture.using([.init(.answer(answer))]) { chat in
            let result = try await chat.run("chat", "Hi", "--json")
            let deltas = result.events.filter { $0["event"] as? String == "delta" }.compactMap { $0["text"] as? String }
            #expect(deltas.joined() == "Hello you" && deltas.count > 1, "\(result.output)")
            let end = try #require(result.event("answer"))
            #expect(end["text"] as? String == "Hello you" && end["model"] as? String == "gpt-5")
            #expect((end["usage"] as? [String: Any])?["cachedInputTokens"] as? Int == 200)
            // 800 × $1.25 + 200 × $0.125 + 100 × $10, a million tokens each.
            #expect(abs((end["cost"] as? Double ?? 0) - 0.002_025) < 1e-9)
        }
    }

    @Test func withoutAKeyItSaysWhatToSet() async throws {
        let parley = try ParleyProcess()
        let result = try await parley.run("chat", "Hi")
        #expect(result.code == 2)
        for hint in ["OPENAI_API_KEY", "parley secrets set openai", "--base-url", "--offline"] {
            #expect(result.errors.contains(hint), "\(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: parley.path("home/data/secrets.sealed")))
    }

    @Test(arguments: [
        (["--base-url", "http://127.0.0.1:1/v1"], "PARLEY_MODEL"),
        (["--base-url", "http://example.org/v1"], "--plain-http"),
        (["--base-url", "nonsense"], "no server's address"), (["--budget", "much"], "US dollars"),
        (["--model", "gpt-4"], "gpt-5-mini"), (["--allow-tools", "--no-tools"], "do not go together"),
    ])
    func whatMakesNoSenseIsRefusedBeforeAnythingIsSent(_ options: [String], _ hint: String) async throws {
        let result = try await ParleyProcess().start(["chat", "Hi"] + options, environment: ["OPENAI_API_KEY": "sk-x"])
            .finished()
        #expect(result.code == 2)
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    @Test func anotherServerDoesNotGetOpenAIsKey() async throws {
        try await ChatFixture.using(dialect: .llamaCpp) { chat in
            let parley = chat.parley
            let url = chat.simulator.baseURL.absoluteString
            let words = ["chat", "Hi", "--base-url", url, "--model", "qwen"]
            let first = try await parley.start(words, environment: ["OPENAI_API_KEY": "sk-never"]).finished()
            #expect(first.code == 0, "\(first.errors)")
            #expect(chat.simulator.requests.allSatisfy { $0.headers["Authorization"] == nil })
            #expect(try await parley.run("secrets", "set", "mine", "--store", "file", input: "its-own\n").code == 0)
            let second = try await parley.start(words + ["--api-key", "mine"]).finished()
            #expect(second.code == 0, "\(second.errors)")
            #expect(chat.simulator.requests.last?.headers["Authorization"] == "Bearer its-own")
            #expect(!(first.errors + second.errors + second.output).contains("its-own"))
        }
    }

    @Test func theSecretOpenAIIsTheKeyOfOpenAI() async throws {
        let parley = try ParleyProcess()
        #expect(
            try await parley.run("secrets", "set", "openai", "--store", "file", input: "sk-from-secret\n").code == 0)
        // A model that is not listed is refused after the key was found, and before anything is sent.
        let result = try await parley.run("chat", "Hi", "--model", "gpt-4", "--verbose")
        #expect(result.errors.contains("gpt-4"))
        #expect(!(result.errors + result.output).contains("sk-from-secret"))
    }

    @Test func errorsOfTheServerAreExitCodes() async throws {
        try await ChatFixture.using { chat in
            chat.simulator.inject(.status(401))
            let refused = try await chat.run("chat", "Hi")
            #expect(refused.code == 3)
            #expect(!refused.errors.contains("sk-never-shown"))
        }
        let nobody = try await ParleyProcess().run(
            "chat", "Hi", "--base-url", "http://127.0.0.1:\(refusingPort)/v1", "--model", "x")
        #expect(nobody.code == 5 && !nobody.errors.contains("what waits"), "\(nobody.errors)")
    }

    @Test func anAnswerThatIsCutStaysAndTheErrorFollows() async throws {
        let turn = Scenario.Turn(.message("one two three four five six"), faults: [.cut(afterEvents: 8)])
        try await ChatFixture.using([turn]) { chat in
            let result = try await chat.run("chat", "Hi")
            #expect(result.code == 5, "\(result.errors)")
            #expect(result.output.hasPrefix("one two") && result.output.hasSuffix("\n"), "\(result.output)")
            #expect(result.errors.contains("broke off"), "\(result.errors)")
        }
    }

    @Test func ctrlCReachesTheServer() async throws {
        let turn = Scenario.Turn(.message("one two three four five six"), faults: [.stall(afterEvents: 8)])
        try await ChatFixture.using([turn]) { chat in
            let run = try chat.parley.start(["chat", "Hi"], environment: chat.environment)
            let result = await run.interrupted(at: "one two")
            #expect(result.code == 130)
            try await chat.simulator.waitForRequests { $0.first?.outcome == .abandoned }
        }
    }

    @Test func offlineTheLocalAssistantAnswers() async throws {
        let parley = try ParleyProcess()
        let answer = try await parley.run("chat", "--offline", "capital of Texas")
        #expect(answer.code == 0)
        #expect(answer.output.contains("Austin"), "\(answer.output)")
        #expect(try await parley.run("chat", "--offline", "capital of France").code == 3)
    }

    @Test(arguments: [
        (["embed", "hi"], "only for text-embedding-3-small,"),
        (["search", "hi", "/etc/passwd"], "text-embedding-3-small,"),
        (["chat", "hi"], "only for gpt-5, gpt-5-mini, gpt-5-nano."),
        (
            ["talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output", "/dev/null"],
            "for gpt-realtime,"
        ),
    ])
    func `a refused model's advice has models of its purpose`(_ words: [String], _ advice: String) async throws {
        let parley = try ParleyProcess()
        let model = words[0] == "chat" ? "gpt-4" : "gpt-5"
        let refused = try parley.start(words + ["--model", model], environment: ["OPENAI_API_KEY": "sk-never-shown"])
        refused.closeInput()
        let result = await refused.finished()
        #expect(result.code == 2 && result.errors.contains(advice), "\(result)")
    }

    @Test func textsBecomeVectorsOnce() async throws {
        try await ChatFixture.using { chat in
            let embedded = try await chat.run("embed", "--json", "--dimensions", "8", input: "one\n\ntwo\n")
            #expect(embedded.code == 0, "\(embedded.errors)")
            #expect(embedded.events.map { $0["text"] as? String } == ["one", "two"])
            #expect(embedded.events.allSatisfy { ($0["vector"] as? [Double])?.count == 8 })
            let plain = try await chat.run("embed", "one", "--dimensions", "8")
            #expect(plain.output.split(separator: " ").count == 8)
            let base = try #require(chat.environment["OPENAI_BASE_URL"]).replacing(/\/v1$/, with: "")
            let nothing = try await chat.run("embed", "one", environment: ["OPENAI_BASE_URL": base])
            #expect(nothing.code == 3 && nothing.errors.contains("/embeddings. Base URLs usually end in /v1"))

            let file = chat.parley.path("notes.txt")
            try "Swift is a language.\n\nThe capital of Texas\nis Austin.\n\nBread needs flour.\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            func asked() -> [Int] {
                chat.simulator.requests.map { $0.json?["input"]?.array?.count ?? 0 }
            }
            let before = asked().count
            let first = try await chat.run("search", "Bread needs flour.", file, "--top", "2", "--json")
            #expect(first.code == 0, "\(first.errors)")
            #expect(first.events.count == 2)
            #expect(
                first.events.first?["line"] as? Int == 6
                    && first.events.first?["text"] as? String == "Bread needs flour.")
            #expect((first.events.first?["similarity"] as? Double ?? 0) > 0.999)
            let second = try await chat.run("search", "Texas", file)
            #expect(second.output.contains("notes.txt:"), "\(second.output)")
            // The query is one of the paragraphs at first; then only the query is new.
            #expect(asked().dropFirst(before).map { $0 } == [3, 1])
            let offline = try await chat.run("search", "--offline", "Bred floor", file, "--json")
            #expect(offline.events.first?["line"] as? Int == 6, "\(offline.output)")
            #expect(asked().dropFirst(before).count == 2)
            #expect(try await chat.run("search", "x", chat.parley.path("none")).code == 6)
        }
    }
}
