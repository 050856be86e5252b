// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Domain
import Foundation
import LocalIntents
import Speech
import StateKnowledge
import TestKit
import Testing

/// Intents are said by synthetic voices and heard: the intent has to be the one of the same words typed, questions about
/// states remain such, and other sentences are no intent.
///
/// A fixed part of the sentences by default. With `PARLEY_ALL_SPOKEN_INTENTS=1` all are said, clean and at 20 dB;
/// `Scripts/bench.d/skeleton.md` has those figures.
@Suite(.serialized) struct SpokenIntentTests {
    private struct Group {
        let name: String
        /// One of so many sentences is said by default.
        let step: Int
        let sentences: [String]
        let isRight: (_ typed: String, _ heard: String) -> Bool
    }

    private static let reader = IntentReader()
    private static let knowledge = StateKnowledgeBase()

    private static func groups(all: Bool) -> [Group] {
        let isSame = { (typed: String, heard: String) in
            let intent = reader.read(heard)?.intent
            return intent != nil && intent == reader.read(typed)?.intent && (try? knowledge.answer(heard)) == nil
        }
        let isNoIntent = { (_: String, heard: String) in reader.read(heard) == nil }
        let others = (SpokenSentenceTable.others + SpokenSentenceTable.heldOutOthers + SpokenIntentTable.nearMisses)
            .filter { reader.read($0) == nil }
        let groups = [
            Group(name: "intents", step: 3, sentences: SpokenIntentTable.phrases, isRight: isSame),
            Group(name: "held-out intents", step: 3, sentences: SpokenIntentTable.heldOutPhrases, isRight: isSame),
            Group(
                name: "states", step: 8,
                sentences: SpokenSentenceTable.questions + SpokenSentenceTable.heldOutQuestions
            ) { typed, heard in
                reader.read(heard) == nil
                    && (try? knowledge.answer(typed).text) == (try? knowledge.answer(heard).text)
            },
            Group(name: "others", step: 6, sentences: others, isRight: isNoIntent),
        ]
        guard !all else { return groups }
        return groups.map { group in
            let part = group.sentences.enumerated().filter { $0.offset % group.step == 0 }.map(\.element)
            return Group(name: group.name, step: 1, sentences: part, isRight: group.isRight)
        }
    }

    private static let isWhole = ProcessInfo.processInfo.environment["PARLEY_ALL_SPOKEN_INTENTS"] != nil

    @Test(.timeLimit(.minutes(isWhole ? 60 : 10))) func `spoken intents are heard`() async throws {
        let isWhole = Self.isWhole
        let folder = try TemporaryFolder()
        let transcriber = FileTranscriber(recognizer: try await GrammarRecognizer.forAssistant())
        var noise = TestNoise(seed: 2026)
        var counts: [String: (right: Int, all: Int)] = [:]
        let groups = Self.groups(all: isWhole)
        for (order, voice) in TestVoice.allCases.enumerated() {
            let runs = groups.enumerated().flatMap { number, group in
                group.sentences.enumerated().flatMap { index, text -> [(group: Int, text: String, isNoisy: Bool)] in
                    let clean = index % 6 == order ? [(number, text, false)] : []
                    let isNoisy = (index + 3) % 6 == order && (isWhole || index.isMultiple(of: 2))
                    return clean + (isNoisy ? [(number, text, true)] : [])
                }
            }
            let sounds = try await SynthesizedSpeech(folder: URL(filePath: folder.path))
                .read(Set(runs.map(\.text)).sorted(), by: voice)
            for run in runs {
                let path = folder.file("heard.wav")
                try write(noise.surround(try #require(sounds[run.text]), decibels: run.isNoisy ? 20 : nil), to: path)
                let heard = try await Self.words(heardIn: path, by: transcriber)
                let group = groups[run.group]
                let name = "\(group.name), \(run.isNoisy ? "20 dB" : "clean")"
                counts[name, default: (0, 0)].all += 1
                if group.isRight(run.text, heard) {
                    counts[name]?.right += 1
                } else {
                    print("\(name), \(voice): “\(run.text)” was heard as “\(heard)”")
                }
            }
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(name): \(count.right) of \(count.all)") }
        func share(_ names: [String]) -> Double {
            let some = names.compactMap { counts[$0] }
            return Double(some.reduce(0) { $0 + $1.right }) / Double(max(1, some.reduce(0) { $0 + $1.all }))
        }
        // One phrase of these 47 is two per cent.
        #expect(share(["intents, clean", "held-out intents, clean"]) >= 0.9)
        #expect(share(["intents, 20 dB", "held-out intents, 20 dB"]) >= 0.7)
        #expect(share(["states, clean"]) >= 0.95)
        #expect(share(["states, 20 dB"]) >= 0.8)
        #expect(share(["others, clean"]) >= 0.95)
        #expect(share(["others, 20 dB"]) >= 0.92)
    }

    private static func words(heardIn path: String, by transcriber: FileTranscriber) async throws -> String {
        do { return try await transcriber.firstUtterance(in: path).text } catch DomainError.notUnderstood {
            return ""
        } catch DomainError.noSpeech { return "" }
    }
}
