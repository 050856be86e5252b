// SPDX-License-Identifier: MIT

/// The meaning of a piece of text, which a ``Theme`` gives a look. A role repeats what words or a sign say already:
/// nothing is told by colour alone.
public enum ColorRole: String, Sendable, CaseIterable {
    /// Text in the terminal's own colours.
    case plain
    /// The most important words.
    case strong
    /// Words that a reader may skip.
    case muted
    /// A thing that went well.
    case success
    /// A thing to look at.
    case warning
    /// An error.
    case failure
    /// A name that stands for a person or a party.
    case accent
    /// Code in a text.
    case code
    /// Lines of a picture that show the surroundings.
    case land
    /// The part of a picture that was asked for.
    case marked
    /// A sign on a picture.
    case marker
}

/// The look of a role: weight, and colours where it has any.
struct Look: Sendable, Equatable {
    /// A colour before it is fitted to a terminal.
    enum Paint: Sendable, Equatable {
        /// One of the 16 colours of the terminal's own palette.
        case palette(UInt8)
        /// One of xterm's 256 colours, and the palette's colour that stands in for it.
        case indexed(UInt8, palette: UInt8)
        /// A colour, and the palette's colour that stands in for it.
        case rgb(RGBColor, palette: UInt8)

        /// The colour; nil for one of the terminal's own.
        var color: RGBColor? {
            switch self {
            case .rgb(let color, _): color
            case .indexed(let index, _): RGBColor(index: index)
            case .palette: nil
            }
        }
    }

    var weight: TextStyle = []
    var foreground: Paint?
    var background: Paint?

    /// The parameters of Select Graphic Rendition (ECMA-48 §8.3.117; ISO 8613-6 for 38 and 48).
    func parameters(_ depth: ColorDepth) -> [String] {
        guard depth != .none else { return [] }
        let weights: [(TextStyle, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9"),
        ]
        return weights.filter { weight.contains($0.0) }.map(\.1)
            + [
                foreground.map { Self.parameters($0, depth, base: 30) },
                background.map { Self.parameters($0, depth, base: 40) },
            ]
            .compactMap(\.self)
    }

    private static func parameters(_ paint: Paint, _ depth: ColorDepth, base: Int) -> String {
        switch paint {
        case .rgb(let color, _) where depth == .trueColor: "\(base + 8);2;\(color.red);\(color.green);\(color.blue)"
        case .rgb(let color, _) where depth == .ansi256: "\(base + 8);5;\(color.index)"
        case .indexed(let index, _) where depth >= .ansi256: "\(base + 8);5;\(index)"
        case .palette(let color), .rgb(_, palette: let color), .indexed(_, palette: let color):
            "\(Int(color) < 8 ? base + Int(color) : base + 52 + Int(color))"
        }
    }
}
