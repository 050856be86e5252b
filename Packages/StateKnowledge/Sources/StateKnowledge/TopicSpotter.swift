// SPDX-License-Identifier: MIT

/// Finds the topics: in single words ("bird") and in several words ("the city with most people").
struct TopicSpotter {
    var segment: QuestionSegment
    private(set) var found: [QuestionSegment.Asked] = []

    static func spot(in segment: QuestionSegment) -> QuestionSegment {
        var spotter = TopicSpotter(segment: segment)
        spotter.run()
        return spotter.segment
    }

    private init(segment: QuestionSegment) { self.segment = segment }

    private mutating func run() {
        spotSingleWords()
        spotLargestCity()
        spotGovernment()
        spotAdmission()
        found.sort { $0.position < $1.position }
        joinLocation()
        refuseCountryAndChains()
        segment.topics = found
    }

    func role(_ position: Int) -> WordRole? { segment.words[position].role }

    private mutating func add(_ topic: Topic, at position: Int, explaining positions: [Int]) {
        segment.explained.formUnion(positions)
        found.append(.init(position: position, topic: topic))
    }

    private mutating func spotSingleWords() {
        for position in segment.range {
            guard case .topic(let topic) = role(position) else { continue }
            if isVerb(position) { continue }
            // "Enter" and "join" are about statehood only beside a word that says so.
            if topic == .admission, !saysStatehood(position) { continue }
            add(topic, at: position, explaining: [position])
            if role(position + 1 < segment.range.upperBound ? position + 1 : position) == .city {
                segment.explained.insert(position + 1)
            }
        }
    }

    /// "Can I plant flowers", "birds in Ohio": living things, not emblems.
    private func isVerb(_ position: Int) -> Bool {
        let word = segment.text(position)
        if ["plant", "flower", "bloom", "blossom"].contains(word) {
            // "Plant the …" is advice for a garden.
            if ["the", "a", "an", "some", "my", "this"].contains(segment.text(position + 1)) { return true }
            return ["i", "we", "you", "to", "can", "do", "does", "should", "could", "they"].contains(
                segment.text(position - 1))
        }
        guard ["birds", "flowers", "plants", "blooms", "blossoms", "wildflowers", "songbirds", "fowl"].contains(word),
            segment.rows.count == 1
        else { return false }
        if segment.has(.emblem) || segment.has(.state) { return false }
        if ["have", "has", "any", "are", "many"].contains(segment.text(position - 1)) { return true }
        let next = position + 1
        guard segment.range.contains(next), segment.words[next].mention == nil,
            segment.words[next].token.separation == .none
        else { return false }
        return !["of", "and", "or", "please"].contains(segment.text(next))
    }

    private func saysStatehood(_ position: Int) -> Bool {
        let word = segment.text(position)
        if word.hasPrefix("admi") || word.hasPrefix("state") || word.hasPrefix("ratif") || word.hasPrefix("accession") {
            return true
        }
        return segment.has(.country) || segment.has(.time) || segment.has(.state) || segment.says("on", "order")
            || !segment.positions(where: \.isOrder).isEmpty || !segment.positions(.relation).isEmpty
    }

    /// "largest city", "city with the most people", "the city that is the biggest"; not "largest state".
    private mutating func spotLargestCity() {
        let largest = segment.positions(.largest)
        guard !largest.isEmpty else { return }
        if segment.has(.place), segment.says("most"), segment.says("live", "reside"), !segment.has(.city),
            let first = largest.first
        {
            add(
                .largestCity, at: first,
                explaining: largest + segment.positions(.inhabitants) + segment.positions(.place))
            return
        }
        let cities = segment.positions(.city).filter { !segment.explained.contains($0) || isAskedCity($0) }
        for city in cities {
            for position in largest where !segment.explained.contains(position) && isJoined(position, city) {
                if ["two", "three", "four", "five", "six", "both"].contains(segment.text(position - 1)) { continue }
                if ["highest", "greatest"].contains(segment.text(position)), !segment.has(.inhabitants) { continue }
                let first = min(position, city)
                if !found.contains(where: { $0.topic == .largestCity && abs($0.position - first) < 8 }) {
                    add(.largestCity, at: first, explaining: [position, city])
                }
                segment.explained.formUnion([position, city])
                // "The population of the largest city" asks for a number.
                segment.explained.formUnion(
                    segment.positions(.inhabitants).filter { $0 > first || segment.text($0 + 1) != "of" })
            }
        }
    }

