// SPDX-License-Identifier: MIT

extension Statement {
    /// Values of this size and more are not copied.
    private static let largeSize = 4_096

    /// Binds the values to the question marks, of which there must be as many, and runs a closure that uses the statement.
    /// Large values are lent to SQLite for as long.
    func binding<Result>(_ values: [SQLValue], _ body: () throws -> Result) throws -> Result {
        try requireValues(values.count)
        clearArena()
        var large: [Int] = []
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            switch value {
            case .null: try bindNull(at: index)
            case .integer(let integer): try bind(integer, at: index)
            case .real(let real): try bind(real, at: index)
            case .text(var text):
                if text.utf8.count >= Self.largeSize {
                    large.append(offset)
                } else {
                    try text.withUTF8 { try bindCopy(text: $0, at: index) }
                }
            case .blob(let bytes):
                if bytes.count >= Self.largeSize {
                    large.append(offset)
                } else {
                    try bytes.withUnsafeBytes { try bindCopy(blob: $0, at: index) }
                }
            }
        }
        return large.isEmpty ? try body() : try lending(values, large[...], body)
    }

    private func lending<Result>(
        _ values: [SQLValue], _ offsets: ArraySlice<Int>, _ body: () throws -> Result
    ) throws -> Result {
        guard let offset = offsets.first else { return try body() }
        // The pointers below live as long as their closures, in which the rest is bound and the body runs.
        switch values[offset] {
        case .text(var text):
            return try text.withUTF8 { bytes in
                try bindInPlace(text: bytes, at: Int32(offset + 1))
                defer { clearBindings() }
                return try lending(values, offsets.dropFirst(), body)
            }
        case .blob(let bytes):
            return try bytes.withUnsafeBytes { bytes in
                try bindInPlace(blob: bytes, at: Int32(offset + 1))
                defer { clearBindings() }
                return try lending(values, offsets.dropFirst(), body)
            }
        default: return try lending(values, offsets.dropFirst(), body)
        }
    }
}
