// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley voices`, and the commands that speak with a profile.
@Suite(.timeLimit(.minutes(5))) struct VoiceProfileTests {
    private static let sentence = "The capital of Texas is Austin, and its largest city is Houston."
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func done(_ words: String...) async throws -> ParleyProcess.Result {
        let result = try await parley.start(words).finished()
        #expect(result.code == 0, "\(words): \(result.errors)")
        return result
    }

    @Test func `a profile is added, shown, changed, used and deleted`() async throws {
        let empty = try await done("voices", "list")
        #expect(empty.output.isEmpty && empty.errors.contains("parley voices add"))
        #expect(!FileManager.default.fileExists(atPath: parley.path("home")))
        let added = try await done("voices", "add", "anna", "--voice", "rms", "--rate", "1.5", "--json")
        let id = try #require(added.events.first?["id"] as? String)
        #expect(added.events.first?["stability"] as? Double == 0.75)
        _ = try await done("voices", "add", "bea", "--engine", "espeak-ng", "--voice", "de", "--pitch", "0.8")
        let list = try await done("voices", "list", "--json")
        #expect(list.events.compactMap { $0["name"] as? String } == ["anna", "bea"])
        #expect(list.events.allSatisfy { $0["isUsed"] as? Bool == false })
        #expect(try await done("voices", "list").output.contains("anna  flite rms, rate 1.5"))
        #expect(try await done("voices", "show", "bea").output.contains("pitch: 0.8"))
        _ = try await done("voices", "edit", "anna", "--name", "ann", "--pitch", "1.2")
        let edited = try await done("voices", "show", "ann", "--json")
        #expect(edited.events.first?["id"] as? String == id && edited.events.first?["rate"] as? Double == 1.5)
        _ = try await done("voices", "use", "ann")
        #expect(try await done("voices", "list").output.contains("(in use)"))
        _ = try await done("voices", "delete", "ann")
        #expect(try await done("voices", "list", "--json").events.count == 1)
        let export = parley.path("all.tar")
        _ = try await done("data", "export", export, "--offline")
        #expect(try Data(contentsOf: URL(filePath: export)).range(of: Data("espeak-ng".utf8)) != nil)
        _ = try await done("data", "delete", "--offline", "--yes")
        #expect(try await done("voices", "list", "--json").events.isEmpty)
    }

    @Test(arguments: [
        (["voices", "show", "ann"], 2, "parley voices add adds one"), (["voices", "add", "none"], 2, "not none"),
        (["voices", "add", "a b"], 2, "letters, digits"),
        (["voices", "add", "a", "--voice", "smt"], 2, "Did you mean slt? There is: slt, rms, awb, kal16"),
        (["voices", "add", "a", "--engine", "flight"], 2, "There is: flite, espeak-ng, realtime"),
        (["voices", "add", "a", "--engine", "espeak-ng", "--voice", "xx"], 6, "espeak-ng --voices"),
        (["voices", "add", "a", "--rate", "2.1"], 2, "from 0.5 to 2.0"),
        (["voices", "add", "a", "--stability", "nan"], 2, "from 0.0 to 1.0"),
        (["voices", "edit", "a"], 2, "--rate 1.2"), (["voices", "use", "a"], 2, "no voice profile a"),
        (["say", "Hello", "--profile", "a"], 2, "parley voices add"),
        (["say", "Hello", "--profile", "a", "--voice", "slt"], 2, "Give one of them"),
    ])
    func `a mistake says what is possible`(_ words: [String], _ code: Int32, _ hint: String) async throws {
        let result = try await parley.start(words).finished()
        #expect(result.code == code && result.errors.contains(hint), "\(result.code): \(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: parley.path("home/data/settings.sqlite")))
    }

    /// The samples of a WAV file of 16 bits and one channel.
    private static func samples(of file: String) throws -> [Float] {
        let bytes = try Data(contentsOf: URL(filePath: file))
        let start = try #require(bytes.range(of: Data("data".utf8))).upperBound + 4
        return stride(from: start, to: bytes.count - 1, by: 2).map { index in
            Float(Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)) / 32_768
        }
    }

    /// The samples of the sentence.
    private func said(_ options: String...) async throws -> [Float] {
        let file = parley.path("said.wav")
        let result = try await parley.start(["say", Self.sentence, "--output", file] + options).finished()
        #expect(result.code == 0, "\(options): \(result.errors)")
        return try Self.samples(of: file)
    }

    @Test func `say speaks with a profile's speed and pitch`() async throws {
        let plain = try await said()
        _ = try await done("voices", "add", "low", "--voice", "slt", "--pitch", "0.75")
        _ = try await done("voices", "add", "quick", "--voice", "slt", "--rate", "1.6", "--pitch", "1.25")
        let low = try await said("--profile", "low")
        let track = ReferencePitch.track(plain, sampleRate: 16_000)
        let (median, _) = ReferencePitch.ratio(track, ReferencePitch.track(low, sampleRate: 16_000, from: 45))
        #expect(low.count == plain.count)
        #expect((0.7425...0.7575).contains(median), "\(median)")
        // The one in use speaks until the command line says otherwise.
        _ = try await done("voices", "use", "quick")
        let quick = try await said()
        let speed: Double = Double(plain.count) / Double(quick.count)
        #expect((1.5...1.7).contains(speed), "\(speed)")
        func middle(_ track: [Double?]) -> Double { track.compactMap(\.self).sorted().middle ?? 0 }
        let ratio: Double = middle(ReferencePitch.track(quick, sampleRate: 16_000)) / middle(track)
        #expect((1.18...1.32).contains(ratio), "\(ratio)")
        #expect(try await said("--profile", "none") == plain)
        #expect(try await said("--voice", "slt") == plain)
        let slow = try await said("--speed", "100")
        #expect(slow.count == plain.count && slow != plain)
    }

    @Test func `talk answers with a profile`() async throws {
        let question = parley.path("question.wav")
        _ = try await done("say", "What is the capital of Texas?", "--output", question)
        _ = try await done("voices", "add", "slow", "--voice", "rms", "--rate", "0.5")
        var seconds: [Double] = []
        for options in [["--voice", "rms"], ["--profile", "slow"]] {
            let answer = parley.path("answer.wav")
            let result = try await parley.start(["talk", "--input", question, "--output", answer] + options).finished()
            #expect(result.code == 0, "\(result.errors)")
            let samples = try Self.samples(of: answer)
            let loud = samples.indices.filter { abs(samples[$0]) > 0.02 }
            seconds.append(Double((loud.last ?? 0) - (loud.first ?? 0)))
        }
        let ratio: Double = seconds[1] / seconds[0]
        #expect((1.5...2.5).contains(ratio), "\(seconds)")
    }

    @Test func `a profile of the wrong engine says which one is right`() async throws {
        _ = try await done("voices", "add", "model", "--engine", "realtime", "--voice", "cedar")
        _ = try await done("voices", "add", "own")
        let say = try await parley.run("say", "Hello", "--profile", "model")
        #expect(say.code == 2 && say.errors.contains("talk --mode realtime"), "\(say.errors)")
        let key = ["OPENAI_API_KEY": "sk-none"]
        let chat = try await parley.run(
            "chat", "Hello", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--profile", "own",
            environment: key)
        #expect(chat.code == 2 && chat.errors.contains("--engine realtime"), "\(chat.errors)")
        // A model's profile in use leaves the commands of this machine alone.
        _ = try await done("voices", "use", "model")
        #expect(try await !said().isEmpty)
    }
}

extension Collection {
    fileprivate var middle: Element? { isEmpty ? nil : self[index(startIndex, offsetBy: count / 2)] }
}