    private func isAskedCity(_ position: Int) -> Bool {
        guard position > segment.range.lowerBound else { return true }
        return role(position - 1)?.isTopic != true
    }

    /// True if only small words and names stand between the two.
    private func isJoined(_ first: Int, _ second: Int) -> Bool {
        let between = (min(first, second) + 1)..<max(first, second)
        guard between.count <= 9 else { return false }
        return between.allSatisfy { position in
            if segment.words[position].mention != nil { return true }
            switch role(position) {
            case .function, .largest, .state, .country, .inhabitants, .emblem, .city, .becoming: return true
            default: return false
            }
        }
    }

    /// "Seat of government", "where does the legislature meet", "the city … is governed from".
    private mutating func spotGovernment() {
        let governments = segment.positions(.government)
        let seats = segment.positions(.seat)
        let governed = seats.filter { ["governed", "administered", "run"].contains(segment.text($0)) }
        let placed = segment.has(.city) || segment.has(.place)
        guard let first = (governments + governed).min() else { return }
        if governments.isEmpty ? placed : (!seats.isEmpty || placed) {
            let explained = governments + seats + segment.positions(.place) + segment.positions(.city)
            if found.contains(where: { $0.topic == .capital }) {
                segment.explained.formUnion(explained)
            } else {
                add(.capital, at: first, explaining: explained)
            }
        } else if found.contains(where: { $0.topic == .capital }) {
            segment.explained.formUnion(governments)
        }
    }

    /// "Become a state", "part of the Union", "how long has … been a state", "how old is …".
    private mutating func spotAdmission() {
        let isAsked = found.contains { $0.topic == .admission }
        let states = segment.positions { $0 == .state || $0 == .country }
        for position in segment.positions(.becoming) {
            guard states.contains(where: { $0 > position && $0 - position <= 8 }) || isAsked else { continue }
            if !isAsked, !found.contains(where: { $0.topic == .admission }) {
                add(.admission, at: position, explaining: [position])
            }
            segment.explained.insert(position)
        }
        guard found.isEmpty, !segment.places.isEmpty else { return }
        if let number = segment.positions(.asking).first(where: { ["number", "rank"].contains(segment.text($0)) }),
            segment.has(.state)
        {
            add(.admission, at: number, explaining: [number])
            return
        }
        let times = segment.positions(.time)
        guard let time = times.min() else { return }
        let isAge = segment.says("old", "age") && (segment.says("how") || segment.says("what"))
        if segment.has(.state) || segment.says("union") || isAge
            || segment.has(.country) && segment.says("belonged", "been")
        {
            add(.admission, at: time, explaining: times)
        }
    }

    /// "Where is the capital located" asks for the capital alone; "latitude and longitude" is one thing.
    private mutating func joinLocation() {
        if found.contains(where: { $0.topic == .capital || $0.topic == .largestCity }) {
            let weak: Set<String> = [
                "located", "locate", "location", "situated", "situate", "position", "positioned", "lie", "lies", "map",
                "whereabouts",
            ]
            found.removeAll { $0.topic == .location && weak.contains(segment.text($0.position)) }
        }
        for topic in [Topic.location, .admission] {
            var isFirst = true
            found.removeAll { asked in
                guard asked.topic == topic else { return false }
                defer { isFirst = false }
                return !isFirst && (topic == .location || segment.places.count < 2)
            }
        }
        // "The capital … I mean its capital", "flower … blossom": one name of a topic after the other is one question.
        var previous: QuestionSegment.Asked?
        found.removeAll { asked in
            defer { previous = asked }
            guard let previous, previous.topic == asked.topic else { return false }
            return !segment.places.contains {
                previous.position < $0.range.lowerBound && $0.range.lowerBound < asked.position
            }
                || segment.rows.count == 1
        }
    }
}
