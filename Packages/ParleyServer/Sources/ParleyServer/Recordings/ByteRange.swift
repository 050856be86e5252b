// SPDX-License-Identifier: MIT

/// The part of so many bytes that a `Range` asks for (RFC 9110 §14).
enum ByteRange: Sendable, Hashable {
    /// All: there is no range, or none that is understood; several at once count as none.
    case all
    /// From here to there, both included.
    case part(ClosedRange<Int>)
    /// Nothing of it is there.
    case unsatisfiable

    init(_ field: String?, of count: Int) {
        guard let field, field.lowercased().hasPrefix("bytes=") else {
            self = .all
            return
        }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            self = .all
            return
        }
        // A number that no Int holds is beyond every end.
        let (first, last) = (Int(parts[0]) ?? .max, Int(parts[1]) ?? .max)
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, true): self = .all
        case (true, false): self = last > 0 && count > 0 ? .part(max(0, count - last)...(count - 1)) : .unsatisfiable
        case (false, _) where !parts[1].isEmpty && last < first: self = .all
        case (false, _): self = first < count ? .part(first...min(last, count - 1)) : .unsatisfiable
        }
    }
}
