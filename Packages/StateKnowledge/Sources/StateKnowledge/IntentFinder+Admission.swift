// SPDX-License-Identifier: MIT

import Domain

extension IntentFinder {
    /// "Which joined first, Ohio or Texas?", "Is Texas older than Ohio?", "What was the 28th state?"
    func order() -> Interpretation? {
        let orders = segment.positions(where: \.isOrder)
        let relations = segment.positions(.relation)
        let rows = rows
        if rows.count >= 2, segment.values.isEmpty, !leftover(.admission) {
            return comparedAdmissions(rows, orders, relations)
        }
        guard segment.rows.isEmpty, segment.values.isEmpty, segment.has(.state), !leftover(.admission) else {
            return nil
        }
        return numberedAdmission(orders)
    }

    private func comparedAdmissions(_ rows: [Int], _ orders: [Int], _ relations: [Int]) -> Interpretation? {
        guard !orders.isEmpty || (!segment.topics.isEmpty && segment.says("before", "after")) else { return nil }
        let ageWords: Set<String> = ["older", "oldest", "younger", "youngest", "newer", "newest"]
        guard !segment.topics.isEmpty || orders.contains(where: { ageWords.contains(segment.text($0)) }) else {
            return nil
        }
        var isEarly = !segment.says("after")
        if let first = orders.first, case .order(let early) = segment.words[first].role { isEarly = early }
        let dated = rows.compactMap { row in AdmissionOrder.rank(of: row).map { (row: row, rank: $0) } }
        guard dated.count == rows.count else { return nil }
        let sorted = dated.sorted { $0.rank < $1.rank }
        guard let early = sorted.first, let late = sorted.last else { return nil }
        let explained = Set(orders + relations + segment.range.filter { segment.text($0) == "who" }).union(
            all { $0 == .time || $0 == .becoming || $0 == .comparative })
        let chosen = isEarly ? early.row : late.row
        var lead = "\(AnswerWriter.name(chosen)) came \(isEarly ? "first" : "last")."
        let isYesNo =
            segment.text(segment.range.lowerBound) == "is" || segment.text(segment.range.lowerBound) == "did"
            || segment.text(segment.range.lowerBound) == "was"
        if isYesNo, rows.count == 2, !segment.says("or", "which") {
            lead = "\(chosen == rows[0] ? "Yes" : "No"), \(AnswerWriter.name(early.row)) came first."
        }
        return Interpretation(
            intent: "order of admission", sentences: [lead] + sorted.map { AnswerWriter.facts(.admission, of: $0.row) },
            rows: rows, plainness: 0.95, explained: explained)
    }

    private func numberedAdmission(_ orders: [Int]) -> Interpretation? {
        var isNumbered = !segment.topics.isEmpty
        var rank: Int?
        var explained: Set<Int> = []
        let texts = segment.words.map(\.text)
        for position in segment.range where segment.words[position].mention == nil {
            guard let found = Ordinals.ordinal(texts[position..<segment.range.upperBound]) else { continue }
            rank = found.value
            explained.formUnion(position..<(position + found.count))
            break
        }
        if rank == nil, let number = segment.range.first(where: { segment.text($0) == "number" }),
            let value = segment.range.contains(number + 1) ? segment.words[number + 1].token.number : nil
        {
            rank = value
            isNumbered = true
            explained.formUnion([number, number + 1])
        }
        if rank == nil, let position = orders.first, case .order(let early) = segment.words[position].role {
            let ageWords: Set<String> = ["oldest", "youngest", "newest", "latest"]
            let isSuperlative =
                ageWords.contains(segment.text(position)) || ["first", "last"].contains(segment.text(position))
            let isMostRecent = segment.text(position) == "recent" && segment.text(position - 1) == "most"
            guard isSuperlative || isMostRecent else { return nil }
            if isMostRecent { explained.insert(position - 1) }
            rank = early ? 1 : AdmissionOrder.rows.count
            explained.insert(position)
        }
        guard let rank else { return nil }
        explained.formUnion(segment.range.filter { segment.text($0) == "who" })
        // "The first state with …" is about something else; "28th state" by itself is plain.
        guard
            isNumbered
                || explained.contains(where: {
                    segment.words.indices.contains($0 + 1)
                        && (segment.words[$0 + 1].role == .state || segment.words[$0 + 1].role == .country)
                })
        else { return nil }
        explained.formUnion(all { $0 == .time || $0 == .becoming })
        guard (1...AdmissionOrder.rows.count).contains(rank) else {
            return Interpretation(
                intent: "order of admission", sentences: [], rows: [], plainness: 0.95, explained: explained,
                missing: "There are 50 states, so there is no \(Ordinals.written(rank)) one.")
        }
        let row = AdmissionOrder.rows[rank - 1]
        return Interpretation(
            intent: "order of admission", sentences: [AnswerWriter.facts(.admission, of: row)], rows: [row],
            plainness: 0.95, explained: explained)
    }

    /// "Which states joined in 1959?", "Which state was admitted on December 29, 1845?", "Which joined since May 1858?"
    func joiners() -> Interpretation? {
        guard segment.rows.isEmpty, segment.values.isEmpty, !leftover(.admission), !segment.topics.isEmpty,
            let date = DateMention.first(in: segment.words.map(\.text), segment.range), let before = relation(of: date)
        else { return nil }
        var explained = Set(date.range).union(all { $0 == .time || $0 == .becoming })
        explained.formUnion(segment.range.filter { segment.text($0) == "who" })
        let relations = segment.range.filter { ["before", "after", "since"].contains(segment.text($0)) }
        guard relations.isEmpty || (relations == [before] && date.year != nil) else { return nil }
        explained.formUnion(relations)
        let rows = StateTable.rows.indices.filter { row in
            StateTable.rows[row].admission.map { date.matches($0, segment.text(before)) } ?? false
        }
        // "Which was first to join on December 7, 1787" has one answer anyway.
        if rows.count == 1 { explained.formUnion(all(\.isOrder)) }
        let names = rows.map(AnswerWriter.name)
        var missing: String?
        var sentences = rows.map { AnswerWriter.facts(.admission, of: $0) }
        if rows.isEmpty { missing = "No state joined the Union then." }
        if rows.count > 3 { sentences = [AnswerWriter.sentence("\(AnswerWriter.list(names)) joined the Union then")] }
        return Interpretation(
            intent: "states by day of admission", sentences: sentences, rows: rows, plainness: 1, explained: explained,
            missing: missing)
    }

    /// The position of the word that relates a date to the question: "before the year 1800". Nil for a relation that is
    /// unknown: "by 1800", "from 1800", "in or after 1800".
    func relation(of date: DateMention) -> Int? {
        var position = date.range.lowerBound - 1
        while ["the", "year"].contains(segment.text(position)) { position -= 1 }
        let isUnknown =
            ["by", "until", "till", "to", "through", "from"].contains(segment.text(position))
            || ["or", "as"].contains(segment.text(position - 1))
        return isUnknown ? nil : position
    }
}
