// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Glibc
import SpeechEngines
import TestKit
import Testing

@testable import Speech

@Suite struct SynthesizerTests {
    @Test(arguments: FliteSynthesizer.Voice.allCases) func `flite speaks each sentence, in pieces`(
        _ voice: FliteSynthesizer.Voice
    ) async throws {
        func sound(of text: String) async throws -> [AudioBuffer] {
            var buffers: [AudioBuffer] = []
            for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) {
                #expect(buffer.format == .speech)
                #expect(buffer.frameCount > 0)
                buffers.append(buffer)
            }
            return buffers
        }
        let both = try await sound(of: "The capital is Austin. It is large.")
        let (first, second) = try await (sound(of: "The capital is Austin."), sound(of: "It is large."))
        #expect(both.flatMap(\.samples) == (first + second).flatMap(\.samples))
        for pieces in [first, second] {
            #expect(pieces.count > 2)
            #expect(pieces.dropLast().allSatisfy { (.milliseconds(200)...(.milliseconds(250))).contains($0.duration) })
            let whole = AudioBuffer(samples: pieces.flatMap(\.samples), format: .speech)
            #expect(whole.duration > .milliseconds(400))
            #expect(AudioLevel(of: whole).rms > -40)
        }
    }

    @Test(arguments: FliteSynthesizer.Voice.allCases)
    func `a voice speaks slower and faster from the next sentence on`(_ voice: FliteSynthesizer.Voice) async throws {
        let rate = SpeechRate()
        let synthesizer = try FliteSynthesizer(voice: voice, rate: rate)
        let usual = try await duration(of: synthesizer)
        rate.percent = 50
        #expect(try await abs(duration(of: synthesizer) / usual - 2) < 0.2)
        rate.percent = 200
        #expect(try await abs(duration(of: synthesizer) / usual - 0.5) < 0.1)
        rate.percent = 1
        #expect(rate.percent == 50)
        // A synthesizer that is made while another one is slow has the voice's own speed.
        #expect(try await abs(duration(of: FliteSynthesizer(voice: voice)) / usual - 1) < 0.01)
    }

    @Test(arguments: FliteSynthesizer.Voice.allCases)
    func `the same sentence is the same sound`(_ voice: FliteSynthesizer.Voice) async throws {
        var sounds: [[Float]] = [[], []]
        for index in sounds.indices {
            for try await buffer in try FliteSynthesizer(voice: voice).synthesize("It is a quarter past six.") {
                sounds[index] += buffer.samples
            }
        }
        #expect(sounds[0].count > 8000 && sounds[0] == sounds[1])
    }

    @Test func `a program's own random numbers go on after a sentence`() {
        FliteQueue.queue.sync {
            srand(7)
            let undisturbed = [rand(), rand()]
            srand(7)
            let first = rand()
            let within = [rand(), FliteQueue.withSameNumbers { rand() }, FliteQueue.withSameNumbers { rand() }]
            #expect([first, within[0]] == undisturbed)
            #expect(within[1] == within[2])
            srand(7)
            _ = rand()
            _ = FliteQueue.withSameNumbers { rand() }
            #expect(rand() == undisturbed[1])
        }
    }

    @Test func `eSpeak speaks slower and faster`() async throws {
        let rate = SpeechRate()
        let synthesizer = try await ESpeakSynthesizer(language: "en-us", rate: rate)
        let usual = try await duration(of: synthesizer)
        rate.percent = 60
        #expect(try await duration(of: synthesizer) > usual * 1.3)
        rate.percent = 160
        #expect(try await duration(of: synthesizer) < usual * 0.8)
    }

    @Test func `brackets and a NUL are spoken past`() async throws {
        let (espeak, flite) = (try await ESpeakSynthesizer(language: "de"), try FliteSynthesizer())
        for (text, plain) in [("Siehe [[1]], [[[2]] und [[3.", "Siehe 1, 2 und 3."), ("Eins\0 zwei.", "Eins zwei.")] {
            let ratio = try await duration(of: espeak, text) / duration(of: espeak, plain)
            #expect((0.8...1.5).contains(ratio), "\(text): \(ratio)")
        }
        let ratio = try await duration(of: flite, "One\0 two three.") / duration(of: flite, "One two three.")
        #expect((0.9...1.1).contains(ratio), "\(ratio)")
    }

    /// The seconds of a sentence.
    private func duration(
        of synthesizer: any SpeechSynthesizer, _ text: String = "The capital of Texas is Austin."
    ) async throws -> Double {
        var frames = 0
        for try await buffer in synthesizer.synthesize(text) {
            frames += buffer.frameCount
        }
        return Double(frames) / Double(synthesizer.format.sampleRate)
    }

    @Test func nothingToSayIsNoSound() async throws {
        for text in ["", "   ", "...", "\n"] {
            for try await _ in try FliteSynthesizer().synthesize(text) { Issue.record("sound out of “\(text)”") }
        }
    }

    @Test(.timeLimit(.minutes(5))) func aConsumerThatLeavesStopsFlite() async throws {
        let text = String(repeating: "This is one of very many long sentences. ", count: 20_000)
        for try await _ in try FliteSynthesizer().synthesize(text) { break }
        // The queue is free again, or this would wait for twenty thousand sentences, longer than the time limit.
        var frames = 0
        for try await buffer in try FliteSynthesizer().synthesize("Free.") { frames += buffer.frameCount }
        #expect(frames > 0)
    }

    @Test func eSpeakSpeaksOtherLanguages() async throws {
        let synthesizer = try await ESpeakSynthesizer(language: "DE")
        #expect(synthesizer.language == "de")
        var sound = AudioBuffer(samples: [], format: synthesizer.format)
        for try await buffer in synthesizer.synthesize("Die Hauptstadt von Texas ist Austin. --version; $(id)") {
            #expect(buffer.format == synthesizer.format)
            sound.samples += buffer.samples
        }
        #expect(sound.duration > .seconds(2))
        #expect(AudioLevel(of: sound).rms > -40)
    }

    @Test(arguments: [("fr", "fr-fr"), ("de-DE", "de"), ("en", "en-gb"), ("en_US", "en-us"), ("zh", "cmn")])
    func `the nearest voice speaks a language`(_ language: String, _ voice: String) async throws {
        #expect(try await ESpeakSynthesizer(language: language).language == voice)
    }

    @Test func anUnknownLanguageIsRefusedWithAHint() async throws {
        let error = await #expect(throws: SpeechError.self) { _ = try await ESpeakSynthesizer(language: "qqx-DE") }
        #expect(error?.code == .voiceMissing)
        #expect(error?.message.contains("espeak-ng --voices") == true)
        let none = await #expect(throws: SpeechError.self) {
            _ = try await ESpeakSynthesizer(language: "de", program: "/nonexistent/espeak-ng")
        }
        #expect(none?.code == .synthesizerMissing)
        #expect(none?.message.contains("espeak-ng") == true)
    }

    @Test func aConsumerThatLeavesKillsAndReapsTheChild() async throws {
        let synthesizer = try await ESpeakSynthesizer(language: "en-us")
        let text = String(repeating: "One of very many sentences. ", count: 20_000)
        for try await _ in synthesizer.synthesize(text) { break }
        try await eventually("the child has ended and was reaped") { Self.children() == 0 }
    }

    /// How many espeak-ng processes, zombies too, are children of this process.
    private static func children() -> Int {
        let own = ProcessInfo.processInfo.processIdentifier
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.count { name in
            guard Int(name) != nil,
                let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                status.contains("(espeak-ng)"), let end = status.lastIndex(of: ")")
            else { return false }
            return status[end...].split(separator: " ").dropFirst(2).first == "\(own)"
        }
    }
}
