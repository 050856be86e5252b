// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import SpeechServicesTestSupport
import TestKit
import Testing

/// `parley stats`: what was asked on this device, counted through the real program.
@Suite(.timeLimit(.minutes(5))) struct StatisticsTests {
    private static func stats(_ parley: ParleyProcess, _ options: String...) async throws -> [String: Any] {
        let result = try await parley.start(["stats", "--json"] + options).finished()
        #expect(result.code == 0, "\(result)")
        return try #require(result.events.first)
    }

    /// The counts of a list of objects, by some of their values.
    private static func counts(_ value: Any?, by keys: String...) -> [String: Int] {
        let objects = value as? [[String: Any]] ?? []
        return Dictionary(
            objects.map { object in
                (keys.compactMap { object[$0] as? String }.joined(separator: " "), object["count"] as? Int ?? -1)
            }
        ) { $0 + $1 }
    }

    /// A home that was asked for what is known, for what is not, and for what a model knows.
    private static func using(_ body: (ParleyProcess) async throws -> Void) async throws {
        try await ChatFixture.using([.init(.message("It is Paris."))], dialect: .llamaCpp) { chat in
            let parley = chat.parley
            #expect(try await parley.run("ask", "capital of Texas").code == 0)
            #expect(try await parley.run("ask", "capital of France").code == 3)
            let address = chat.simulator.baseURL.absoluteString
            #expect(
                try await parley.run("assistant", "add", "home", "--base-url", address, "--model", "qwen").code == 0)
            #expect(try await parley.run("assistant", "use", "home").code == 0)
            let answered = try await parley.run("ask", "capital of France")
            #expect(answered.code == 0 && answered.output == "It is Paris.\n", "\(answered)")
            #expect(try await parley.run("ask", "--no-history", "capital of Ohio").code == 0)
            try await body(parley)
        }
    }

    @Test func `questions are counted by outcome and source, in text and JSON`() async throws {
        try await Self.using { parley in
            let stats = try await Self.stats(parley)
            #expect(stats["questions"] as? Int == 3 && stats["spoken"] as? Int == 0, "--no-history keeps nothing")
            #expect(
                Self.counts(stats["outcomes"], by: "outcome", "code") == ["answered": 2, "refused invalidQuery": 1])
            #expect(Self.counts(stats["answers"], by: "source") == ["states": 1, "model:qwen": 1])
            #expect(
                Self.counts(stats["latencies"], by: "stage", "source") == [
                    "answer states": 1, "answer model": 1, "wholeAnswer states": 1, "wholeAnswer model": 1,
                ])
            #expect((stats["successRate"] as? Double).map { abs($0 - 2.0 / 3) < 1e-9 } == true)
            let costs = try #require(stats["costs"] as? [[String: Any]])
            #expect(costs.map { $0["model"] as? String } == ["qwen"] && costs.first?["unpriced"] as? Int == 1)
            #expect(costs.first?["cost"] == nil && costs.first?["inputTokens"] as? Int ?? 0 > 0, "\(costs)")

            let text = try await parley.run("stats", environment: ["LANG": "C.UTF-8"])
            #expect(text.code == 0 && text.errors.isEmpty, "\(text)")
            for part in ["67% of those", "invalidQuery 1", "model:qwen", "█", "p99"] {
                #expect(text.output.contains(part), "\(part) is missing in:\n\(text.output)")
            }
            // Two days if midnight came in between.
            let days = ["1 day", "2 days"].filter { text.output.contains("3 questions on \($0), 0 spoken") }
            #expect(days.count == 1, "\(text.output)")
            let future = try await Self.stats(parley, "--since", "2999-01-01")
            #expect(future["questions"] as? Int == 0)
            #expect(try await Self.stats(parley, "--since", "1999-01-01")["questions"] as? Int == 3)
            #expect(try await parley.run("stats", "--since", "yesterday").code == 2)
            #expect(try await parley.run("stats", "--json", "--openmetrics").code == 2)
        }
    }

    @Test func `the reference parser of OpenMetrics reads the same numbers`() async throws {
        try await Self.using { parley in
            let text = try await parley.run("stats", "--openmetrics")
            #expect(text.code == 0 && text.output.hasSuffix("# EOF\n"), "\(text)")
            let samples = try await OpenMetricsReader.samples(of: text.output)
            #expect(samples["parley_questions{outcome=answered}"] == 2)
            #expect(samples["parley_questions{code=invalidQuery,outcome=refused}"] == 1)
            #expect(samples["parley_answers{source=model:qwen}"] == 1)
            // Two days if midnight came in between.
            #expect([1, 2].contains(samples["parley_active_days{}"]))
            #expect(samples["parley_model_tokens{direction=input,model=qwen}"] ?? 0 > 0)
            let stats = try await Self.stats(parley)
            let latencies = try #require(stats["latencies"] as? [[String: Any]])
            let first = try #require(
                latencies.first { $0["stage"] as? String == "answer" && $0["source"] as? String == "model" })
            let median = try #require(first["p50"] as? Double)
            let read = samples["parley_turn_latency_seconds{quantile=0.5,source=model,stage=answer}"] ?? -1
            #expect(abs(read * 1_000 - median) < 0.06, "\(read) s and \(median) ms")
        }
    }

    @Test func `a model's name cannot break the format`() async throws {
        let turns: [Scenario.Turn] = [.init(.message("It is Paris."))]
        try await ChatFixture.using(turns, dialect: .llamaCpp) { chat in
            let name = "q\"w\\e\nn{}#"
            let added = try await chat.parley.run(
                "assistant", "add", "home", "--base-url", chat.simulator.baseURL.absoluteString, "--model", name)
            try #require(added.code == 0, "\(added)")
            #expect(try await chat.parley.run("assistant", "use", "home").code == 0)
            let asked = try await chat.parley.run("ask", "capital of France")
            try #require(asked.code == 0, "\(asked)")
            let text = try await chat.parley.run("stats", "--openmetrics").output
            #expect(
                try await OpenMetricsReader.samples(of: text)["parley_answers{source=model:q\"w\\e n{}#}"] == 1,
                "\(text)")
        }
    }

    @Test func `they are exported without a word, go with their question, and are deleted`() async throws {
        try await Self.using { parley in
            let archive = parley.path("all.tar")
            let exported = try await parley.run("data", "export", archive, "--offline", "--json")
            #expect((exported.events.first?["counts"] as? [String: Int])?["measurements"] == 3, "\(exported)")
            let listed = try ChildProcess("/usr/bin/tar", ["-xOf", archive, "measurements.jsonl"], errors: .captured)
                .finish()
            #expect(listed.code == 0 && listed.output.split(separator: "\n").count == 3, "\(listed.errors)")
            for word in ["apital", "Texas", "Austin", "France", "Paris", "qwen"] {
                #expect(!listed.output.contains(word), "\(listed.output)")
            }
            #expect(try await parley.run("history", "delete", "--last", "1", "--yes").code == 0)
            let stats = try await Self.stats(parley)
            #expect(Self.counts(stats["answers"], by: "source") == ["states": 1], "\(stats)")
            let deleted = try await parley.run("data", "delete", "--yes", "--offline", "--json")
            #expect((deleted.events.first?["counts"] as? [String: Int])?["measurements"] == 2, "\(deleted)")
            #expect(try await Self.stats(parley)["questions"] as? Int == 0)
            #expect(try await parley.run("stats", "--openmetrics").output.hasSuffix("# EOF\n"))
        }
    }

    @Test func `a spoken question has the times of each stage`() async throws {
        let parley = try ParleyProcess()
        let question = try SoundFixtures(folder: parley.folder).speech("What is the capital of Texas?")
        let turn = try await parley.run("talk", "--input", question, "--output", "/dev/null", "--json")
        #expect(turn.code == 0, "\(turn)")
        let stats = try await Self.stats(parley)
        #expect(stats["spoken"] as? Int == 1)
        #expect(
            Self.counts(stats["latencies"], by: "stage", "source") == [
                "endpoint": 1, "recognition": 1, "answer states": 1, "wholeAnswer states": 1, "synthesis": 1,
                "playback": 1, "reply": 1,
            ])
        let reply = try #require(turn.event("latency")?["endOfSpeechToFirstSample"] as? Double)
        let latencies = try #require(stats["latencies"] as? [[String: Any]])
        let counted = try #require(latencies.first { $0["stage"] as? String == "reply" }?["p50"] as? Double)
        #expect(abs(reply - counted) < 0.11, "talk said \(reply) ms, and counted are \(counted) ms")
    }

    @Test func `programs at once, one of them killed, lose no other's count`() async throws {
        let parley = try ParleyProcess()
        #expect(try await parley.run("ask", "capital of Texas").code == 0)
        let killed = try parley.start(["ask", "capital of Utah"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for state in ["Ohio", "Maine", "Iowa", "Idaho", "Nevada", "Kansas"] {
                group.addTask {
                    let asked = try await parley.run("ask", "capital of \(state)")
                    #expect(asked.code == 0, "\(asked)")
                }
            }
            killed.kill(SIGKILL)
            try await group.waitForAll()
        }
        _ = await killed.finished()
        let questions = try await Self.stats(parley)["questions"] as? Int
        #expect([7, 8].contains(questions), "\(String(describing: questions))")
    }

    @Test func `a table that cannot be written costs one warning and no answer`() async throws {
        let parley = try ParleyProcess()
        #expect(try await parley.run("ask", "capital of Texas").code == 0)
        let script = "import sqlite3, sys\nsqlite3.connect(sys.argv[1]).execute('DROP TABLE turn_measurement')"
        let database = parley.path("home/data/conversations.sqlite")
        let dropped = try ChildProcess("/usr/bin/python3", ["-c", script, database], errors: .captured).finish()
        try #require(dropped.code == 0, "\(dropped.errors)")
        let session = try TerminalRun([ParleyProcess.executable, "ask"], environment: parley.environment)
        for (state, capital) in [("Ohio", "Columbus"), ("Utah", "Salt Lake City")] {
            try await session.shows("? ")
            try session.type("capital of \(state)\r")
            try await session.shows(capital)
        }
        try session.type("\u{4}")
        #expect(await session.code() == 0, "\(session.text)")
        let warnings = session.text.components(separatedBy: "not counted in parley stats").count - 1
        #expect(warnings == 1, "\(session.text)")
        #expect(try await parley.run("history").output.contains("Salt Lake City"), "the history is whole")
    }

    @Test func `the sentences that the speech cache had are counted`() async throws {
        let parley = try ParleyProcess()
        var script = ScriptedSpeechServer.Script()
        script.words = #"{"text": "What is the capital of Ohio?"}"#
        try await ScriptedSpeechServer.run(script) { server in
            let url = server.baseURL("/v1").absoluteString
            let words = ["speech", "add", "it", "--patience", "60", "--kind", "openai", "--url", url]
            #expect(try await parley.start(words).finished().code == 0)
            #expect(try await parley.run("speech", "use", "it", "--no-check").code == 0)
            let question = try SoundFixtures(folder: parley.folder).speech("What is the capital of Texas?")
            for _ in 0..<2 {
                let turn = try await parley.run("talk", "--input", question, "--output", "/dev/null", "--json")
                #expect(turn.code == 0, "\(turn)")
            }
            let sentences = try #require(try await Self.stats(parley)["sentences"] as? [String: Any])
            #expect(sentences["asked"] as? Int == 2 && sentences["cached"] as? Int == 1, "\(sentences)")
            let samples = try await OpenMetricsReader.samples(of: try await parley.run("stats", "--openmetrics").output)
            #expect(samples["parley_speech_cache_sentences{result=hit}"] == 1, "\(samples)")
        }
    }
}
