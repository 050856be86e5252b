// SPDX-License-Identifier: MIT

import Domain

/// Every name of a state, capital, largest city, bird and flower, for exact and for tolerant look-up.
struct NameIndex {
    /// Meanings by the name's letters without spaces.
    private(set) var meanings: [String: NameMeaning] = [:]
    /// Words that occur in names of more than one word.
    private(set) var parts: Set<String> = []
    /// The keys of `meanings` as bytes, by length.
    private let keysByLength: [[(key: String, bytes: [UInt8])]]
    /// State by abbreviation, postal or traditional.
    let abbreviations: [String: Int]

    init() {
        var meanings: [String: NameMeaning] = [:]
        meanings.reserveCapacity(420)
        var parts: Set<String> = []
        // Misspellings are corrected to the names themselves, not to their abbreviations.
        var correctable: [String] = []
        func add(_ entries: [QuestionPhrasing.Entry], _ kind: NameKind) {
            for (state, forms) in entries {
                guard let row = StateTable.row(of: state.abbreviation) else { continue }
                for form in forms { correctable.append(insert(form, row, kind)) }
            }
        }
        @discardableResult
        func insert(_ form: String, _ row: Int, _ kind: NameKind) -> String {
            let words = form.utf8.split(separator: 32)
            if words.count > 1 {
                for word in words { parts.insert(String(decoding: word, as: UTF8.self)) }
            }
            var key = ""
            for word in words { key += String(decoding: word, as: UTF8.self) }
            meanings[key, default: NameMeaning()].insert(row, as: kind)
            return key
        }
        add(QuestionPhrasing.spokenStates, .state)
        add(QuestionPhrasing.spokenCapitals, .capital)
        add(QuestionPhrasing.spokenLargestCities, .largestCity)
        add(QuestionPhrasing.spokenBirds, .bird)
        add(QuestionPhrasing.spokenFlowers, .flower)
        var abbreviations: [String: Int] = [:]
        for (row, state) in StateTable.rows.enumerated() { abbreviations[state.abbreviation.lowercased()] = row }
        for (abbreviation, others) in WrittenNameTable.abbreviations {
            guard let row = abbreviations[abbreviation] else { continue }
            for other in others { abbreviations[other] = row }
        }
        for (abbreviation, forms) in WrittenNameTable.states + WrittenNameTable.nicknames {
            for form in forms { for row in abbreviation.rows { insert(form, row, .state) } }
        }
        for (kind, abbreviation, forms) in WrittenNameTable.values {
            for form in forms { for row in abbreviation.rows { insert(form, row, kind) } }
        }
        for (key, meaning) in meanings where meaning.birds.isEmpty == false || meaning.flowers.isEmpty == false {
            if meaning.states.isEmpty, !key.hasSuffix("s"), meanings[key + "s"] == nil { meanings[key + "s"] = meaning }
        }
        var keys: [[(key: String, bytes: [UInt8])]] = []
        var seen: Set<String> = []
        for key in correctable where seen.insert(key).inserted {
            let bytes = Array(key.utf8)
            while keys.count <= bytes.count { keys.append([]) }
            keys[bytes.count].append((key, bytes))
        }
        self.meanings = meanings
        self.parts = parts
        self.abbreviations = abbreviations
        keysByLength = keys
    }

    /// The most edits between a misspelling and a name of that length.
    static func tolerance(length: Int, isState: Bool) -> Int {
        switch length {
        case ..<4: 0
        case 4: isState ? 1 : 0
        case 5...6: 1
        case 7...9: 2
        default: isState ? 3 : 2
        }
    }

    /// The nearest name within the tolerance; nil if names of several meanings are equally near.
    func nearest(to word: String) -> (key: String, meaning: NameMeaning, distance: Int)? {
        let bytes = Array(word.utf8)
        guard bytes.count >= 4, bytes.count <= 34 else { return nil }
        var best: (key: String, meaning: NameMeaning, distance: Int)?
        var isTied = false
        for length in max(4, bytes.count - 3)...(bytes.count + 3) where length < keysByLength.count {
            for (key, keyBytes) in keysByLength[length] {
                guard let meaning = meanings[key] else { continue }
                let isState = !meaning.states.isEmpty
                let allowed = Self.tolerance(length: min(length, bytes.count), isState: isState)
                // A wrong first letter is rare in a misspelling and common between different words.
                let isSameStart = bytes[0] == keyBytes[0]
                if !isSameStart, length < 6 && bytes[0] != keyBytes[1] { continue }
                let limit = min(isSameStart ? allowed : min(allowed, 1), best?.distance ?? allowed)
                guard let distance = EditDistance.between(bytes, keyBytes, limit: limit) else { continue }
                if let best, best.distance == distance {
                    if best.meaning != meaning { isTied = true }
                } else {
                    isTied = false
                    best = (key, meaning, distance)
                }
            }
        }
        return isTied ? nil : best
    }
}

extension StateTable {
    /// The row of a postal abbreviation in capitals.
    static func row(of abbreviation: String) -> Int? { rows.firstIndex { $0.abbreviation == abbreviation } }
}

extension String {
    /// The rows of the postal abbreviations in the string, separated by spaces.
    fileprivate var rows: [Int] { split(separator: " ").compactMap { StateTable.row(of: String($0)) } }
}
