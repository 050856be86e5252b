// SPDX-License-Identifier: MIT

/// Takes the values of one run of a statement, one after another, for ``SQLValueConvertible/bind(to:)``.
public struct StatementBinder: ~Copyable {
    private let statement: Statement
    private var index: Int32 = 0

    init(_ statement: Statement) {
        self.statement = statement
        statement.clearArena()
    }

    /// Binds NULL.
    public mutating func bindNull() throws {
        index += 1
        try statement.bindNull(at: index)
    }

    /// Binds an integer.
    public mutating func bind(_ integer: Int64) throws {
        index += 1
        try statement.bind(integer, at: index)
    }

    /// Binds a real number; a NaN throws.
    public mutating func bind(_ real: Double) throws {
        index += 1
        try statement.bind(real, at: index)
    }

    /// Binds text.
    public mutating func bind(_ text: String) throws {
        index += 1
        // What has its UTF-8 at hand, as every string of Swift has, is not retained to be read.
        let done: Void? = try text.utf8.withContiguousStorageIfAvailable { [statement, index] bytes in
            try statement.bindCopy(text: bytes, at: index)
        }
        guard done == nil else { return }
        var copy = text
        try copy.withUTF8 { [statement, index] bytes in try statement.bindCopy(text: bytes, at: index) }
    }

    /// Binds bytes.
    public mutating func bind(_ bytes: Span<UInt8>) throws {
        index += 1
        let (statement, index) = (statement, index)
        try bytes.withUnsafeBufferPointer { try statement.bindCopy(blob: UnsafeRawBufferPointer($0), at: index) }
    }

    /// Binds a value of any type.
    public mutating func bind(_ value: SQLValue) throws {
        switch value {
        case .null: try bindNull()
        case .integer(let integer): try bind(integer)
        case .real(let real): try bind(real)
        case .text(let text): try bind(text)
        case .blob(let bytes): try bind(bytes.span)
        }
    }

    @usableFromInline
    func finish() throws {
        try statement.requireValues(Int(index))
    }
}
