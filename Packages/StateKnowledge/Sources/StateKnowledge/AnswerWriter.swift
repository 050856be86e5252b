// SPDX-License-Identifier: MIT

import Domain

/// Puts facts into sentences that can be read and spoken.
enum AnswerWriter {
    static func name(_ row: Int) -> String {
        let state = StateTable.rows[row]
        return state.abbreviation == "DC" ? "the District of Columbia" : state.name
    }

    /// "Texas, Ohio and Maine".
    static func list(_ parts: [String], _ conjunction: String = "and") -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    static func sentence(_ text: String) -> String {
        guard let first = text.first else { return text }
        return first.uppercased() + text.dropFirst() + "."
    }

    /// A bird or flower inside a sentence: "the northern cardinal", "the Cherokee rose".
    static func inSentence(_ value: String) -> String {
        let properStarts = [
            "American", "Baltimore", "Blue Hen", "California", "Carolina", "Cherokee", "Indian", "Oklahoma", "Oregon",
            "Rhode", "Rocky",
        ]
        let isProper = properStarts.contains { value.hasPrefix($0) }
        return "the " + (isProper ? value : value.prefix(1).lowercased() + value.dropFirst())
    }

    /// A topic's value for a state, worded for the inside of a sentence.
    static func value(_ topic: Topic, of row: Int) -> String? {
        let state = StateTable.rows[row]
        switch topic {
        case .capital: return state.capital
        case .largestCity: return state.largestCity
        case .bird: return state.bird.map(inSentence)
        case .flower: return state.flower.map(inSentence)
        case .admission, .location, .overview: return nil
        }
    }

    /// The topic's noun: "state bird", and for the District, which is not a state, "official bird".
    static func noun(_ topic: Topic, of row: Int) -> String {
        let isState = StateTable.rows[row].admission != nil
        switch topic {
        case .bird: return isState ? "state bird" : "official bird"
        case .flower: return isState ? "state flower" : "official flower"
        default: return topic.name
        }
    }

    /// The answer about one topic of one state.
    static func facts(_ topic: Topic, of row: Int) -> String {
        let state = StateTable.rows[row]
        switch topic {
        case .capital, .largestCity:
            if state.admission == nil { return districtCity }
            return sentence("the \(topic.name) of \(name(row)) is \(value(topic, of: row) ?? "")")
        case .bird, .flower:
            return sentence("the \(noun(topic, of: row)) of \(name(row)) is \(value(topic, of: row) ?? "not known")")
        case .admission: return admission(row)
        case .location: return location(row)
        case .overview: return overview(row)
        }
    }

    private static let districtCity =
        "The District of Columbia is the city of Washington itself, the capital of the United States; "
        + "it is not a state and has no capital of its own."

    private static func admission(_ row: Int) -> String {
        guard let date = StateTable.rows[row].admission, let rank = AdmissionOrder.rank(of: row) else {
            return "The District of Columbia is not a state and was never admitted to the Union."
        }
        if rank <= AdmissionOrder.founders {
            let what = rank == 1 ? "the first state to do so" : "as the \(Ordinals.written(rank)) state"
            return sentence("\(name(row)) ratified the Constitution on \(date.spoken), \(what)")
        }
        return sentence("\(name(row)) joined the Union on \(date.spoken), as the \(Ordinals.written(rank)) state")
    }

    private static func location(_ row: Int) -> String {
        let state = StateTable.rows[row]
        let north = Measure.degrees(state.centerLatitude)
        let west = Measure.degrees(-state.centerLongitude)
        return sentence("the center of \(name(row)) is at \(north) degrees north and \(west) degrees west")
    }

    private static func overview(_ row: Int) -> String {
        let state = StateTable.rows[row]
        let bird = value(.bird, of: row) ?? ""
        let flower = value(.flower, of: row) ?? ""
        guard state.admission != nil else {
            return "\(districtCity) Its official bird is \(bird) and its official flower is \(flower)."
        }
        let cities =
            state.capital == state.largestCity
            ? "The capital and largest city of \(state.name) is \(state.capital)."
            : "The capital of \(state.name) is \(state.capital), and its largest city is \(state.largestCity)."
        return "\(cities) Its state bird is \(bird) and its state flower is \(flower). \(admission(row))"
    }

    /// "Boise is the capital of Idaho."; several states with several values become one sentence for each value.
    static func owners(of topic: Topic, rows: [Int]) -> [String] {
        var order: [String] = []
        var rowsByValue: [String: [Int]] = [:]
        for row in rows {
            guard let value = value(topic, of: row) else { continue }
            if rowsByValue[value] == nil { order.append(value) }
            rowsByValue[value, default: []].append(row)
        }
        return order.map { value in
            let rows = rowsByValue[value] ?? []
            let noun = noun(topic, of: rows[0])
            return sentence("\(value) is the \(noun) of \(list(rows.map(name)))")
        }
    }
}

/// The order in which the states joined the Union.
enum AdmissionOrder {
    /// The number of states that joined by ratifying the Constitution.
    static let founders = 13

    /// The rows of the fifty states, the first first; of two on one day the alphabetically earlier, as is usual.
    static let rows: [Int] = StateTable.rows.indices
        .compactMap { row in StateTable.rows[row].admission.map { (row, $0) } }
        .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        .map(\.0)

    /// The number of a state in that order, from 1.
    static func rank(of row: Int) -> Int? { rows.firstIndex(of: row).map { $0 + 1 } }
}

/// Numbers as they are said.
enum Measure {
    /// A number of degrees with one decimal, a whole number without.
    static func degrees(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// A distance rounded to ten, the precision of the centres: "1,230".
    static func roundedToTen(_ value: Double) -> String {
        let whole = Int((value / 10).rounded()) * 10
        guard whole >= 1000 else { return "\(whole)" }
        let rest = whole % 1000
        return "\(whole / 1000),\(rest < 100 ? "0" : "")\(rest < 10 ? "0" : "")\(rest)"
    }
}
