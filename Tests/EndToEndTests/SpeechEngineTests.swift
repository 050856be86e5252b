// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import SpeechServicesTestSupport
import TestKit
import Testing

/// `parley speech`, and the commands that hear and speak by an engine elsewhere.
@Suite(.timeLimit(.minutes(5))) struct SpeechEngineTests {
    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    /// Adds an engine and uses it as it is. A busy machine gets no answer within the usual patience.
    private func use(_ words: String..., purpose: String? = nil, patience: Int = 60) async throws {
        let added = try await parley.start(
            ["speech", "add", "it", "--patience", "\(patience)"] + words
        ).finished()
        try #require(added.code == 0, "\(added.errors)")
        let used = try await parley.start(
            ["speech", "use", "it", "--no-check"] + (purpose.map { ["--for", $0] } ?? [])
        ).finished()
        try #require(used.code == 0, "\(used.errors)")
    }

    /// Runs that a server with another key turns down, which repeats the key that it got.
    static func runsWithWrongKey(_ secret: String, _ parley: ParleyProcess) async throws -> [ParleyProcess.Result] {
        try await ScriptedSpeechServer.run(.init(fault: .wrongKey)) { server in
            let url = server.baseURL().absoluteString
            let runs = [
                try await parley.run(
                    "speech", "add", "eleven", "--kind", "elevenlabs", "--url", url, "--voice", "x", "--api-key",
                    secret,
                    "-v"),
                try await parley.run("speech", "use", "eleven", "--no-check", "-v"),
                try await parley.run("speech", "test", "eleven", "-v"),
                try await parley.run("speech", "list", "--json", "-v"), try await parley.run("doctor", "-v"),
                try await parley.run("say", "Hello.", "--output", parley.path("hello.wav"), "-v"),
                try await parley.run("data", "export", parley.path("all.tar"), "--offline", "-v"),
            ]
            #expect(runs.map(\.code) == [0, 0, 3, 0, 0, 0, 0], "\(runs.map(\.errors))")
            #expect(runs[2].errors.contains("parley secrets set NAME"), "\(runs[2].errors)")
            #expect(runs[4].output.contains("parley secrets set eleven"), "\(runs[4].output)")
            #expect(server.requests.contains { $0.headers["xi-api-key"]?.isEmpty == false })
            return runs
        }
    }

    @Test func `an engine is added, listed, tried, used and removed`() async throws {
        try await ScriptedSpeechServer.run { server in
            let url = server.baseURL("/v1").absoluteString
            let added = try await parley.run("speech", "add", "it", "--kind", "openai", "--url", url, "--json")
            #expect(added.code == 0 && added.events.first?["kind"] as? String == "openai", "\(added.errors)")
            #expect(try await parley.run("speech", "add", "it", "--kind", "openai", "--url", url).code == 2)
            #expect(server.requests.isEmpty, "nothing is asked before")
            let tested = try await parley.run("speech", "test", "it", "--json")
            let result = try #require(tested.events.first, "\(tested.errors)")
            #expect((result["synthesis"] as? [String: Any])?["sampleRate"] as? Int == 24_000, "\(result)")
            #expect((result["recognition"] as? [String: Any])?["words"] as? String == "Turn on the light.")
            let patience = try #require(result["patience"] as? [String: Double])
            #expect(patience.count == 2 && patience.values.allSatisfy { (0.9...10).contains($0) })
            let used = try await parley.run("speech", "use", "it", "--voice", "af_heart")
            #expect(used.code == 0 && used.output.contains("voice af_heart"), "\(used.errors)")
            let listed = try await parley.run("speech", "list")
            #expect(listed.output.contains("in use for recognition, synthesis"), "\(listed.output)")
            #expect(try await parley.run("speech", "use", "local", "--for", "recognition").code == 0)
            let half = try await parley.run("speech", "list", "--json").events.first
            #expect(half?["usedFor"] as? [String] == ["synthesis"])
            #expect(try await parley.run("speech", "remove", "it").code == 0)
            #expect(try await parley.run("speech", "list").output.isEmpty)
            let gone = try await parley.run("speech", "use", "it")
            #expect(gone.code == 2 && gone.errors.contains("There is no speech engine it"), "\(gone.errors)")
        }
    }

    @Test(arguments: [
        ["speech", "add", "local", "--kind", "openai"], ["speech", "add", "a b", "--kind", "openai"],
        ["speech", "add", "it"], ["speech", "add", "it", "--kind", "wyoming"],
        ["speech", "add", "it", "--kind", "wyoming", "--url", "http://127.0.0.1:1"],
        ["speech", "add", "it", "--kind", "wyoming", "--url", "tcp://192.0.2.1:10300"],
        ["speech", "add", "it", "--kind", "openai", "--url", "http://192.0.2.1/v1"],
        ["speech", "add", "it", "--kind", "whispercpp", "--voice", "x"],
        ["speech", "add", "it", "--kind", "openai", "--stability", "0.5"],
        ["speech", "add", "it", "--kind", "elevenlabs", "--stability", "1.5"],
        ["speech", "use", "nothing"], ["speech", "test", "nothing"], ["speech", "remove", "nothing"],
        ["say", "hello", "--engine", "nothing"], ["transcribe", "--engine", "nothing", "x.wav"],
    ])
    func `what cannot be is explained, and nothing is stored`(words: [String]) async throws {
        let result = try await parley.start(words).finished()
        #expect(result.code == 2 && !result.errors.isEmpty, "\(result)")
        #expect(try await parley.run("speech", "list").output.isEmpty)
    }

    @Test(arguments: [("openai", "/v1"), ("elevenlabs", "")])
    func `say speaks by an engine, and each sentence once`(kind: String, path: String) async throws {
        try await ScriptedSpeechServer.run { server in
            try await use("--kind", kind, "--url", server.baseURL(path).absoluteString, "--voice", "x")
            for round in 1...2 {
                let said = try await parley.run(
                    "say", "It is nine. Go on.", "--output", parley.path("\(round).wav"), "--json")
                #expect(said.code == 0 && said.events.first?["seconds"] as? Double == 1, "\(said)")
                #expect(server.requests.count == 2, "round \(round)")
            }
            let here = try await parley.run("say", "Go on.", "--engine", "local", "--output", parley.path("here.wav"))
            #expect(here.code == 0 && server.requests.count == 2, "\(here.errors)")
            let chosen = try await parley.run("say", "Go on.", "--voice", "rms", "--output", parley.path("rms.wav"))
            #expect(chosen.code == 0 && server.requests.count == 2, "\(chosen.errors)")
        }
    }

    @Test(arguments: [("openai", "/v1"), ("whispercpp", "")])
    func `transcribe hears by an engine what is speech`(kind: String, path: String) async throws {
        try await ScriptedSpeechServer.run { server in
            try await use("--kind", kind, "--url", server.baseURL(path).absoluteString, purpose: "recognition")
            let speech = try sounds.speech("Please turn on the light.")
            let file = try sounds.converted(speech, [], to: "long.wav", effects: ["pad", "3", "5"])
            let heard = try await parley.run("transcribe", file)
            #expect(heard.code == 0 && heard.output == "Turn on the light.\n", "\(heard)")
            let sent = try #require(server.requests.first).body.count
            #expect(server.requests.count == 1 && sent < 3 * 32_000, "\(sent) bytes were sent")
            let silence = try sounds.converted(speech, [], to: "silence.wav", effects: ["gain", "-90"])
            #expect(try await parley.run("transcribe", silence).code == 3)
            #expect(server.requests.count == 1, "silence is not sent")
        }
    }

    @Test func `offline dictation writes down any speech, and says how rough it is`() async throws {
        let speech = try sounds.speech("Please close the window before the rain begins.")
        let heard = try await parley.run("transcribe", "--dictation", "offline", speech)
        #expect(heard.code == 0 && heard.output.contains("window"), "\(heard)")
        #expect(
            heard.errors.contains("Offline dictation is rough") && heard.errors.contains("quarter"), "\(heard.errors)")
        let silence = try sounds.converted(speech, [], to: "silence.wav", effects: ["gain", "-90"])
        let nothing = try await parley.run("transcribe", "--dictation", "offline", silence)
        #expect(nothing.code == 3 && nothing.output.isEmpty, "\(nothing)")
        let turn = try await parley.run(
            "talk", "--dictation", "offline", "--input", speech, "--output", parley.path("answer.wav"), "--json",
            "--no-history")
        #expect((turn.event("transcript")?["text"] as? String)?.contains("window") == true, "\(turn)")
    }

    @Test(arguments: [
        ["transcribe", "--dictation", "offline", "--engine", "local", "x.wav"], ["talk", "--dictation", "online"],
        ["talk", "--dictation", "offline", "--mode", "realtime"],
    ])
    func `dictation is in the place of an engine`(words: [String]) async throws {
        let result = try await parley.start(words).finished()
        #expect(result.code == 2 && result.errors.contains("dictation"), "\(result)")
    }

    @Test func `invented words are no words`() async throws {
        var script = ScriptedSpeechServer.Script()
        script.words =
            #"{"text": "Thanks for watching!", "segments": [{"text": "Thanks for watching!", "avg_logprob": -1.5, "#
            + #""no_speech_prob": 0.9}]}"#
        try await ScriptedSpeechServer.run(script) { server in
            try await use("--kind", "openai", "--url", server.baseURL("/v1").absoluteString)
            let heard = try await parley.run("transcribe", try sounds.speech("Hello."))
            #expect(heard.code == 3 && heard.output.isEmpty && server.requests.count == 1, "\(heard)")
        }
    }

    @Test func `a Wyoming server hears and speaks`() async throws {
        let peer = try await WyomingPeer(["rate=16000", "streaming"])
        let url = "tcp://127.0.0.1:\(peer.port)"
        #expect(
            try await parley.run("speech", "add", "it", "--kind", "wyoming", "--url", url, "--voice", "amy").code == 0)
        let used = try await parley.run("speech", "use", "it", "--patience", "60", "--json")
        #expect(used.events.first as? [String: String] == ["recognition": "it", "synthesis": "it"], "\(used)")
        let said = try await parley.run("say", "It is nine. Go on.", "--output", parley.path("said.wav"), "--json")
        #expect(said.code == 0 && said.events.first?["seconds"] as? Double == 0.75, "\(said)")
        let heard = try await parley.run("transcribe", try sounds.speech("Please turn on the light."))
        #expect(heard.code == 0 && heard.output == "Turn on the light.\n" && heard.errors.isEmpty, "\(heard)")
    }

    @Test func `talk asks and answers by the engine in use`() async throws {
        var script = ScriptedSpeechServer.Script()
        script.words = #"{"text": "What is the capital of Ohio?"}"#
        try await ScriptedSpeechServer.run(script) { server in
            try await use("--kind", "openai", "--url", server.baseURL("/v1").absoluteString)
            let answer = parley.path("answer.wav")
            let question = try sounds.speech("What is the capital of Texas?")
            let turn = try await parley.run("talk", "--input", question, "--output", answer, "--json", "--no-history")
            #expect(turn.code == 0 && turn.errors.isEmpty, "\(turn.errors)")
            #expect(turn.event("transcript")?["text"] as? String == "What is the capital of Ohio?")
            #expect((turn.event("answer")?["answer"] as? String)?.contains("Columbus") == true)
            #expect(server.requests.map(\.path) == ["/v1/audio/transcriptions", "/v1/audio/speech"])
            #expect(!FileManager.default.fileExists(atPath: parley.path("home/data/speech-cache.sqlite")))
        }
    }

    @Test func `listen hears by the engine in use after the wake word alone`() async throws {
        var script = ScriptedSpeechServer.Script()
        script.words = #"{"text": "What is the capital of Ohio?"}"#
        try await ScriptedSpeechServer.run(script) { server in
            try await use("--kind", "openai", "--url", server.baseURL("/v1").absoluteString)
            let scene = try ListenTests.scene(
                [("what is the bird of utah", 1), ("hey jarvis", 3), ("what is the capital of texas", 3)], end: 6,
                in: parley)
            let run = try await parley.run(
                "listen", "--input", scene, "--output", "/dev/null", "--no-notifications", "--json")
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.event("transcript")?["text"] as? String == "What is the capital of Ohio?", "\(run.output)")
            let paths = server.requests.map(\.path)
            #expect(paths.first == "/v1/audio/transcriptions" && paths.contains("/v1/audio/speech"), "\(paths)")
        }
    }

    @Test func `while an engine is away this machine hears and speaks`() async throws {
        try await use("--kind", "openai", "--url", "http://127.0.0.1:\(refusingPort)/v1")
        let file = parley.path("said.wav")
        let said = try await parley.run("say", "What is the capital of Texas? What is the bird of Ohio?", "-o", file)
        #expect(said.code == 0, "\(said.errors)")
        #expect(said.errors.components(separatedBy: "This machine speaks in its place").count == 2, "\(said.errors)")
        let heard = try await parley.run("transcribe", try sounds.speech("What is the capital of Texas?"))
        #expect(heard.code == 0 && heard.output == "what is the capital of texas\n", "\(heard)")
        #expect(heard.errors.components(separatedBy: "This machine hears in its place").count == 2, "\(heard.errors)")
        let test = try await parley.run("speech", "test", "it")
        #expect(test.code == 5 && test.output.isEmpty, "\(test)")
        let told = "it cannot be reached. Check its address and that it runs, and try again.\n"
        #expect(test.errors == "parley: \(told)", "\(test.errors)")
        let doctor = try await parley.run("doctor", "--json")
        let findings = doctor.events.first?["findings"] as? [[String: Any]] ?? []
        let finding = findings.first { $0["name"] as? String == "Speech engine it" }
        #expect(doctor.code == 0 && finding?["status"] as? String == "limited", "\(doctor.output)")
        #expect((finding?["advice"] as? String)?.contains("parley speech use local") == true, "\(doctor.output)")
    }

    @Test(arguments: [SpeechServiceFault.stall, .cut, .serverError, .otherProtocol, .halfFrame])
    func `a failing engine costs one warning`(fault: SpeechServiceFault) async throws {
        try await ScriptedSpeechServer.run(.init(fault: fault)) { server in
            try await use("--kind", "openai", "--url", server.baseURL("/v1").absoluteString, patience: 1)
            let said = try await parley.run("say", "It is nine. Go on.", "-o", parley.path("said.wav"), "--json")
            #expect(said.code == 0, "\(said.errors)")
            #expect(said.errors.components(separatedBy: "This machine speaks").count == 2, "\(said.errors)")
        }
    }

    @Test func `what is spoken under the app lock is kept sealed`() async throws {
        try await ScriptedSpeechServer.run { server in
            try await use("--kind", "openai", "--url", server.baseURL("/v1").absoluteString)
            let passphrase = "open sesame"
            let lock = try terminal("secrets", "lock")
            for question in ["New passphrase: ", "Once more: "] {
                try await lock.shows(question)
                try lock.type(passphrase + "\n")
            }
            #expect(await lock.code() == 0, "\(lock.text)")
            for round in 1...2 {
                // Named, since with the lock closed nobody is asked for the passphrase for the sake of the engine in use.
                let said = try terminal(
                    "say", "The planted secret.", "--engine", "it", "--output", parley.path("\(round).wav"))
                try await said.shows("Passphrase of the app lock: ")
                try said.type(passphrase + "\n")
                #expect(await said.code() == 0, "\(said.text)")
                #expect(server.requests.count == 1, "round \(round)")
            }
            let home = parley.path("home")
            let cache = try #require(FileManager.default.contents(atPath: home + "/data/speech-cache.sqlite"))
            #expect(cache.count > 12_000, "the sound is in it")
            #expect(cache.range(of: Data("SQLite format 3".utf8)) == nil, "it is sealed")
            let sound = try Data(contentsOf: URL(filePath: parley.path("1.wav")))
            #expect(sound == (try Data(contentsOf: URL(filePath: parley.path("2.wav")))))
            let piece = sound.dropFirst(2_000).prefix(64)
            for path in try FileManager.default.subpathsOfDirectory(atPath: home) {
                let bytes = FileManager.default.contents(atPath: home + "/" + path) ?? Data()
                #expect(bytes.range(of: Data("planted".utf8)) == nil && bytes.range(of: piece) == nil, "\(path)")
            }
        }
    }

    private func terminal(_ words: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable] + words, environment: parley.environment.merging(["NO_COLOR": "1"]) { $1 })
    }

    @Test func `nothing of the engines stays after data delete`() async throws {
        try await ScriptedSpeechServer.run { server in
            try await use("--kind", "openai", "--url", server.baseURL("/v1").absoluteString)
            #expect(try await parley.run("say", "It is nine.", "-o", parley.path("said.wav")).code == 0)
            let cache = parley.path("home/data/speech-cache.sqlite")
            #expect(FileManager.default.fileExists(atPath: cache))
            #expect(try await parley.run("data", "delete", "--yes").code == 0)
            #expect(!FileManager.default.fileExists(atPath: cache))
            #expect(try await parley.run("speech", "list").output.isEmpty)
        }
    }

    @Test func `doctor warns of sound that anybody can hear`() async throws {
        let added = try await parley.run(
            "speech", "add", "far", "--kind", "wyoming", "--url", "tcp://192.0.2.1:10300", "--plain-http")
        #expect(added.code == 0 && added.errors.contains("can listen"), "\(added.errors)")
        let listed = try await parley.run("speech", "list", "--json")
        #expect(listed.events.first?["isProtected"] as? Bool == false)
        let doctor = try await parley.run("doctor")
        #expect(doctor.code == 0 && doctor.output.contains("can listen"), "\(doctor.output)")
    }
}

/// A Wyoming server of the reference library.
private final class WyomingPeer: Sendable {
    let port: Int
    private let process: ChildProcess

    init(_ options: [String]) async throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let script = root.appending(
            path: "Packages/SpeechServices/Tests/SpeechServicesTests/Fixtures/wyoming_server.py")
        process = try ChildProcess(
            root.appending(path: ".venv-peers/bin/python").path, [script.path] + options, input: .pipe)
        let line = await process.detached { $0.line() }
        port = try #require(line.flatMap { Int($0) }, "Scripts/test-peers makes the server's environment")
    }
}
