// SPDX-License-Identifier: MIT

/// A bitmap, two dots wide and four high a character cell, on which lines and filled shapes are drawn.
///
/// Coordinates are in dots: dot (0, 0) at the top left covers 0..<1 in both directions. Anything outside is left out, and
/// whatever has a point farther away than ``reach``, or one that is no number.
public struct DotCanvas: Sendable, Equatable {
    /// The greatest coordinate, in dots.
    public static let reach = 100_000.0

    /// The number of character cells in a line.
    public let columns: Int
    /// The number of lines of character cells.
    public let lines: Int
    /// The dots, row by row; true for one that is set.
    public private(set) var dots: [Bool]

    /// The number of dots in a row.
    public var width: Int { columns * 2 }
    /// The number of rows of dots.
    public var height: Int { lines * 4 }

    /// Makes an empty bitmap.
    public init(columns: Int, lines: Int) {
        self.columns = columns
        self.lines = lines
        dots = Array(repeating: false, count: columns * 2 * lines * 4)
    }

    /// Draws a straight line, one dot thick, its ends included (Bresenham). Both directions set the same dots.
    public mutating func line(from start: CanvasPoint, to end: CanvasPoint) {
        guard start.isNear, end.isNear else { return }
        var (x, y) = (Int(start.x.rounded(.down)), Int(start.y.rounded(.down)))
        var (toX, toY) = (Int(end.x.rounded(.down)), Int(end.y.rounded(.down)))
        if (toX, toY) < (x, y) {
            swap(&x, &toX)
            swap(&y, &toY)
        }
        let across = abs(toX - x)
        let down = -abs(toY - y)
        var balance = across + down
        while true {
            set(x, y)
            if x == toX, y == toY { return }
            let doubled = 2 * balance
            if doubled >= down {
                balance += down
                x += x < toX ? 1 : -1
            }
            if doubled <= across {
                balance += across
                y += y < toY ? 1 : -1
            }
        }
    }

    /// Draws the closed line through `points`.
    public mutating func ring(_ points: [CanvasPoint]) {
        guard var last = points.last else { return }
        for point in points {
            line(from: last, to: point)
            last = point
        }
    }

    /// Sets every dot whose middle is inside the rings, by the even-odd rule.
    public mutating func fill(_ rings: [[CanvasPoint]]) {
        var crossings: [[Double]] = Array(repeating: [], count: height)
        for ring in rings {
            guard var last = ring.last, ring.allSatisfy(\.isNear) else { continue }
            for point in ring {
                let (upper, lower) = last.y < point.y ? (last, point) : (point, last)
                last = point
                let first = max(0, Int((upper.y - 0.5).rounded(.up)))
                let end = min(height, Int((lower.y - 0.5).rounded(.up)))
                guard first < end else { continue }
                let slope = (lower.x - upper.x) / (lower.y - upper.y)
                for row in first..<end {
                    crossings[row].append(upper.x + (Double(row) + 0.5 - upper.y) * slope)
                }
            }
        }
        for (row, unsorted) in crossings.enumerated() where unsorted.count > 1 {
            let sorted = unsorted.sorted()
            for pair in stride(from: 0, to: sorted.count - 1, by: 2) {
                let first = max(0, Int((sorted[pair] - 0.5).rounded(.up)))
                let end = min(width, Int((sorted[pair + 1] - 0.5).rounded(.up)))
                for x in first..<max(first, end) { set(x, row) }
            }
        }
    }

    /// Clears every dot that is set in `other`, a bitmap of the same size.
    public mutating func subtract(_ other: DotCanvas) {
        for index in dots.indices where other.dots[index] { dots[index] = false }
    }

    /// Sets every dot that is set in `other`, a bitmap of the same size.
    public mutating func formUnion(_ other: DotCanvas) {
        for index in dots.indices where other.dots[index] { dots[index] = true }
    }

    /// Clears every dot that is not set in `other`, a bitmap of the same size.
    public mutating func formIntersection(_ other: DotCanvas) {
        for index in dots.indices where !other.dots[index] { dots[index] = false }
    }

    /// The dots of a cell in the order of the Unicode braille patterns: bit 0 to 2 the left column from the top, 3 to 5
    /// the right one, 6 and 7 the bottom row.
    public func cell(column: Int, line: Int) -> UInt8 {
        let left = line * 4 * width + column * 2
        var mask: UInt8 = 0
        for row in 0..<4 {
            if dots[left + row * width] { mask |= row < 3 ? 1 << row : 0x40 }
            if dots[left + row * width + 1] { mask |= row < 3 ? 8 << row : 0x80 }
        }
        return mask
    }

    /// The Unicode braille pattern of a cell's dots.
    public static func braille(_ dots: UInt8) -> Character {
        Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ")
    }

    private mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        dots[y * width + x] = true
    }
}

/// A point of a plane; the declaration that uses it states the plane and the unit.
public struct CanvasPoint: Sendable, Equatable {
    /// The coordinate to the right.
    public var x: Double
    /// The vertical coordinate, whose direction depends on the plane.
    public var y: Double

    /// Makes a point from its coordinates.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// False for a coordinate that is no number, too.
    fileprivate var isNear: Bool { abs(x) <= DotCanvas.reach && abs(y) <= DotCanvas.reach }
}
