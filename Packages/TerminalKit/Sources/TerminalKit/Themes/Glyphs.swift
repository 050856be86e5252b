// SPDX-License-Identifier: MIT

/// The signs and gaps of all components, each with an ASCII form. A sign is one column wide.
public struct Glyphs: Sendable, Equatable {
    /// True if signs beyond ASCII are written.
    public let hasUnicode: Bool

    /// Chooses the forms.
    public init(hasUnicode: Bool) { self.hasUnicode = hasUnicode }

    /// The filled part of a bar.
    public var filled: Character { hasUnicode ? "█" : "#" }
    /// The empty part of a bar.
    public var empty: Character { hasUnicode ? "░" : "." }
    /// A vertical line.
    public var vertical: Character { hasUnicode ? "│" : "|" }
    /// A horizontal line.
    public var horizontal: Character { hasUnicode ? "─" : "-" }
    /// The crossing of two lines.
    public var crossing: Character { hasUnicode ? "┼" : "+" }
    /// A tick of an axis.
    public var tick: Character { hasUnicode ? "┤" : "|" }
    /// The corner of two axes.
    public var corner: Character { hasUnicode ? "└" : "+" }
    /// The sign before an item of a list.
    public var bullet: Character { hasUnicode ? "•" : "-" }
    /// The line before a quotation.
    public var quote: Character { hasUnicode ? "│" : ">" }
    /// The sign of something that goes on.
    public var dot: Character { hasUnicode ? "●" : "*" }
    /// The sign on a picture.
    public var star: Character { hasUnicode ? "★" : "*" }
    /// The end of a text that was cut.
    public var ellipsis: Character { hasUnicode ? "…" : "." }
    /// The sign of a thing that went well.
    public var right: Character { hasUnicode ? "✓" : "+" }
    /// The sign of an error.
    public var wrong: Character { hasUnicode ? "✗" : "x" }
    /// The text between two facts on one line.
    public var separator: String { hasUnicode ? " · " : ", " }
    /// The spaces between two columns, or two hints.
    public let gap = "  "
}
