// SPDX-License-Identifier: MIT

import TerminalKit

/// Finds positions for names beside their markers, so that none overlaps another or the edge.
struct MapLabelPlacer {
    /// The point where a text starts, ends or has its middle, on its baseline; `anchor` as SVG's `text-anchor`.
    struct Position: Equatable {
        let x: Double
        let y: Double
        let anchor: String
    }

    private struct Box {
        var left, right, top, bottom: Double

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    /// The distance of names from the left, right and upper edge.
    private let margin = 8.0
    private let width: Double
    private let height: Double
    private var taken: [Box] = []

    /// Makes a placer for an area from (0, 0), with `y` downwards.
    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Keeps names away from a point.
    mutating func block(_ point: MapPoint, radius: Double) {
        taken.append(
            Box(left: point.x - radius, right: point.x + radius, top: point.y - radius, bottom: point.y + radius))
    }

    /// The first free position of right, left, above and below, each first near the marker and then farther off; if
    /// none is free, the right one. The width of a text is estimated at 0.64 of the font size a character.
    mutating func position(of text: String, at point: MapPoint, fontSize: Double) -> Position {
        let length = Double(text.count) * fontSize * 0.64
        let candidates = [14.0, 30, 46].flatMap { gap in
            [
                Position(x: point.x + gap, y: point.y + fontSize * 0.35, anchor: "start"),
                Position(x: point.x - gap, y: point.y + fontSize * 0.35, anchor: "end"),
                Position(x: point.x, y: point.y - gap, anchor: "middle"),
                Position(x: point.x, y: point.y + gap + fontSize * 0.75, anchor: "middle"),
            ]
        }
        for candidate in candidates {
            let box = Self.box(of: candidate, length: length, fontSize: fontSize)
            let isInside =
                box.left >= margin && box.right <= width - margin && box.top >= margin && box.bottom <= height
            guard isInside, !taken.contains(where: { $0.overlaps(box) }) else { continue }
            taken.append(box)
            return candidate
        }
        return candidates[0]
    }

    private static func box(of position: Position, length: Double, fontSize: Double) -> Box {
        let left =
            switch position.anchor {
            case "start": position.x
            case "end": position.x - length
            default: position.x - length / 2
            }
        return Box(
            left: left, right: left + length, top: position.y - fontSize * 0.8, bottom: position.y + fontSize * 0.25)
    }
}
