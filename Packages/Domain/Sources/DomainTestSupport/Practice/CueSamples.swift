// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// Cues for tests.
public enum CueSamples {
    /// A cue; every argument has a value that is as good as any.
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

    /// So many cues, a second apart, some of them at the same time.
    public static func cues(_ count: Int) throws -> [Cue] {
        try (0..<count).map { try cue("Cue number \($0)", level: $0 % 6 + 1, at: 1_700_000_000 + Double($0 / 3)) }
    }
}
