// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct TalkTests {
    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    @Test func answersASpokenQuestionAloud() async throws {
        let question = try sounds.speech("What is the capital of Texas?")
        let answer = parley.path("answer.wav")
        let turn = try await parley.run("talk", "--input", question, "--output", answer, "--json")
        #expect(turn.code == 0, "\(turn.errors)")
        #expect(turn.events.compactMap { $0["event"] as? String } == ["transcript", "answer", "latency"])
        #expect(turn.event("transcript")?["text"] as? String == "what is the capital of texas")
        #expect((turn.event("answer")?["answer"] as? String)?.contains("Austin") == true)
        let reply = try #require(turn.event("latency")?["endOfSpeechToFirstSample"] as? Double)
        #expect(reply > 0)

        // The recogniser hears the answer's words in what was played.
        let heard = try await parley.run("transcribe", answer, "--json")
        #expect((heard.event("") ?? heard.events.first)?["transcript"] as? String == "the capital of texas is austin")

        let messages = try await parley.run("history", "--json").events.first?["messages"] as? [[String: Any]]
        #expect(messages?.compactMap { $0["modality"] as? String } == ["voice", "voice"])
        #expect(Set(messages?.compactMap { $0["turn"] as? String } ?? []).count == 1)
    }

    @Test func `a stored conversation goes on by voice`() async throws {
        #expect(try await parley.run("ask", "What is the capital of Texas?").code == 0)
        let question = try sounds.speech("Which state has Boise as its capital?")
        let answer = ["--input", question, "--output", parley.path("answer.wav")]
        let list = try await parley.run("conversations", "list", "--json")
        let stored = try #require(
            (list.events.first?["conversations"] as? [[String: Any]])?.first?["id"] as? String, "\(list.output)")
        for words in [["--continue"], ["--conversation", stored]] {
            let turn = try await parley.start(["talk"] + words + answer).finished()
            #expect(turn.code == 0 && turn.errors.contains("Going on with"), "\(turn.errors)")
        }
        let history = try await parley.run("history", "--json").events
        #expect(history.count == 1)
        #expect((history.first?["messages"] as? [Any])?.count == 6)
        let both = try await parley.start(["talk", "--continue", "--conversation", stored] + answer).finished()
        #expect(both.code == 2)
        let unknown = try await parley.start(["talk", "--conversation", "00000000"] + answer).finished()
        #expect(unknown.code != 0 && unknown.errors.contains("There is no conversation"), "\(unknown.errors)")
    }

    @Test func `at a terminal the words come while they are spoken, then who answers, with the map`() async throws {
        let question = try sounds.speech("Which state has Boise as its capital?")
        for hasMap in [true, false] {
            let words = ["talk", "--input", question, "--output", parley.path("a.wav")] + (hasMap ? [] : ["--no-map"])
            let run = try TerminalRun(
                ["/bin/sh", "-c", "stty cols 100; exec \"$@\"", "sh", ParleyProcess.executable] + words,
                environment: parley.environment.merging(["LANG": "C.UTF-8", "NO_COLOR": "1"]) { $1 })
            try await run.shows("█")
            try await run.shows("which state")
            try await run.shows("you     which state has boise as its capital")
            try await run.shows("(states)")
            #expect(await run.code() == 0, "\(run.text)")
            #expect(run.text.contains("★") == hasMap, "\(run.text)")
        }
    }

    @Test func `a spoken question about the time is answered`() async throws {
        let question = try sounds.speech("What time is it?")
        let turn = try await parley.run(
            "talk", "--input", question, "--output", parley.path("answer.wav"), "--json")
        #expect(turn.code == 0, "\(turn.errors)")
        #expect(turn.event("transcript")?["text"] as? String == "what time is it")
        let answer = try #require(turn.event("answer")?["answer"] as? String)
        #expect(answer.contains(#/\d:\d\d/#), "\(answer)")
    }

    @Test func aRefusalIsSpokenToo() async throws {
        let question = try sounds.speech("What is the capital of France?")
        let answer = parley.path("answer.wav")
        let turn = try await parley.run("talk", "--input", question, "--output", answer, "--json")
        #expect(turn.code == 3)
        #expect(turn.event("error") != nil)
        #expect(turn.event("answer") == nil)
        let size = try FileManager.default.attributesOfItem(atPath: answer)[.size] as? Int
        #expect((size ?? 0) > 32_000, "the refusal takes more than a second to say")
    }

    @Test func everyReadableFormatIsHeard() async throws {
        let question = try sounds.speech("What is the capital of Texas?")
        let files = try [
            sounds.converted(question, ["-b", "8", "-e", "unsigned-integer"], to: "8bit.wav"),
            sounds.converted(question, ["-r", "96000"], to: "96k.wav"),
            sounds.converted(question, ["-c", "6"], to: "6ch.wav"),
            sounds.converted(question, ["-b", "24", "-r", "44100", "-c", "2"], to: "24bit.flac"),
            sounds.converted(question, ["-r", "48000"], to: "vorbis.ogg"),
        ]
        for file in files {
            let result = try await parley.run("transcribe", file)
            // Eight bits and lossy codecs may cost a small word, not the question.
            #expect(result.code == 0, "\(file): \(result.errors)")
            #expect(
                result.output.contains("capital") && result.output.contains("texas"), "\(file): \(result.output)")
        }
    }

    @Test func aTruncatedFileIsHeardAsFarAsItGoes() async throws {
        let question = try sounds.speech("What is the capital of Ohio?")
        let whole = try Data(contentsOf: URL(filePath: question))
        let cut = try sounds.file("cut.wav", whole.prefix(whole.count / 3))
        let result = try await parley.run("transcribe", cut, "--json")
        #expect([0, 3].contains(result.code), "\(result.errors)")
        #expect(result.events.count == 1)
    }

    @Test func whatCannotBeHeardIsExplained() async throws {
        let cases: [(path: String, code: Int32, says: String)] = try [
            (sounds.file("empty.wav", Data()), 6, "empty"),
            (sounds.file("noise.wav", Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) })), 6, "sound file"),
            (sounds.hole(bytes: 64_000), 3, "No speech"),
            (parley.path("missing.wav"), 6, "missing.wav"),
            (parley.folder, 6, "folder"),
            ("/dev/null", 6, "/dev/null"),
        ]
        for (path, code, says) in cases {
            for command in [["transcribe", path], ["talk", "--input", path, "--output", parley.path("out.wav")]] {
                let run = try parley.start(command)
                let result = await run.finished()
                #expect(result.code == code, "\(command): \(result.errors)")
                #expect(
                    (result.errors + result.output).lowercased().contains(says.lowercased()),
                    "\(command): \(result.errors)\(result.output)")
            }
        }
    }

    @Test func aHugeFileIsTurnedDownInLittleMemory() async throws {
        let huge = try sounds.hole(bytes: 1 << 30)
        let run = try parley.start(
            ["transcribe", huge], through: ["/bin/sh", "-c", "ulimit -v 2000000; exec \"$0\" \"$@\""])
        let result = await run.finished()
        #expect([3, 6].contains(result.code), "\(result.errors)")
        #expect(!result.errors.isEmpty)
    }

    @Test func anUnreadableFileIsExplained() async throws {
        let secret = try sounds.file("secret.wav", Data(contentsOf: URL(filePath: try sounds.speech("Ohio"))))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret)
        // Root may read everything, so the program runs as somebody else.
        let asNobody = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let run = try parley.start(["transcribe", secret], through: asNobody)
        let result = await run.finished()
        if result.errors.contains("setpriv") || result.errors.contains("Permission denied\n") && result.code == 127 {
            print("NOT CHECKED: an unreadable file, because nobody may not run the program here")
            return
        }
        #expect(result.code == 6)
        #expect(result.errors.contains("secret.wav"))
    }

    @Test func aMissingDeviceIsExplained() async throws {
        for command in [
            ["say", "hello", "--device", "no-such-device"],
            ["talk", "--device", "no-such-device"],
        ] {
            let run = try parley.start(command)
            // Enter begins a question; say reads nothing.
            if command[0] == "talk" { run.write("\n") }
            let result = await run.finished()
            #expect(result.code == 4, "\(result.errors)")
            #expect(result.errors.contains("no-such-device"))
        }
    }

    @Test func aFullDiskUnderTheAnswerIsExplained() async throws {
        let result = try await parley.run("say", "Austin.", "--output", "/dev/full")
        #expect(result.code == 6)
        #expect(result.errors.contains("/dev/full"))
        #expect(try await parley.run("say", "Austin.", "--output", parley.path("no/such/folder/x.wav")).code == 6)
    }

    @Test func otherLanguagesAreSpoken() async throws {
        let file = parley.path("german.wav")
        #expect(try await parley.run("say", "Guten Tag", "--language", "de", "--output", file).code == 0)
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        #expect((size ?? 0) > 10_000)
        let unknown = try await parley.run("say", "x", "--language", "qqx", "--output", file)
        #expect(unknown.code == 6)
        #expect(unknown.errors.contains("qqx"))
    }

    @Test func doctorFindsWhatIsNeeded() async throws {
        let result = try await parley.run("doctor", "--json")
        #expect(result.code == 0, "\(result.output)")
        let findings = try #require(result.events.first?["findings"] as? [[String: Any]])
        #expect(findings.count >= 7)
        for finding in findings where finding["status"] as? String != "works" {
            #expect(finding["advice"] is String || finding["name"] as? String == "Journal")
        }
    }
}
