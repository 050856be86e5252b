// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech
import Testing
import VoiceActivity

@testable import DataVoice

/// Pauses in questions, by voices, detector and recogniser: where a question is taken to be over though it goes on.
@Suite("Pauses within questions", .serialized, .timeLimit(.minutes(10))) struct PauseTests {
    /// A pause, and what was made of the words before it.
    private struct Pause {
        let words: String
        let isAccepted: Bool
        /// The silence after which it was taken for the end of the question; nil if it was not.
        let ended: Duration?
        /// How long it lasted as the detector saw it; nil for the last one.
        let length: Duration?
    }

    private static let fresh = TurnEnd()

    /// The pauses that the endpointer finds in `speech`, with what the recogniser makes of the words before each.
    private static func pauses(
        in speech: [Float], _ recognizer: GrammarRecognizer, _ made: any VoiceActivityDetector & Sendable,
        _ configuration: Endpointer.Configuration
    ) async throws -> [Pause] {
        var detector = made
        var noise = TestNoise(seed: 7)
        let sound = noise.surround(AudioBuffer(samples: speech, format: .speech), decibels: nil, tail: 16_000).samples
        var endpointer = Endpointer(configuration: configuration)
        var pauses: [Pause] = []
        var (start, paused, end, ended) = (0, 0, fresh, Duration?.none)
        func note(_ length: Duration?) {
            guard let draft = end.draft else { return }
            pauses.append(
                Pause(words: draft.text, isAccepted: draft.outcome == .accepted, ended: ended, length: length))
            ended = nil
            end.forget()
        }
        for first in stride(from: 0, to: sound.count, by: 320) {
            let piece = Array(sound[first..<min(sound.count, first + 320)])
            for event in endpointer.process(detector.process(piece)) {
                switch event {
                case .speechStarted(let position): start = position
                case .pauseBegan(let last, _):
                    await recognizer.begin()
                    try await recognizer.process(
                        AudioBuffer(samples: Array(sound[start..<first + piece.count]), format: .speech))
                    paused = last
                    end.pauseBegan(try await recognizer.draft())
                case .pauseLasted(let last, let detected):
                    let silence = AudioFormat.speech.duration(ofFrames: detected - last)
                    if ended == nil, end.question(after: silence) != nil { ended = silence }
                case .speechResumed(let position):
                    note(AudioFormat.speech.duration(ofFrames: position - paused))
                case .speechEnded, .speechDiscarded: note(nil)
                }
            }
        }
        note(nil)
        return pauses
    }

    private static func speak(_ text: String, _ voice: FliteSynthesizer.Voice) async throws -> [Float] {
        var samples: [Float] = []
        for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { samples += buffer.samples }
        return samples
    }

    private struct Hearing {
        let name: String
        let detector: any VoiceActivityDetector & Sendable
        let configuration: Endpointer.Configuration
    }

    private static let weights = try? SileroWeights()

    @Test(.enabled(if: weights != nil, "needs the weights that Scripts/fetch-weights fetches"))
    func fluentQuestionsAreNotCutOffByThePreferredDetector() async throws {
        let detector = SileroDetector(weights: try #require(Self.weights))
        try await check(Hearing(name: "Silero", detector: detector, configuration: .silero), step: 14)
    }

    @Test func fluentQuestionsAreNotCutOffWithoutWeights() async throws {
        try await check(Hearing(name: "spectral", detector: SpectralDetector(), configuration: .spectral), step: 6)
    }

    /// Whoever speaks without stopping is never cut off; commas are short stops. One sentence of `step` is spoken: each pause
    /// is recognised.
    private func check(_ hearing: Hearing, step: Int) async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let voices: [FliteSynthesizer.Voice] = [.slt, .rms, .awb]
        let sentences = SpokenSentenceTable.questions + SpokenSentenceTable.heldOutQuestions
        let (name, detector, configuration) = (hearing.name, hearing.detector, hearing.configuration)
        var (cut, cutBefore, quick) = (0, 0, 0)
        for (index, sentence) in sentences.enumerated() where index % step == 0 {
            let sound = try await Self.speak(sentence, voices[index / step % 3])
            let pauses = try await Self.pauses(in: sound, recognizer, detector, configuration)
            for pause in pauses {
                guard let length = pause.length else {
                    quick += pause.ended.map { $0 <= .milliseconds(130) } ?? false ? 1 : 0
                    continue
                }
                let isCut = pause.ended != nil
                if isCut { print("\(name): “\(sentence)” cut at “\(pause.words)”, \(length)") }
                cut += isCut ? 1 : 0
                cutBefore += pause.isAccepted && length > .milliseconds(260) ? 1 : 0
            }
        }
        print(
            "\(name): of \(sentences.count / step) questions \(cut) cut off, by one pause for all \(cutBefore);",
            "\(quick) ended after at most 130 ms")
        #expect(cut <= 1 && quick > sentences.count / step / 2)
    }

    /// Slow speakers stop between any two words.
    @Test func aPauseBetweenWordsIsSeldomTakenForTheEnd() async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let (detector, configuration) = (SpectralDetector(), Endpointer.Configuration.spectral)
        let quiet = [Float](repeating: 0, count: 5_600)
        var (all, accepted, taken) = (0, 0, 0)
        for (index, sentence) in SpokenSentenceTable.heldOutQuestions.enumerated() where index % 12 == 0 {
            let words = sentence.split(separator: " ")
            let voice: FliteSynthesizer.Voice = index % 24 == 0 ? .slt : .rms
            for place in 2..<max(2, words.count) {
                let parts = [words[..<place], words[place...]].map { $0.joined(separator: " ") }
                let sound = try await Self.speak(parts[0], voice) + quiet + Self.speak(parts[1], voice)
                guard
                    let pause = try await Self.pauses(in: sound, recognizer, detector, configuration).last(where: {
                        $0.length.map { $0 > .milliseconds(260) } ?? false
                    })
                else { continue }
                all += 1
                guard pause.isAccepted else { continue }
                accepted += 1
                if let ended = pause.ended {
                    taken += 1
                    print("“\(sentence)” was over with “\(pause.words)”, after \(ended)")
                }
            }
        }
        print(
            "\(all) pauses of more than 260 ms between words: \(accepted) after words that the recogniser accepts;",
            "\(taken) taken for the end")
        #expect(all > 10 && taken <= accepted && taken * 4 <= all)
    }
}
