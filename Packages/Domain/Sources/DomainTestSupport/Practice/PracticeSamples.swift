// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// Cues for tests.
public enum CueSamples {
    /// A cue; every argument has a default.
    public static func cue(
        _ text: String, language: String = "en-US", topic: String = "greetings", level: Int = 1, hint: String? = nil,
        at seconds: Double = 1_700_000_000, id: Identifier<Cue> = .init()
    ) throws -> Cue {
        guard let language = LanguageTag(language),
            let cue = Cue(
                id: id, text: text, language: language, topic: topic, level: level, hint: hint,
                createdAt: Date(timeIntervalSince1970: seconds))
        else { throw BrokenContract(description: "no cue can be made of \(text)") }
        return cue
    }

    /// Returns `count` cues, a second apart, some of them at the same time.
    public static func cues(_ count: Int) throws -> [Cue] {
        try (0..<count).map { try cue("Cue number \($0)", level: $0 % 6 + 1, at: 1_700_000_000 + Double($0 / 3)) }
    }
}

/// Results and evaluations for tests.
public enum PracticeSamples {
    /// An evaluation in which each member has a value.
    public static func evaluation(right: Int = 3, missed: Int = 1, source: Evaluation.Source = .device) -> Evaluation {
        let words =
            Array(repeating: JudgedWord(text: "right", verdict: .right), count: right)
            + Array(repeating: JudgedWord(text: "déjà", verdict: .missed), count: missed)
            + [JudgedWord(text: "um", verdict: .inserted), JudgedWord(text: "xyzzy", verdict: .unjudged)]
        return Evaluation(
            source: source, words: words, speechDuration: 2.25, wordsPerMinute: 106.5,
            pauses: [.init(start: 0.5, duration: 0.75)], loudness: -23.125, truePeak: -1.5, clippedShare: 0.0625,
            noiseLevel: -62.5, signalToNoise: 38)
    }

    /// An evaluation without any optional member.
    public static let bareEvaluation = Evaluation(
        source: .server, words: nil, speechDuration: 0, wordsPerMinute: nil, pauses: [], loudness: nil, truePeak: nil,
        clippedShare: 0, noiseLevel: nil, signalToNoise: nil)

    /// A result; every argument has a default.
    public static func result(
        at seconds: Double = 1_700_000_000, day: String = "2023-11-14", language: String = "en-US",
        cue: Identifier<Cue> = .init(), rating: ReviewRating = .good, evaluation: Evaluation? = nil,
        recording: Identifier<Recording>? = nil, id: Identifier<PracticeResult> = .init()
    ) throws -> PracticeResult {
        guard let day = CalendarDate(day), let language = LanguageTag(language) else {
            throw BrokenContract(description: "\(day) or \(language) is none")
        }
        return PracticeResult(
            id: id, cue: cue, cueText: "Où est la gare? \"là\" 🚉", language: language, recording: recording,
            practisedAt: Date(timeIntervalSince1970: seconds), day: day, rating: rating, evaluation: evaluation)
    }
}
