// SPDX-License-Identifier: MIT

/// A value in one of SQLite's storage classes (sqlite.org/datatype3.html).
public enum SQLValue: Sendable, Equatable {
    /// NULL.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// An IEEE 754 double. A NaN cannot be stored: binding one throws.
    case real(Double)
    /// UTF-8 text, which may hold NUL characters.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}
