// SPDX-License-Identifier: MIT

/// A share of some work as a bar with a number.
public struct ProgressBar: Sendable {
    private let share: Double

    /// - Parameter share: From 0 to 1; values beyond are brought in.
    public init(_ share: Double) { self.share = share.isNaN ? 0 : min(max(share, 0), 1) }

    /// The share in percent.
    public var percent: String { "\(Int((share * 100).rounded(.down)))%" }

    /// The bar and the number; the number alone where there is no room for a bar.
    public func line(width: Int, theme: Theme) -> String {
        let room = min(40, width - 5)
        guard room >= 4 else { return percent }
        let filled = Int((share * Double(room)).rounded(.down))
        let number = String(repeating: " ", count: 4 - percent.count) + percent
        return theme.styled(String(repeating: theme.glyphs.filled, count: filled), .accent)
            + String(repeating: theme.glyphs.empty, count: room - filled) + " " + number
    }
}
