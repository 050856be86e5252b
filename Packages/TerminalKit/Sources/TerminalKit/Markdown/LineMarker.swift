// SPDX-License-Identifier: MIT

/// The beginning of a line before its words: indentation, the lines of quotes, a bullet or a number.
struct LineMarker: Equatable {
    /// The greatest depth of nested quotes; deeper ones are shown unchanged.
    static let deepest = 8
    private static let widest = 24

    /// The text that begins the line.
    private(set) var prefix = ""
    /// The text that begins each line that it is broken into.
    private(set) var hang = ""
    /// The depth of quotes.
    private(set) var depth = 0
    private let glyphs: Glyphs

    init(glyphs: Glyphs) { self.glyphs = glyphs }

    var isQuote: Bool { depth > 0 }

    /// Adds indentation, up to a limit.
    mutating func add(indent: Int) {
        let spaces = String(repeating: " ", count: max(0, min(indent, Self.widest - hang.count)))
        prefix += spaces
        hang += spaces
    }

    mutating func addQuote() {
        depth += 1
        let line = "\(glyphs.quote) "
        prefix += line
        hang += line
    }

    mutating func addBullet() { add("\(glyphs.bullet) ") }

    /// Adds a marker to the first line only.
    mutating func add(_ marker: String) {
        prefix += marker
        hang += String(repeating: " ", count: marker.count)
    }
}
