// SPDX-License-Identifier: MIT

/// The voices that `espeak-ng --voices` lists, by language. Pure.
struct ESpeakVoices: Sendable {
    private struct Voice {
        let tag: String
        /// Further languages, with a number that is smaller the better the voice fits.
        let others: [(tag: String, priority: Int)]
    }

    private let voices: [Voice]

    /// Each line has a priority, a tag, age and gender, a name, a file, and further languages as `(fr 5)`.
    init(listing: String) {
        voices = listing.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 1 else { return nil }
            let others = line.split(separator: "(").dropFirst().compactMap { part -> (tag: String, priority: Int)? in
                let words = part.prefix { $0 != ")" }.split(separator: " ")
                guard words.count == 2, let priority = Int(words[1]) else { return nil }
                return (words[0].lowercased(), priority)
            }
            return Voice(tag: String(columns[1]), others: others)
        }
    }

    /// The tags, sorted, each once.
    var tags: [String] { Set(voices.map(\.tag)).sorted() }

    /// The voice for a language tag (BCP 47), in any case: the one with that tag, else one that lists it, else one
    /// whose tag extends it; else the same for the tag without its last part, so that "de" speaks de-DE.
    func nearest(to language: String) -> String? {
        var parts = language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
        while !parts.isEmpty {
            let tag = parts.joined(separator: "-")
            if let voice = voices.first(where: { $0.tag.lowercased() == tag }) { return voice.tag }
            let speakers = voices.flatMap { voice in
                voice.others.filter { $0.tag == tag }.map { (voice: voice.tag, priority: $0.priority) }
            }
            if let best = speakers.min(by: { $0.priority < $1.priority }) { return best.voice }
            let continued = voices.map(\.tag).filter { $0.lowercased().hasPrefix(tag + "-") }
            if let shortest = continued.min(by: { ($0.count, $0) < ($1.count, $1) }) { return shortest }
            parts.removeLast()
        }
        return nil
    }
}
