// SPDX-License-Identifier: MIT

import Domain
import Testing

@testable import StateKnowledge

@Suite struct StateTableTests {
    private let rows = StateTable.rows

    @Test func thereAreFiftyStatesAndTheDistrict() {
        #expect(rows.count == 51)
        #expect(rows.filter { $0.admission != nil }.count == 50)
        #expect(rows.last?.abbreviation == "DC")
        #expect(StateKnowledgeBase().states == rows)
    }

    @Test func namesAbbreviationsAndCapitalsAreUnique() {
        #expect(Set(rows.map(\.name)).count == 51)
        #expect(Set(rows.map(\.abbreviation)).count == 51)
        #expect(Set(rows.map(\.capital)).count == 51)
        #expect(rows.dropLast().map(\.name) == rows.dropLast().map(\.name).sorted())
        #expect(rows.allSatisfy { $0.abbreviation.count == 2 && $0.abbreviation == $0.abbreviation.uppercased() })
        #expect(rows.allSatisfy { $0.bird?.isEmpty == false && $0.flower?.isEmpty == false && !$0.largestCity.isEmpty })
    }

    /// Southern, northern, western and eastern limits of every state in whole degrees: its centre is well within.
    // swift-format-ignore
    private static let boxes: [String: (south: Double, north: Double, west: Double, east: Double)] = [
        "AL": (30, 35.1, -88.6, -84.8), "AK": (51, 71.5, -180, -129), "AZ": (31.3, 37.1, -115, -109), "AR": (33, 36.6, -94.7, -89.6),
        "CA": (32.5, 42.1, -124.5, -114), "CO": (36.9, 41.1, -109.1, -102), "CT": (40.9, 42.1, -73.8, -71.7), "DE": (38.4, 39.9, -75.8, -75),
        "FL": (24.4, 31.1, -87.7, -79.9), "GA": (30.3, 35.1, -85.7, -80.8), "HI": (18.9, 22.3, -160.3, -154.7), "ID": (41.9, 49.1, -117.3, -111),
        "IL": (36.9, 42.6, -91.6, -87), "IN": (37.7, 41.8, -88.1, -84.7), "IA": (40.3, 43.6, -96.7, -90.1), "KS": (36.9, 40.1, -102.1, -94.5),
        "KY": (36.4, 39.2, -89.6, -81.9), "LA": (28.9, 33.1, -94.1, -88.8), "ME": (43, 47.5, -71.1, -66.9), "MD": (37.9, 39.8, -79.5, -75),
        "MA": (41.2, 42.9, -73.6, -69.9), "MI": (41.6, 48.3, -90.5, -82.1), "MN": (43.4, 49.4, -97.3, -89.4), "MS": (30.1, 35.1, -91.7, -88),
        "MO": (35.9, 40.7, -95.8, -89), "MT": (44.3, 49.1, -116.1, -104), "NE": (39.9, 43.1, -104.1, -95.3), "NV": (35, 42.1, -120.1, -114),
        "NH": (42.6, 45.4, -72.6, -70.6), "NJ": (38.9, 41.4, -75.6, -73.8), "NM": (31.3, 37.1, -109.1, -103), "NY": (40.4, 45.1, -79.8, -71.8),
        "NC": (33.8, 36.6, -84.4, -75.4), "ND": (45.9, 49.1, -104.1, -96.5), "OH": (38.4, 42.4, -84.9, -80.5), "OK": (33.6, 37.1, -103.1, -94.4),
        "OR": (41.9, 46.3, -124.6, -116.4), "PA": (39.7, 42.3, -80.6, -74.6), "RI": (41.1, 42.1, -71.9, -71.1), "SC": (32, 35.3, -83.4, -78.5),
        "SD": (42.4, 46, -104.1, -96.4), "TN": (34.9, 36.7, -90.4, -81.6), "TX": (25.8, 36.6, -106.7, -93.5), "UT": (36.9, 42.1, -114.1, -109),
        "VT": (42.7, 45.1, -73.5, -71.4), "VA": (36.5, 39.5, -83.7, -75.2), "WA": (45.5, 49.1, -124.8, -116.9), "WV": (37.2, 40.7, -82.7, -77.7),
        "WI": (42.4, 47.1, -92.9, -86.7), "WY": (40.9, 45.1, -111.1, -104), "DC": (38.7, 39, -77.2, -76.9),
    ]

    @Test(arguments: StateTable.rows)
    func theCentreIsInsideTheState(_ state: StateInformation) throws {
        let box = try #require(Self.boxes[state.abbreviation])
        #expect((box.south...box.north).contains(state.centerLatitude))
        #expect((box.west...box.east).contains(state.centerLongitude))
        let middle = Coordinate(latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
        let corner = Coordinate(latitude: box.north, longitude: box.east)
        #expect(
            state.center.distance(to: middle) < corner.distance(to: middle) / 2, "far from the middle of its limits")
    }

    @Test func statesWereAdmittedInOrder() throws {
        let order = AdmissionOrder.rows.map { rows[$0] }
        #expect(order.count == 50)
        #expect(order.first?.name == "Delaware")
        #expect(order.last?.name == "Hawaii")
        let first = [
            "DE", "PA", "NJ", "GA", "CT", "MA", "MD", "SC", "NH", "VA", "NY", "NC", "RI", "VT", "KY", "TN", "OH",
        ]
        #expect(order.prefix(first.count).map(\.abbreviation) == first)
        let last = ["ND", "SD", "MT", "WA", "ID", "WY", "UT", "OK", "NM", "AZ", "AK", "HI"]
        #expect(order.suffix(last.count).map(\.abbreviation) == last)
        #expect(order.allSatisfy { ($0.admission?.year ?? 0) >= 1787 && ($0.admission?.year ?? 0) <= 1959 })
        #expect(AdmissionOrder.rank(of: try #require(StateTable.row(of: "TX"))) == 28)
    }

    @Test func statesAreFoundByName() {
        let knowledge = StateKnowledgeBase()
        for (name, abbreviation) in [
            ("Texas", "TX"), ("tx", "TX"), ("  new   york ", "NY"), ("N. Dakota", "ND"), ("Calif.", "CA"),
            ("Missisipi", "MS"),
            ("in", "IN"), ("D.C.", "DC"), ("Washington, D.C.", "DC"), ("Washington", "WA"), ("Hawaiʻi", "HI"),
            ("WEST VIRGINIA", "WV"),
        ] {
            #expect(knowledge.state(named: name)?.abbreviation == abbreviation, "\(name)")
        }
        for name in ["", "France", "Dakota", "Carolinas", "Texas Ohio", "capital of Texas", "Austin", "\u{0}"] {
            #expect(knowledge.state(named: name) == nil, "\(name)")
        }
        for state in knowledge.states {
            #expect(knowledge.state(named: state.name) == state)
            #expect(knowledge.state(named: state.abbreviation) == state)
        }
    }
}
