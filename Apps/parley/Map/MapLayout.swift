// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// The layout of the sheet: the contiguous states with Alaska and Hawaii as insets at the lower left, as on most
/// maps of the United States.
///
/// The sheet's plane has `x` from 0 at the left to 1 at the right, and `y` from 0 at the top to ``height`` at the bottom.
struct MapLayout: Sendable {
    /// The sheet's edges in the plane of ``AlbersProjection/contiguousStates``, kilometres.
    private static let left = -2385.0
    private static let right = 2285.0
    private static let top = 1600.0
    private static let bottom = -1415.0
    /// Alaska's scale as a part of the scale of the other states.
    static let alaskaScale = 0.31

    /// The height of the sheet; its width is 1.
    static let height = (top - bottom) / (right - left)
    /// The sheet's width in kilometres, for all states except Alaska.
    static let width = right - left

    /// The lines that separate the insets from the rest.
    static let insetFrames: [[MapPoint]] = [
        [(-2385, -500), (-1826, -500), (-1388, -686), (-1057, -968), (-1057, -1415)],
        [(-1057, -968), (-658, -968), (-405, -1236), (-405, -1415)],
    ].map { $0.map { sheet(MapPoint(x: $0.0, y: $0.1)) } }

    /// The position of a place of a state on the sheet.
    static func place(_ place: Coordinate, of abbreviation: String) -> MapPoint {
        switch abbreviation {
        case "AK":
            let point = AlbersProjection.alaska.project(place)
            return sheet(MapPoint(x: point.x * alaskaScale - 1650, y: point.y * alaskaScale - 1480))
        case "HI":
            let point = AlbersProjection.hawaii.project(place)
            return sheet(MapPoint(x: point.x - 690, y: point.y - 2066))
        default:
            return sheet(AlbersProjection.contiguousStates.project(place))
        }
    }

    /// The closed line of a ring on the sheet. A side longer than a degree gets points in between, so that parallels
    /// are curved; both neighbours of a border get the very same points.
    static func place(_ ring: [Coordinate], of abbreviation: String) -> [MapPoint] {
        var points: [MapPoint] = []
        points.reserveCapacity(ring.count + 16)
        for (index, here) in ring.enumerated() {
            let next = ring[index + 1 == ring.count ? 0 : index + 1]
            points.append(place(here, of: abbreviation))
            let pieces = Int(abs(next.longitude - here.longitude).rounded(.up))
            guard pieces > 1 else { continue }
            let (west, east) = here.longitude < next.longitude ? (here, next) : (next, here)
            let inner = (1..<pieces).map { piece in
                let part = Double(piece) / Double(pieces)
                return place(
                    Coordinate(
                        latitude: west.latitude + (east.latitude - west.latitude) * part,
                        longitude: west.longitude + (east.longitude - west.longitude) * part),
                    of: abbreviation)
            }
            points += west == here ? inner : inner.reversed()
        }
        return points
    }

    private static func sheet(_ point: MapPoint) -> MapPoint {
        MapPoint(x: (point.x - left) / width, y: (top - point.y) / width)
    }
}
