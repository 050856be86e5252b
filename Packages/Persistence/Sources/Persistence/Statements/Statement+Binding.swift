// SPDX-License-Identifier: MIT

extension Statement {
    /// Values of this size and more are not copied.
    private static let largeSize = 4_096

    /// Binds the values to the question marks, whose number must be the same; false if some are large and must be lent
    /// by ``lending(_:_:)`` while the statement runs.
    @usableFromInline
    func bind(_ values: [SQLValue]) throws -> Bool {
        try requireValues(values.count)
        clearArena()
        var areBound = true
        for offset in values.indices {
            let index = Int32(offset + 1)
            switch values[offset] {
            case .null: try bindNull(at: index)
            case .integer(let integer): try bind(integer, at: index)
            case .real(let real): try bind(real, at: index)
            case let large where Self.isLarge(large): areBound = false
            case .text(var text): try text.withUTF8 { try bindCopy(text: $0, at: index) }
            case .blob(let bytes): try bytes.withUnsafeBytes { try bindCopy(blob: $0, at: index) }
            }
        }
        return areBound
    }

    /// Lends the large values to SQLite for as long as a closure runs, which uses the statement.
    @usableFromInline
    func lending<Result>(_ values: [SQLValue], _ body: () throws -> Result) throws -> Result {
        try lending(values[...], body)
    }

    private func lending<Result>(_ values: ArraySlice<SQLValue>, _ body: () throws -> Result) throws -> Result {
        guard let offset = values.firstIndex(where: Self.isLarge) else { return try body() }
        // The pointers below live as long as their closures, in which the rest is bound and the body runs.
        let (index, rest) = (Int32(offset + 1), values[(offset + 1)...])
        switch values[offset] {
        case .text(var text):
            return try text.withUTF8 { bytes in
                try bindInPlace(text: bytes, at: index)
                defer { clearBindings() }
                return try lending(rest, body)
            }
        case .blob(let bytes):
            return try bytes.withUnsafeBytes { bytes in
                try bindInPlace(blob: bytes, at: index)
                defer { clearBindings() }
                return try lending(rest, body)
            }
        default: return try lending(rest, body)
        }
    }

    private static func isLarge(_ value: SQLValue) -> Bool {
        switch value {
        case .text(let text): text.utf8.count >= largeSize
        case .blob(let bytes): bytes.count >= largeSize
        default: false
        }
    }
}
