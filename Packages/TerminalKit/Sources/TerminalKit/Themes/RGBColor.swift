// SPDX-License-Identifier: MIT

import Glibc

/// A colour of the sRGB space, eight bits a channel.
public struct RGBColor: Sendable, Hashable {
    /// The channels, from 0 to 255.
    public let red, green, blue: UInt8

    /// Makes a colour from its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Makes a colour from 24 bits, `0xRRGGBB`; higher bits are left out.
    public init(_ hex: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
            blue: UInt8(truncatingIfNeeded: hex))
    }

    /// The relative luminance, from 0 for black to 1 for white (WCAG 2.2).
    public var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// The contrast ratio of two colours, from 1 to 21, in either order (WCAG 2.2, success criterion 1.4.3).
    public func contrast(with other: RGBColor) -> Double {
        let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (light + 0.05) / (dark + 0.05)
    }

    /// The index of the nearest colour of xterm's 256, among those that no terminal's settings change (16 to 255).
    public var index: UInt8 {
        (16...255 as ClosedRange<UInt8>).min { distance(to: RGBColor(index: $0)) < distance(to: RGBColor(index: $1)) }
            ?? 16
    }

    /// The colour of an index of xterm's 256 from 16 on: a cube of six levels a channel, then 24 greys. A lower index
    /// belongs to the terminal's own palette, and gives black.
    public init(index: UInt8) {
        func level(_ step: UInt8) -> UInt8 { step == 0 ? 0 : 55 + 40 * step }
        switch index {
        case 232...:
            let grey = 8 + 10 * (index - 232)
            self.init(red: grey, green: grey, blue: grey)
        case 16...:
            let cube = index - 16
            self.init(red: level(cube / 36), green: level(cube / 6 % 6), blue: level(cube % 6))
        default: self.init(0)
        }
    }

    private func distance(to other: RGBColor) -> Int {
        zip([red, green, blue], [other.red, other.green, other.blue])
            .reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }

    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
