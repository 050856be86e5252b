// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// A map of the United States with one or more states marked, before it is drawn with characters or as SVG.
///
/// Points lie in the plane of ``MapLayout``: `x` from 0 to 1, `y` from 0 at the top to ``height``.
struct MapPicture: Sendable, Equatable {
    /// A state's outline.
    struct Shape: Sendable, Equatable {
        /// The postal abbreviation.
        let id: String
        /// Closed lines, the largest first; the even-odd rule defines the inside.
        let rings: [[MapPoint]]
        /// True if it is one of the states asked for.
        let isMarked: Bool
    }

    /// The marker of a state that was asked for.
    struct Marker: Sendable, Equatable {
        /// The geographic centre.
        let point: MapPoint
        /// The state.
        let state: StateInformation
    }

    /// The height of the picture; its width is 1.
    let height: Double
    /// All states, in the order of their abbreviations.
    let shapes: [Shape]
    /// The states that were asked for, in that order, each once.
    let markers: [Marker]
    /// Open lines that separate Alaska and Hawaii from the rest.
    let insetFrames: [[MapPoint]]

    /// Lays out the map with one state marked.
    init(of state: StateInformation) {
        self.init(marking: [state])
    }

    /// Lays out the map with `states` marked. A state without an outline still gets its marker.
    init(marking states: [StateInformation], outlines: StateOutlines = StateOutlines()) {
        var seen: Set<String> = []
        markers = states.filter { seen.insert($0.id).inserted }.map { state in
            Marker(point: MapLayout.place(state.center, of: state.id), state: state)
        }
        shapes = outlines.abbreviations.map { id in
            Shape(
                id: id, rings: (outlines.rings(of: id) ?? []).map { MapLayout.place($0, of: id) },
                isMarked: seen.contains(id))
        }
        height = MapLayout.height
        insetFrames = MapLayout.insetFrames
    }
}

extension MapPicture.Marker {
    /// The name with the abbreviation, "Texas (TX)".
    var title: String { "\(state.name) (\(state.abbreviation))" }

    /// The coordinates to a tenth of a degree, with any sign for the degree or without one: "31.5° N, 99.3° W".
    func position(degree: String = "°") -> String {
        let center = state.center
        return "\(Self.tenths(center.latitude))\(degree) \(center.latitude < 0 ? "S" : "N"), "
            + "\(Self.tenths(center.longitude))\(degree) \(center.longitude < 0 ? "W" : "E")"
    }

    private static func tenths(_ degrees: Double) -> String {
        let tenths = Int((abs(degrees) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
