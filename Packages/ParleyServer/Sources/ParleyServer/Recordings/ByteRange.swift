// SPDX-License-Identifier: MIT

/// The part of a file that a `Range` field requests (RFC 9110 §14).
enum ByteRange: Sendable, Hashable {
    /// The whole file: the field is missing or not understood, or has several ranges.
    case all
    /// The range of bytes, both ends included.
    case part(ClosedRange<Int>)
    /// The range is past the end of the file.
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
        // A number that does not fit an Int is past every end.
        let (first, last) = (Int(parts[0]) ?? .max, Int(parts[1]) ?? .max)
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, true): self = .all
        case (true, false): self = last > 0 && count > 0 ? .part(max(0, count - last)...(count - 1)) : .unsatisfiable
        case (false, _) where !parts[1].isEmpty && last < first: self = .all
        case (false, _): self = first < count ? .part(first...min(last, count - 1)) : .unsatisfiable
        }
    }
}
