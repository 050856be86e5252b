// SPDX-License-Identifier: MIT

import Domain

extension IntentFinder {
    /// "How far is Texas from Ohio?": the great circle between the centres.
    func distance() -> Interpretation? {
        let marks = segment.positions(.distance)
        guard
            marks.contains(where: {
                !["away", "separate", "separates", "separated", "separating"].contains(segment.text($0))
            })
                || (segment.says("separates", "separate") && segment.says("what", "how"))
        else { return nil }
        let found = rowsWithOwners()
        let explained = all { role in
            switch role {
            case .distance, .comparative, .relation, .asking: true
            default: false
            }
        }.filter { !segment.says("who", "why") || !["who", "why"].contains(segment.text($0)) }
        guard found.rows.count == 2, !leftover(.location) else { return nil }
        let (first, second) = (found.rows[0], found.rows[1])
        let kilometres = StateTable.rows[first].center.distance(to: StateTable.rows[second].center)
        let miles = Measure.roundedToTen(kilometres / 1.609344)
        let text =
            "\(AnswerWriter.name(first)) and \(AnswerWriter.name(second)) are about \(miles) miles, or "
            + "\(Measure.roundedToTen(kilometres)) kilometers, apart as the crow flies between their centers."
        return Interpretation(
            intent: "distance", sentences: [AnswerWriter.sentence(String(text.dropLast()))], rows: found.rows,
            plainness: 1, explained: explained, unusedNames: found.unused)
    }

    /// The distance of a state's centre towards a point of the compass.
    private func reach(_ row: Int, _ point: CompassPoint) -> Double {
        let state = StateTable.rows[row]
        return switch point {
        case .north: state.centerLatitude
        case .south: -state.centerLatitude
        case .east: state.centerLongitude
        case .west: -state.centerLongitude
        }
    }

    /// "Is Ohio north of Georgia?", "Which is farther west, Oregon or Nevada?"
    func compass() -> Interpretation? {
        let points = segment.positions(where: \.isCompass)
        guard let position = points.first, case .compass(let point) = segment.words[position].role,
            !leftover(.location)
        else { return nil }
        let found = rowsWithOwners()
        guard found.rows.count >= 2 else { return nil }
        // Two points of the compass ("north and east of") are two questions in one sentence.
        let axes = Set(
            points.map { position in
                if case .compass(let point) = segment.words[position].role { point.rawValue / 2 } else { 0 }
            })
        let named = Set(points.map { segment.words[$0].text.prefix(4) })
        guard named.count == 1 || (axes.count == 1 && segment.says("or")) else { return nil }
        // "North from Georgia to Ohio" puts Ohio first.
        let isWay = segment.says("from") && segment.says("to") && !segment.says("than", "of")
        let rows = isWay ? found.rows.reversed() : found.rows
        let explained = all { role in
            switch role {
            case .compass, .comparative, .relation, .largest, .seat, .place: true
            default: false
            }
        }
        .union(segment.range.filter { segment.text($0) == "who" && segment.text($0 + 1) == "is" })
        let isRelation = ["of", "from", "than", "to"].contains(segment.text(position + 1)) || segment.says("than")
        let asksWhich = segment.says("which", "what", "who")
        let text: String
        if isRelation, rows.count == 2, !asksWhich || segment.says("is", "does", "are") && startsWithVerb {
            let isSo = reach(rows[0], point) > reach(rows[1], point)
            let verdict = isSo ? "Yes" : "No"
            let opposite = [CompassPoint.south, .north, .west, .east][point.rawValue]
            let relation = (isSo ? point : opposite).name
            text =
                "\(verdict), \(AnswerWriter.name(rows[0])) is \(relation) of \(AnswerWriter.name(rows[1])), "
                + "measured between their centers."
        } else {
            guard let farthest = rows.max(by: { reach($0, point) < reach($1, point) }) else { return nil }
            let others = AnswerWriter.list(rows.filter { $0 != farthest }.map(AnswerWriter.name))
            text = AnswerWriter.sentence(
                "\(AnswerWriter.name(farthest)) is farther \(point.name) than \(others), measured between their centers"
            )
        }
        return Interpretation(
            intent: "comparison to the \(point.name)", sentences: [text], rows: found.rows, plainness: 1,
            explained: explained, unusedNames: found.unused)
    }

    /// True if the wording asks for yes or no.
    private var startsWithVerb: Bool {
        let verbs: Set<String> = ["is", "does", "do", "are", "was", "did"]
        let wh: Set<String> = ["what", "which", "who"]
        let verb = segment.range.first { verbs.contains(segment.text($0)) } ?? .max
        let which = segment.range.first { wh.contains(segment.text($0)) } ?? .max
        return verb < which
    }

    /// "Which state is the northernmost?"
    func extreme() -> Interpretation? {
        let superlatives: Set<String> = ["most", "farthest", "furthest"]
        var point: CompassPoint?
        var explained: Set<Int> = []
        for position in segment.range {
            switch segment.words[position].role {
            case .extreme(let found):
                point = found
                explained.insert(position)
            case .compass(let found):
                let before = (1...3).first { superlatives.contains(segment.text(position - $0)) }
                guard let before,
                    (1..<before).allSatisfy({ ["to", "the", "in"].contains(segment.text(position - $0)) })
                else { continue }
                point = found
                explained.formUnion([position - before, position])
            default: break
            }
        }
        guard let point, segment.has(.state), segment.rows.count <= 1, segment.values.isEmpty,
            !leftover(.location)
        else {
            return nil
        }
        let states = StateTable.rows.indices.filter { StateTable.rows[$0].admission != nil }
        guard let farthest = states.max(by: { reach($0, point) < reach($1, point) }) else { return nil }
        explained.formUnion(segment.explained)
        let asked = segment.rows.first ?? farthest
        let verdict = segment.rows.isEmpty ? "Measured" : asked == farthest ? "Yes, measured" : "No, measured"
        let text =
            "\(verdict) at the states' centers, \(AnswerWriter.name(farthest)) is the \(point.name)ernmost state."
        return Interpretation(
            intent: "the \(point.name)ernmost state", sentences: [text],
            rows: asked == farthest ? [farthest] : [asked, farthest],
            plainness: 0.95,
            explained: explained)
    }
}
