// SPDX-License-Identifier: MIT

/// The privacy of an interpolated value, after OSLog's `OSLogPrivacy`.
public struct LogPrivacy: Sendable, Equatable {
    /// The replacement for a private value in the log.
    public struct Mask: Sendable, Equatable {
        let hashes: Bool

        /// A short hash with this process's random key: equal values have equal hashes until the process ends, so that
        /// records can be correlated without showing the value. It is not a commitment: 48 bits, other in each process.
        public static let hash = Mask(hashes: true)
    }

    let isPublic: Bool
    let mask: Mask?

    /// The value is written as it is.
    public static let `public` = LogPrivacy(isPublic: true, mask: nil)

    /// The value is replaced by `<private>`. The default.
    public static let `private` = LogPrivacy(isPublic: false, mask: nil)

    /// The value is replaced by a masked form of it, such as `<private:5f1c09ab37de>`.
    public static func `private`(mask: Mask) -> LogPrivacy { LogPrivacy(isPublic: false, mask: mask) }

    func placeholder(for text: String) -> String {
        guard let mask, mask.hashes else { return "<private>" }
        // `Hasher` is SipHash with a key that is random in each process, which is exactly the salt that is wanted.
        var hasher = Hasher()
        hasher.combine(text)
        let digits = String(UInt64(truncatingIfNeeded: hasher.finalize()) & 0xFFFF_FFFF_FFFF, radix: 16)
        return "<private:" + String(repeating: "0", count: 12 - digits.count) + digits + ">"
    }
}
