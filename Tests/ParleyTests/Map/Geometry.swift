// SPDX-License-Identifier: MIT

import TerminalKit

@testable import parley

/// Plane geometry that the maps are checked against.
enum Geometry {
    /// The area in a closed line, negative if it runs clockwise in a plane with `y` going up (shoelace formula).
    static func signedArea(_ ring: [MapPoint]) -> Double {
        zip(ring, ring.dropFirst() + ring.prefix(1)).map { $0.x * $1.y - $1.x * $0.y }.reduce(0, +) / 2
    }

    /// Whether a point is inside rings, by the even-odd rule.
    static func isInside(_ point: MapPoint, _ rings: [[MapPoint]]) -> Bool {
        var isInside = false
        for ring in rings {
            for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                guard (one.y > point.y) != (other.y > point.y) else { continue }
                let crossing = one.x + (point.y - one.y) / (other.y - one.y) * (other.x - one.x)
                if point.x < crossing { isInside.toggle() }
            }
        }
        return isInside
    }
}
