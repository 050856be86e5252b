// SPDX-License-Identifier: MIT

/// The kind of thing that a name belongs to.
enum NameKind {
    case state, capital, largestCity, bird, flower
}

/// The meanings of a name: rows of ``StateTable`` by kind.
struct NameMeaning: Equatable {
    /// States of this name.
    var states: [Int] = []
    /// States whose capital it is.
    var capitals: [Int] = []
    /// States whose largest city it is.
    var largestCities: [Int] = []
    /// States whose bird it is.
    var birds: [Int] = []
    /// States whose flower it is.
    var flowers: [Int] = []

    /// Adds a row, once.
    mutating func insert(_ row: Int, as kind: NameKind) {
        switch kind {
        case .state: if !states.contains(row) { states.append(row) }
        case .capital: if !capitals.contains(row) { capitals.append(row) }
        case .largestCity: if !largestCities.contains(row) { largestCities.append(row) }
        case .bird: if !birds.contains(row) { birds.append(row) }
        case .flower: if !flowers.contains(row) { flowers.append(row) }
        }
    }

    /// True if it is a city.
    var isCity: Bool { !capitals.isEmpty || !largestCities.isEmpty }

    /// The states with this name as the topic's value.
    func owners(for topic: Topic) -> [Int] {
        switch topic {
        case .capital: capitals
        case .largestCity: largestCities
        case .bird: birds
        case .flower: flowers
        case .admission, .location, .overview: []
        }
    }

    /// The states with this name as any value, in table order.
    var allOwners: [Int] { Set(capitals + largestCities + birds + flowers).sorted() }
}
