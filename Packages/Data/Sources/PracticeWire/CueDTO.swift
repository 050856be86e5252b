// SPDX-License-Identifier: MIT

public import Domain

/// A cue on the wire.
public struct CueDTO: Codable, Hashable, Sendable {
    /// The cue's id, a UUID.
    public var id: String
    /// The sentence to read aloud.
    public var text: String
    /// The text's language, a BCP 47 tag.
    public var language: String
    /// The cue's topic.
    public var topic: String
    /// The difficulty, 1 to 6.
    public var level: Int
    /// A hint for the reader; may be missing.
    public var hint: String?
    /// The time at which the cue was added, RFC 3339.
    public var createdAt: String

    enum CodingKeys: String, CodingKey {
        case id, text, language, topic, level, hint
        case createdAt = "created_at"
    }

    /// Makes the wire form of a cue.
    public init(_ cue: Cue) {
        id = cue.id.description
        text = cue.text
        language = cue.language.description
        topic = cue.topic
        level = cue.level
        hint = cue.hint
        createdAt = WireTime.text(of: cue.createdAt)
    }

    /// The cue.
    ///
    /// - Throws: ``MappingFailure`` that names the invalid member.
    public func cue() throws(MappingFailure) -> Cue {
        let hint = try hint.map { (hint) throws(MappingFailure) in try WireValue.text(hint, "hint", limit: 1_000) }
        let cue = Cue(
            id: try WireValue.identifier(id, "id"), text: text, language: try WireValue.language(language, "language"),
            topic: topic, level: try WireValue.whole(level, "level", in: Cue.levels), hint: hint,
            createdAt: try WireValue.time(createdAt, "created_at"))
        guard let cue else {
            throw MappingFailure("text", "or the topic is blank or too long: \(Cue.textLimit) and 60 characters")
        }
        return cue
    }
}

/// A page of cues on the wire.
public struct CuePageDTO: Codable, Hashable, Sendable {
    /// The cues, in the list's order; unreadable ones are skipped.
    public var items: PageItems<CueDTO>
    /// The cursor of the next page; null after the last one.
    public var next: String?

    enum CodingKeys: String, CodingKey { case items, next }

    /// Makes the wire form of a page.
    public init(_ page: CuePage) {
        items = PageItems(page.cues.map(CueDTO.init))
        next = page.next?.description
    }

    /// Writes null for a missing next page.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(items, forKey: .items)
        try values.encode(next, forKey: .next)
    }

    /// The page, current; broken cues are in `CuePage.skipped`.
    ///
    /// - Throws: ``MappingFailure`` if the cursor of the next page is invalid.
    public func page() throws(MappingFailure) -> CuePage {
        let (cues, skipped) = items.mapped { (item) throws(MappingFailure) in try item.cue() }
        let cursor = next.flatMap(CueCursor.init)
        if next != nil, cursor == nil { throw MappingFailure("next", "is not a valid cursor") }
        return CuePage(cues: cues, next: cursor, skipped: skipped)
    }
}
