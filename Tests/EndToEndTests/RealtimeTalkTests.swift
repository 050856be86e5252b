// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// `parley talk --mode realtime` from files against the simulated service, and `parley replay`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RealtimeTalkTests {
    @Test func aSpokenQuestionIsAnsweredAloudAndReplayed() async throws {
        let fixture = try await RealtimeFixture()
        let (answer, trace) = (fixture.parley.path("answer.wav"), fixture.parley.path("trace"))
        let talk = try await fixture.run(
            "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output", answer, "--trace", trace,
            "--json")
        #expect(talk.code == 0, "\(talk.output)\(talk.errors)")
        #expect(talk.event("transcript")?["text"] as? String == "what is the capital of texas")
        #expect((talk.event("answer")?["text"] as? String)?.contains("Austin") == true, "\(talk.output)")
        #expect((talk.event("latency")?["audible"] as? Double ?? 0) > 0)
        #expect((talk.event("cost")?["total"] as? Double ?? 0) > 0)
        #expect(!(talk.output + talk.errors).contains("sk-never-shown"))
        try expectSpeech(in: answer)

        let recorded = try String(contentsOfFile: trace, encoding: .utf8)
        for secret in ["capital", "Texas", "Austin", "sk-never"] {
            #expect(!recorded.localizedCaseInsensitiveContains(secret), "\(secret)")
        }
        let same = try await fixture.run("replay", trace)
        #expect(same.code == 0, "\(same.errors)")
        #expect(same.output.contains("decides the same") && same.output.contains("heard after"), "\(same.output)")

        let other = fixture.parley.path("other")
        try recorded.replacing("response.create", with: "response.cancel")
            .write(toFile: other, atomically: true, encoding: .utf8)
        let different = try await fixture.run("replay", other, trace, "--json")
        #expect(different.code == 6)
        #expect(different.events.compactMap { $0["isSame"] as? Bool } == [false, true], "\(different.output)")
        let foreign = try await fixture.run("replay", RealtimeFixture.question)
        #expect(foreign.code == 6 && foreign.errors.contains("no trace"), "\(foreign.errors)")
    }

    @Test func `a conversation with the model in use begins with the situation, and its record says so`() async throws {
        let fixture = try await RealtimeFixture()
        func talk(_ more: String...) async throws -> Bool {
            let words = [
                "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output",
                fixture.parley.path("answer.wav"),
            ]
            let run = try await fixture.parley.start(words + more, environment: fixture.environment).finished()
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            return try await fixture.run("history", "--json").output.contains("parley.context")
        }
        #expect(try await fixture.run("context", "allow", "time").code == 0)
        #expect(try await fixture.run("context", "share").code == 0)
        #expect(try await !talk(), "that model is not in use")
        #expect(
            try await fixture.run("assistant", "add", "home", "--base-url", fixture.baseURL, "--model", "gpt-5").code
                == 0)
        #expect(try await fixture.run("assistant", "use", "home").code == 0)
        #expect(try await fixture.run("context", "withhold").code == 0)
        #expect(try await !talk(), "there is no consent")
        #expect(try await fixture.run("context", "share").code == 0)
        #expect(try await !talk("--no-history"), "nothing could say it")
        #expect(try await talk())
    }

    /// Some seconds of it, and not silence.
    private func expectSpeech(in path: String) throws {
        let sound = try Data(contentsOf: URL(filePath: path)).dropFirst(44)
        let samples = stride(from: sound.startIndex, to: sound.endIndex - 1, by: 2).map { index in
            Int(Int16(bitPattern: UInt16(sound[index]) | UInt16(sound[index + 1]) << 8))
        }
        let seconds = Double(samples.count) / 24_000
        #expect((1...8).contains(seconds), "\(seconds) s")
        let loud = samples.filter { abs($0) > 1_000 }.count
        #expect(Double(loud) > 0.1 * Double(samples.count), "\(loud) of \(samples.count)")
    }

    @Test func `the help's simulator needs no key`() async throws {
        let help = try await ParleyProcess().run("talk", "--help").output
        let line = try #require(help.firstMatch(of: /parley-server (simulate-openai [^,]+),/)?.1)
        let fixture = try await RealtimeFixture(line.split(whereSeparator: \.isWhitespace).map(String.init))
        let talk = try await fixture.parley.run(
            "talk", "--mode", "realtime", "--base-url", fixture.baseURL, "--input", RealtimeFixture.question,
            "--output", fixture.parley.path("answer.wav"))
        #expect(talk.code == 0 && talk.output.contains("Austin"), "\(talk)")
    }

    @Test func aFileCanBeOneTurn() async throws {
        let fixture = try await RealtimeFixture()
        let talk = try await fixture.run(
            "talk", "--mode", "realtime", "--push-to-talk", "--input", RealtimeFixture.question, "--output",
            fixture.parley.path("answer.wav"))
        #expect(talk.code == 0, "\(talk.output)\(talk.errors)")
        #expect(talk.output.contains("you: what is the capital of texas"), "\(talk.output)")
        #expect(talk.output.contains("gpt-realtime: The capital of Texas is Austin."), "\(talk.output)")
        let messages = try await fixture.run("history", "--json").events.first?["messages"] as? [[String: Any]]
        let usage = messages?.last?["usage"] as? [String: Any]
        #expect((usage?["outputTokens"] as? Int ?? 0) > 0, "\(String(describing: messages))")

        let more = try await fixture.run(
            "talk", "--mode", "realtime", "--push-to-talk", "--continue", "--input", RealtimeFixture.question,
            "--output",
            fixture.parley.path("answer.wav"))
        #expect(more.code == 0 && more.errors.contains("Going on with"), "\(more.output)\(more.errors)")
        let history = try await fixture.run("history", "--json").events
        #expect(history.count == 1 && (history.first?["messages"] as? [Any])?.count == 4, "\(history)")
    }

    @Test func anAnswerForWhichThereIsNoSpaceIsAnError() async throws {
        let fixture = try await RealtimeFixture()
        // A file that may not grow is as good as a disk that is full.
        let small = ["bash", "-c", #"trap "" XFSZ; ulimit -f 40; exec "$@""#, "small"]
        let talk = try await fixture.parley.start(
            [
                "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output",
                fixture.parley.path("answer.wav"), "--no-history",
            ], environment: fixture.environment, through: small
        ).finished()
        #expect(talk.code == 4, "\(talk.output)\(talk.errors)")
        #expect(talk.errors.contains("answer.wav"), "\(talk.errors)")
    }

    @Test func aTraceForWhichThereIsNoSpaceIsToldOnce() async throws {
        let fixture = try await RealtimeFixture()
        let trace = fixture.parley.path("trace")
        let small = ["bash", "-c", #"trap "" XFSZ; ulimit -f 16; exec "$@""#, "small"]
        let talk = try await fixture.parley.start(
            [
                "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output", "/dev/null", "--trace",
                trace, "--no-history", "--json",
            ], environment: fixture.environment, through: small
        ).finished()
        #expect(talk.code == 6, "\(talk.output)\(talk.errors)")
        let lines = talk.output.split(separator: "\n")
        let told = lines.indices.filter { lines[$0].contains(#""error":"#) }
        #expect(told.count == 1 && talk.output.contains("Free space"), "\(talk.output)")
        // When it happens: the conversation goes on.
        #expect(told.first.map { lines[$0...].contains { $0.contains("Austin") } } == true, "\(talk.output)")
        let replayed = try await fixture.run("replay", trace)
        #expect(replayed.code == 0, "\(replayed.errors)")
        #expect(replayed.output.contains("end is missing"), "\(replayed.output)")
    }

    @Test func silenceIsNoQuestion() async throws {
        let fixture = try await RealtimeFixture()
        let sounds = SoundFixtures(folder: fixture.parley.folder)
        let silence = try sounds.hole(bytes: 64_000)
        let talk = try await fixture.run(
            "talk", "--mode", "realtime", "--input", silence, "--output", fixture.parley.path("answer.wav"))
        #expect(talk.code == 3, "\(talk.output)\(talk.errors)")
    }

    @Test func ctrlCEndsItInOrder() async throws {
        let fixture = try await RealtimeFixture()
        let trace = fixture.parley.path("trace")
        let run = try fixture.parley.start(
            [
                "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output",
                fixture.parley.path("answer.wav"), "--trace", trace, "--json",
            ], environment: fixture.environment)
        let result = await run.interrupted(at: "transcript")
        #expect(result.code == 130, "\(result.output)")
        let replayed = try await fixture.run("replay", trace)
        #expect(replayed.code == 0, "\(replayed.errors)")
    }

    @Test func whatIsMissingIsSaid() async throws {
        let parley = try ParleyProcess()
        let input = ["--mode", "realtime", "--input", RealtimeFixture.question, "--output", parley.path("o.wav")]
        let noKey = try await parley.start(["talk"] + input).finished()
        #expect(noKey.code == 2 && noKey.errors.contains("OPENAI_API_KEY"), "\(noKey.errors)")
        let server = ["OPENAI_BASE_URL": "http://127.0.0.1:\(refusingPort)/v1", "OPENAI_API_KEY": "sk-x"]
        let noServer = try await parley.start(["talk"] + input, environment: server).finished()
        #expect(noServer.code == 5, "\(noServer.errors)")
        // Nothing was heard: nothing is made, and nothing lost.
        #expect(!FileManager.default.fileExists(atPath: parley.path("o.wav")))
        let answer = try #require("An answer of yesterday.".data(using: .utf8))
        try answer.write(to: URL(filePath: parley.path("o.wav")))
        #expect(try await parley.start(["talk"] + input, environment: server).finished().code == 5)
        #expect(try Data(contentsOf: URL(filePath: parley.path("o.wav"))) == answer)
        let noCard = try await parley.start(
            ["talk", "--mode", "realtime", "--device", "none-such"], environment: server
        ).finished()
        #expect([2, 4].contains(noCard.code) && noCard.errors.contains("none-such"), "\(noCard.errors)")
        let local = try await parley.start(["talk", "--push-to-talk"]).finished()
        #expect(local.code == 2 && local.errors.contains("--mode realtime"), "\(local.errors)")
    }
}
