// SPDX-License-Identifier: MIT

/// The text of an answer on its way to a speaker, piece by piece.
actor SpeechText {
    /// The pieces, for one reader.
    nonisolated let pieces: AsyncStream<String>
    private let input: AsyncStream<String>.Continuation
    private var isEmpty = true

    init() { (pieces, input) = AsyncStream.makeStream() }

    /// Adds a piece.
    ///
    /// - Returns: True for the first one.
    @discardableResult
    func add(_ piece: String) -> Bool {
        defer { isEmpty = false }
        input.yield(piece)
        return isEmpty
    }

    /// Ends the text; one without a piece becomes `whole`.
    ///
    /// - Returns: True if `whole` is the first piece.
    @discardableResult
    func finish(_ whole: String? = nil) -> Bool {
        defer { input.finish() }
        guard isEmpty, let whole else { return false }
        return add(whole)
    }
}

extension SpeechSpeaker {
    /// Speaks a text, and returns the number of its characters that were heard when it was cut off; nil if it was not.
    func speak(
        _ text: SpeechText, report: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void
    ) async throws -> Int? {
        let heard = Heard()
        do {
            try await speak(text.pieces) { event in
                switch event {
                case .reached(let stage, let instant): await report(stage, instant)
                case .heard(let characters): await heard.set(characters)
                }
            }
            return nil
        } catch is CancellationError {
            return await heard.characters
        }
    }
}

/// The last report about what was heard.
private actor Heard {
    private(set) var characters = 0
    func set(_ characters: Int) { self.characters = characters }
}
