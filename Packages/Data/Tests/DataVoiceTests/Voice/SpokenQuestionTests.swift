// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Domain
import Foundation
import Speech
import StateKnowledge
import TestKit
import Testing

/// Sentences are synthesised, heard through the whole path from a sound file, and answered; the answer has to be the one
/// that the same words get when they are typed.
@Suite(.serialized) struct SpokenQuestionTests {
    private struct Run {
        let group: String
        let sentence: String
        let voice: TestVoice
        let isNoisy: Bool
    }

    private static let seed: UInt64 = 2026

    /// Each question once clean and once in noise by two voices; the others once, clean and noisy in turn. A voice says all
    /// of its own, so that the recogniser knows it from the second sentence on.
    private static var runs: [Run] {
        let voices = TestVoice.allCases
        var runs: [Run] = []
        for (index, sentence) in SpokenSentenceTable.questions.enumerated() {
            runs.append(Run(group: "questions", sentence: sentence, voice: voices[index % 6], isNoisy: false))
            runs.append(Run(group: "questions", sentence: sentence, voice: voices[(index + 3) % 6], isNoisy: true))
        }
        for (group, sentences) in [
            ("held-out questions", SpokenSentenceTable.heldOutQuestions), ("others", SpokenSentenceTable.others),
            ("held-out others", SpokenSentenceTable.heldOutOthers),
        ] {
            for (index, sentence) in sentences.enumerated() {
                let voice = voices[(index / 2) % 6]
                runs.append(Run(group: group, sentence: sentence, voice: voice, isNoisy: index % 2 == 1))
            }
        }
        return runs.sorted { ($0.voice.rawValue, $0.isNoisy ? 1 : 0) < ($1.voice.rawValue, $1.isNoisy ? 1 : 0) }
    }

    @Test(.timeLimit(.minutes(10))) func spokenQuestionsAreAnsweredAndOtherSpeechIsNot() async throws {
        let folder = try TemporaryFolder()
        let sounds = try await Self.synthesize(in: URL(filePath: folder.path))
        let transcriber = FileTranscriber(recognizer: try await GrammarRecognizer.forStateQuestions())
        let knowledge = StateKnowledgeBase()
        var tally = Tally()
        var noise = TestNoise(seed: Self.seed)
        for run in Self.runs {
            let sound = try #require(sounds[run.voice]?[run.sentence])
            let path = folder.file("heard.wav")
            try write(noise.surround(sound, decibels: run.isNoisy ? 20 : nil), to: path)
            let heard = try await Self.words(heardIn: path, by: transcriber)
            let got = Self.reply(to: heard, from: knowledge)
            let isQuestion = run.group.hasSuffix("questions")
            let wanted = isQuestion ? Self.reply(to: run.sentence, from: knowledge) : nil
            #expect(!isQuestion || wanted != nil, "The knowledge base refuses “\(run.sentence)” when it is typed.")
            tally.add(
                got == wanted, to: [run.group, run.isNoisy ? "at 20 dB" : "clean", run.voice.rawValue], isQuestion,
                "\(run.voice) \(run.isNoisy ? "20 dB" : "clean"): “\(run.sentence)” was heard as “\(heard ?? "")”")
        }
        print("seed \(Self.seed)\n\(tally)")
        #expect(tally.share("questions") >= 0.9)
        #expect(tally.share("held-out questions") >= 0.85)
        #expect(tally.share("all questions") >= 0.9)
        #expect(tally.share("all others") >= 0.95)
    }

    @Test func aRealVoiceSayingOtherThingsIsRejected() async throws {
        let folder = "/usr/share/sounds/alsa"
        let names = try #require(
            try? FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".wav") },
            "\(folder) is missing: install the package alsa-utils.")
        #expect(names.count >= 8)
        let transcriber = FileTranscriber(recognizer: try await GrammarRecognizer.forStateQuestions())
        for name in names {
            await #expect(throws: DomainError.self, "\(name)") {
                let transcript = try await transcriber.firstUtterance(in: "\(folder)/\(name)")
                print("\(name) was heard as “\(transcript.text)”")
            }
        }
    }

    @Test func aMissingSynthesiserIsNamedWithItsPackage() async throws {
        let folder = try TemporaryFolder()
        let speech = SynthesizedSpeech(
            folder: URL(filePath: folder.path), festival: "no-such-festival")
        let error = await #expect(throws: TestToolError.self) {
            try await speech.read(["hello"], by: .festivalKAL)
        }
        #expect(error?.description.contains("festvox-kallpc16k") == true)
    }

    private static func synthesize(in folder: URL) async throws -> [TestVoice: [String: AudioBuffer]] {
        try await withThrowingTaskGroup(of: (TestVoice, [String: AudioBuffer]).self) { group in
            for voice in TestVoice.allCases {
                let sentences = Array(Set(runs.filter { $0.voice == voice }.map(\.sentence))).sorted()
                group.addTask {
                    (voice, try await SynthesizedSpeech(folder: folder).read(sentences, by: voice))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private static func words(heardIn path: String, by transcriber: FileTranscriber) async throws -> String? {
        do {
            return try await transcriber.firstUtterance(in: path).text
        } catch DomainError.notUnderstood, DomainError.noSpeech {
            return nil
        }
    }

    private static func reply(to words: String?, from knowledge: StateKnowledgeBase) -> String? {
        guard let words else { return nil }
        return try? knowledge.answer(words).text
    }
}

/// Writes a sound file.
func write(_ sound: AudioBuffer, to path: String) throws {
    let writer = try SoundFileWriter(path: path, format: sound.format)
    try writer.write(sound)
    try writer.close()
}

/// How often it was right, by group.
private struct Tally: CustomStringConvertible {
    private var counts: [String: (right: Int, all: Int)] = [:]
    private var failures: [String] = []

    mutating func add(_ isRight: Bool, to groups: [String], _ isQuestion: Bool, _ failure: String) {
        let kind = isQuestion ? "all questions" : "all others"
        for group in [kind, groups[0]] + groups.dropFirst().map({ "\(kind), \($0)" }) {
            counts[group, default: (0, 0)].all += 1
            if isRight { counts[group, default: (0, 0)].right += 1 }
        }
        if !isRight { failures.append(failure) }
    }

    func share(_ group: String) -> Double {
        let count = counts[group] ?? (0, 1)
        return Double(count.right) / Double(count.all)
    }

    var description: String {
        let lines = counts.sorted { $0.key < $1.key }.map { group, count in
            "\(group): \(count.right) of \(count.all) (\((share(group) * 1000).rounded() / 10)%)"
        }
        return (lines + failures).joined(separator: "\n")
    }
}
