// SPDX-License-Identifier: MIT

/// Assigns topics to states when a question has several of either.
enum TopicPairing {
    private enum Element {
        case topic(QuestionSegment.Asked)
        case place(QuestionSegment.Place)

        var position: Int {
            switch self {
            case .topic(let asked): asked.position
            case .place(let place): place.range.lowerBound
            }
        }

        var isTopic: Bool { if case .topic = self { true } else { false } }
    }

    /// The pairs in the order of the question. A topic without a state gets the states named before it, or `carried`;
    /// a state without a topic gets the topics named before it.
    static func pairs(in segment: QuestionSegment, carried: [Int]) -> [(topic: Topic, row: Int)] {
        let elements = (segment.topics.map(Element.topic) + segment.places.map(Element.place))
            .sorted { $0.position < $1.position }
        var runs: [[Element]] = []
        for element in elements {
            if let last = runs.last?.last, last.isTopic == element.isTopic {
                runs[runs.count - 1].append(element)
            } else {
                runs.append([element])
            }
        }
        runs = split(runs, in: segment)
        var pairs: [(topic: Topic, row: Int)] = []
        var lastRows = carried
        var lastTopics: [Topic] = []
        var index = 0
        while index < runs.count {
            let next = index + 1 < runs.count ? runs[index + 1] : []
            let topics = topics(of: runs[index] + next)
            let rows = rows(of: runs[index] + next)
            pairs += cross(topics.isEmpty ? lastTopics : topics, rows.isEmpty ? lastRows : rows)
            if !topics.isEmpty { lastTopics = topics }
            if !rows.isEmpty { lastRows = rows }
            index += 2
        }
        var seen: Set<Int> = []
        return pairs.filter { seen.insert($0.row * 100 + $0.topic.rawValue).inserted }
    }

    private static func cross(_ topics: [Topic], _ rows: [Int]) -> [(topic: Topic, row: Int)] {
        rows.flatMap { row in topics.map { (topic: $0, row: row) } }
    }

    private static func topics(of run: [Element]) -> [Topic] {
        run.compactMap { if case .topic(let asked) = $0 { asked.topic } else { nil } }
    }

    private static func rows(of run: [Element]) -> [Int] {
        run.flatMap { element in if case .place(let place) = element { place.rows } else { [Int]() } }
    }

    /// In "the capital of Texas and Ohio's bird" the second state belongs to the words after it; in "Texas's capital
    /// and the bird of Ohio" the second topic does. The last element of an inner run moves to a separate run.
    private static func split(_ runs: [[Element]], in segment: QuestionSegment) -> [[Element]] {
        guard runs.count == 3, runs[1].count > 1, let last = runs[1].last, let next = runs[2].first else { return runs }
        switch (last, next) {
        case (.place(let place), .topic(let asked)):
            let isJoined = place.isPossessive || asked.position - place.range.upperBound <= 1
            guard isJoined else { return runs }
        case (.topic(let asked), .place(let place)):
            let between = (asked.position + 1)..<max(asked.position + 1, place.range.lowerBound)
            guard between.contains(where: { ["of", "in", "for", "from"].contains(segment.text($0)) }) else {
                return runs
            }
        default: return runs
        }
        return [runs[0], Array(runs[1].dropLast()), [last], runs[2]]
    }
}
