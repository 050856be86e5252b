// SPDX-License-Identifier: MIT

extension Float {
    /// The value as a converter to 16 bit would take it: clipped to −1…1, and 0 for what is no number.
    @inline(__always)
    var clippedSample: Float {
        // Also false for what is no number.
        abs(self) <= 1 ? self : self > 1 ? 1 : self < -1 ? -1 : 0
    }
}
