// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// Comparison whose time tells nothing about where two secrets differ.
public enum ConstantTime {
    /// True if two byte strings are equal. Their lengths are not secret.
    public static func areEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard left.count == right.count else { return false }
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return CRYPTO_memcmp(first, second, left.count) == 0
            }
        }
    }
}
