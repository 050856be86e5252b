// SPDX-License-Identifier: MIT

public import Domain

/// A result on the wire.
public struct PracticeResultDTO: Codable, Hashable, Sendable {
    /// The result's id, a UUID.
    public var id: String
    /// The cue's id, a UUID.
    public var cue: String
    /// The cue's text at that time.
    public var cueText: String
    /// The text's language, a BCP 47 tag.
    public var language: String
    /// The recording's id, a UUID; null if none was kept.
    public var recording: String?
    /// The time of the reading, RFC 3339.
    public var practisedAt: String
    /// The person's calendar day at that time, `2024-02-29`.
    public var day: String
    /// The rating: 1 again, 2 hard, 3 good, 4 easy.
    public var rating: Int
    /// The device's evaluation; null without one.
    public var evaluation: EvaluationDTO?

    enum CodingKeys: String, CodingKey {
        case id, cue, language, recording, day, rating, evaluation
        case cueText = "cue_text"
        case practisedAt = "practised_at"
    }

    /// Makes the wire form of a result.
    public init(_ result: PracticeResult) {
        id = result.id.description
        cue = result.cue.description
        cueText = result.cueText
        language = result.language.description
        recording = result.recording?.description
        practisedAt = WireTime.text(of: result.practisedAt)
        day = result.day.description
        rating = result.rating.rawValue
        evaluation = result.evaluation.map(EvaluationDTO.init)
    }

    /// The result.
    ///
    /// - Throws: ``MappingFailure`` that names the invalid member. An unknown rating is invalid, since the scheduler
    ///   would have to guess.
    public func result() throws(MappingFailure) -> PracticeResult {
        let recording = try recording.map { (text) throws(MappingFailure) -> Identifier<Recording> in
            try WireValue.identifier(text, "recording")
        }
        return PracticeResult(
            id: try WireValue.identifier(id, "id"), cue: try WireValue.identifier(cue, "cue"),
            cueText: try WireValue.text(cueText, "cue_text", limit: Cue.textLimit),
            language: try WireValue.language(language, "language"), recording: recording,
            practisedAt: try WireValue.time(practisedAt, "practised_at"), day: try WireValue.day(day, "day"),
            rating: try WireValue.rating(rating, "rating"), evaluation: try mappedEvaluation())
    }

    private func mappedEvaluation() throws(MappingFailure) -> Evaluation? {
        do throws(MappingFailure) {
            return try evaluation?.evaluation()
        } catch {
            throw error.inside("evaluation")
        }
    }
}

/// A page of results on the wire.
public struct PracticePageDTO: Codable, Hashable, Sendable {
    /// The results, the newest first; unreadable ones are skipped.
    public var items: PageItems<PracticeResultDTO>
    /// The cursor of the next page; null after the last one.
    public var next: String?

    enum CodingKeys: String, CodingKey { case items, next }

    /// Makes the wire form of a page.
    public init(_ page: PracticePage) {
        items = PageItems(page.results.map(PracticeResultDTO.init))
        next = page.next?.description
    }

    /// Writes null for a missing next page.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(items, forKey: .items)
        try values.encode(next, forKey: .next)
    }

    /// The page; broken results are in `PracticePage.skipped`.
    ///
    /// - Throws: ``MappingFailure`` if the cursor of the next page is invalid.
    public func page() throws(MappingFailure) -> PracticePage {
        let (results, skipped) = items.mapped { (item) throws(MappingFailure) in try item.result() }
        let cursor = next.flatMap(PracticeCursor.init)
        if next != nil, cursor == nil { throw MappingFailure("next", "is not a valid cursor") }
        return PracticePage(results: results, next: cursor, skipped: skipped)
    }
}

/// Results to be stored all or none: unlike in a page, a broken one makes the batch invalid.
public struct PracticeBatchDTO: Codable, Hashable, Sendable {
    /// The most results of one batch.
    public static let limit = 200

    /// The results.
    public var items: [PracticeResultDTO]

    /// Makes the wire form of a batch.
    public init(_ results: [PracticeResult]) { items = results.map(PracticeResultDTO.init) }

    /// The results.
    ///
    /// - Throws: ``MappingFailure`` for more than ``limit`` results, or for the first invalid one.
    public func results() throws(MappingFailure) -> [PracticeResult] {
        guard items.count <= Self.limit else { throw MappingFailure("items", "are more than \(Self.limit)") }
        var results: [PracticeResult] = []
        for (index, item) in items.enumerated() {
            do throws(MappingFailure) {
                results.append(try item.result())
            } catch {
                throw error.inside("items.\(index)")
            }
        }
        return results
    }
}
