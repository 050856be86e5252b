// SPDX-License-Identifier: MIT

import Domain
import TerminalKit
import Testing

@testable import StateKnowledge
@testable import parley

@Suite struct StateOutlinesTests {
    private let outlines = StateOutlines()

    @Test func hasEveryStateOnceInOrder() {
        #expect(outlines.abbreviations == StateTable.rows.map(\.abbreviation).sorted())
        #expect(outlines.abbreviations.count == 51)
        for id in outlines.abbreviations {
            let rings = outlines.rings(of: id) ?? []
            #expect(!rings.isEmpty, "\(id)")
            #expect(rings.allSatisfy { $0.count >= 3 && $0.first != $0.last }, "\(id)")
        }
        #expect(outlines.rings(of: "ZZ") == nil)
    }

    @Test func decodesNumbersOfBothSignsAndSeveralCharacters() {
        // 16 is "gB" (zigzag 32), 1 is "C", -1 is "B", 0 is "A"; the second ring goes on from where the first ended.
        let small = StateOutlines(rows: [("XX", "gBAACBA CAACBA")], stepsPerDegree: 2)
        #expect(
            small.rings(of: "XX") == [
                [
                    Coordinate(latitude: 0, longitude: 8), Coordinate(latitude: 0.5, longitude: 8),
                    Coordinate(latitude: 0.5, longitude: 7.5),
                ],
                [
                    Coordinate(latitude: 0.5, longitude: 8), Coordinate(latitude: 1, longitude: 8),
                    Coordinate(latitude: 1, longitude: 7.5),
                ],
            ])
    }

    @Test(arguments: ["", "A", "gB", "gBAAC", "gBAACBAC", "gBAACBA ", "gBA!CBA", "gBAACBg", "ggggggggAAACBA"])
    func refusesDamagedRows(_ text: String) {
        #expect(StateOutlines(rows: [("XX", text)], stepsPerDegree: 1).rings(of: "XX") == nil)
    }

    @Test func encodingWhatWasDecodedGivesTheSameText() {
        for row in StateOutlineTable.rows {
            #expect(Self.encode(outlines.rings(of: row.abbreviation) ?? []) == row.outline, "\(row.abbreviation)")
        }
    }

    @Test func fourStatesMeetInOnePoint() throws {
        let monument = Coordinate(latitude: 36.99897, longitude: -109.04517)
        let corners = try ["UT", "CO", "NM", "AZ"].map { id in
            try #require(outlines.rings(of: id)?.joined().min { $0.distance(to: monument) < $1.distance(to: monument) })
        }
        #expect(Set(corners).count == 1)
        #expect(corners[0].distance(to: monument) < 0.3)
    }

    /// A state without a coast has no corner of its own: each belongs to a neighbour too.
    @Test(arguments: [("CO", 6), ("NE", 20), ("WV", 60), ("TN", 40), ("VT", 30)])
    func neighboursShareTheirBorders(id: String, atLeast: Int) {
        let others = Set(outlines.abbreviations.filter { $0 != id }.flatMap { outlines.rings(of: $0) ?? [] }.joined())
        let own = (outlines.rings(of: id) ?? []).joined().filter { place in
            // The border with Canada, on the 45th parallel, belongs to nobody else.
            !(id == "VT" && place.latitude > 45)
        }
        #expect(own.count >= atLeast)
        #expect(own.allSatisfy(others.contains))
    }

    /// Land and inland water, U.S. Census Bureau (State Area Measurements); Alaska and Hawaii: land.
    @Test(arguments: [
        ("CO", 269_601.0), ("TX", 695_662), ("KS", 213_100), ("UT", 219_882), ("WY", 253_335), ("NE", 200_330),
        ("DC", 177), ("VT", 24_906), ("AK", 1_477_953), ("HI", 16_635),
    ])
    func areasAreRight(id: String, squareKilometres: Double) throws {
        let projection: AlbersProjection =
            switch id {
            case "AK": .alaska
            case "HI": .hawaii
            default: .contiguousStates
            }
        let rings = try #require(outlines.rings(of: id))
        let area = rings.map { abs(Geometry.signedArea($0.map(projection.project))) }.reduce(0, +)
        #expect(abs(area / squareKilometres - 1) < 0.05, "\(id): \(area) km²")
    }

    /// The centre of a state is in it; where islands or an open bay take the middle of a state, beside it.
    @Test func everyCentreIsInItsOutline() throws {
        // Hawaii's centre is in the channels between the islands. The District is 16 km wide, its centre is given to a
        // tenth of a degree (11 km).
        let tolerance = ["HI": 60.0, "DC": 2.0]
        for state in StateTable.rows {
            let rings = try #require(outlines.rings(of: state.id))
            let plane = rings.map { $0.map { MapPoint(x: $0.longitude, y: $0.latitude) } }
            let isInside = Geometry.isInside(MapPoint(x: state.center.longitude, y: state.center.latitude), plane)
            let distance = rings.joined().map { $0.distance(to: state.center) }.min() ?? .infinity
            #expect(isInside || distance <= tolerance[state.id] ?? 0, "\(state.id) \(state.center) \(distance) km")
        }
    }

    private static func encode(_ rings: [[Coordinate]]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var (east, north) = (0, 0)
        func number(_ value: Int) -> String {
            var rest = value >= 0 ? value * 2 : -value * 2 - 1
            var text = ""
            while rest >= 32 {
                text.append(alphabet[rest % 32 + 32])
                rest /= 32
            }
            return text + String(alphabet[rest])
        }
        return rings.map { ring in
            ring.map { place in
                let x = Int((place.longitude * Double(StateOutlineTable.stepsPerDegree)).rounded())
                let y = Int((place.latitude * Double(StateOutlineTable.stepsPerDegree)).rounded())
                defer { (east, north) = (x, y) }
                return number(x - east) + number(y - north)
            }.joined()
        }.joined(separator: " ")
    }
}
