// SPDX-License-Identifier: MIT

/// The role of a word in a question outside of names.
enum WordRole: Equatable {
    /// Grammar, politeness, or a way to say "tell me": has no effect on the score.
    case function
    /// A reason for asking ("homework", "trip"): harmless in a question that is complete without it.
    case context
    /// "state", "states".
    case state
    /// "official", "symbol", "represents": used with a bird or a flower.
    case emblem
    /// The country as a whole: "US", "America", "Union".
    case country
    /// "about", "facts": asks for all known facts.
    case overview
    /// A word that names a topic by itself.
    case topic(Topic)
    /// A US city without known facts: it can only be compared with a capital or a largest city.
    case otherCity
    /// "city", "town".
    case city
    /// "largest", "most".
    case largest
    /// "population", "people", "inhabitants": the measure of the largest city.
    case inhabitants
    /// "government", "legislature": its seat is the capital.
    case government
    /// "seat", "based", "meets": the place of a government.
    case seat
    /// "become", "been", "made": with "a state" about admission.
    case becoming
    /// "when", "year", "date".
    case time
    /// "where".
    case place
    /// "who", "how", "why", "many": has an answer only in some questions.
    case asking
    /// "far", "distance", "miles".
    case distance
    case compass(CompassPoint)
    /// "northernmost".
    case extreme(CompassPoint)
    /// "first", "older": the order of admission; `early` is false for "last", "newer".
    case order(early: Bool)
    /// "farther", "farthest": with a point of the compass.
    case comparative
    /// "than", "before", "after".
    case relation
    /// A word that shows another subject.
    case refused(RefusedSubject)
}

/// Subjects that are refused, whatever the other words are.
enum RefusedSubject: String {
    case elsewhere = "a place that is not a US state"
    case unknownFact = "something that is not known of a state"
    case office = "people and politics"
    case unrelated = "something else than states"
    case instruction = "an instruction to the program, not a question"
}

extension WordRole: CustomStringConvertible {
    /// The name for explanations.
    var description: String {
        switch self {
        case .function: "grammar"
        case .context: "circumstance"
        case .state: "state"
        case .emblem: "emblem"
        case .country: "country"
        case .overview: "overview"
        case .topic(let topic): "topic \(topic.name)"
        case .otherCity: "another city"
        case .city: "city"
        case .largest: "largest"
        case .inhabitants: "inhabitants"
        case .government: "government"
        case .seat: "seat"
        case .becoming: "becoming"
        case .time: "time"
        case .place: "place"
        case .asking: "asking"
        case .distance: "distance"
        case .compass(let point), .extreme(let point): point.name
        case .order(let early): early ? "early" : "late"
        case .comparative: "comparative"
        case .relation: "relation"
        case .refused(let subject): subject.rawValue
        }
    }
}
