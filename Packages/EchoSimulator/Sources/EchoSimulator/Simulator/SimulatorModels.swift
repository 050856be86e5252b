// SPDX-License-Identifier: MIT

/// The models that exist, and what they do.
enum SimulatorModels {
    /// Aliases and the dated names that answers have for them.
    static let responses = [
        "gpt-5": "gpt-5-2025-08-07", "gpt-5-mini": "gpt-5-mini-2025-08-07", "gpt-5-nano": "gpt-5-nano-2025-08-07",
    ]
    /// The size of vectors.
    static let embeddings = [
        "text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536,
    ]
    static let transcriptions: Set<String> = ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"]
    static let realtime: Set<String> = ["gpt-realtime", "gpt-realtime-mini"]

    static var all: [String] {
        (Array(responses.keys) + Array(responses.values) + Array(embeddings.keys) + Array(transcriptions)
            + Array(realtime)).sorted()
    }

    /// What an answer of text calls the model; `nil` for one that does not exist or makes no text.
    static func textModel(_ name: String, in scenario: Scenario) -> String? {
        if !scenario.dialect.isStrict || scenario.models.contains(name) { return name }
        return responses[name] ?? (responses.values.contains(name) ? name : nil)
    }
}
