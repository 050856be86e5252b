// SPDX-License-Identifier: MIT

import FoundationEssentials
import Persistence

/// A row of any kind of database.
///
/// As with `Persistence.Row`, nothing is converted silently: a column of another type than the requested one throws
/// `DatabaseError` with the code `typeMismatch`, and a missing one `missingColumn`.
struct SQLRow: Sendable {
    /// The names, shared by the rows of a query.
    private let names: [String]
    /// In the query's order.
    let values: [SQLValue]

    init(names: [String], values: [SQLValue]) {
        self.names = names
        self.values = values
    }

    /// The value of a column, of the type that the caller wants.
    subscript<Value: SQLRowReadable>(_ name: String, as type: Value.Type = Value.self) -> Value {
        get throws {
            guard let index = names.firstIndex(of: name), index < values.count else {
                throw DatabaseError(
                    code: .missingColumn,
                    message: "The row has no column “\(name)”; it has \(names.joined(separator: ", ")).")
            }
            return try Self.read(values[index], name)
        }
    }

    func onlyValue<Value: SQLRowReadable>(as type: Value.Type) throws -> Value {
        guard values.count == 1 else {
            throw DatabaseError(
                code: .typeMismatch, message: "One value is wanted where the row has \(values.count) columns.")
        }
        return try Self.read(values[0], names.first ?? "")
    }

    private static func read<Value: SQLRowReadable>(_ value: SQLValue, _ name: String) throws -> Value {
        guard let read = Value(stored: value) else {
            throw DatabaseError(code: .typeMismatch, message: "Column “\(name)” does not hold a \(Value.self).")
        }
        return read
    }
}

/// A type that a column of any kind of database can be read as.
protocol SQLRowReadable {
    /// Nil for a value of another type.
    init?(stored value: SQLValue)
}

extension Int64: SQLRowReadable {
    init?(stored value: SQLValue) {
        guard case .integer(let integer) = value else { return nil }
        self = integer
    }
}

extension Int: SQLRowReadable {
    init?(stored value: SQLValue) {
        guard case .integer(let integer) = value else { return nil }
        self.init(integer)
    }
}

extension Bool: SQLRowReadable {
    /// 0 or 1.
    init?(stored value: SQLValue) {
        switch value {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: SQLRowReadable {
    init?(stored value: SQLValue) {
        switch value {
        case .real(let real): self = real
        case .integer(let integer): self = Double(integer)
        default: return nil
        }
    }
}

extension String: SQLRowReadable {
    init?(stored value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension [UInt8]: SQLRowReadable {
    init?(stored value: SQLValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }
}

extension Data: SQLRowReadable {
    init?(stored value: SQLValue) {
        guard case .blob(let bytes) = value else { return nil }
        self.init(bytes)
    }
}

extension Date: SQLRowReadable {
    /// Milliseconds since 1970.
    init?(stored value: SQLValue) {
        guard case .integer(let milliseconds) = value else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}

extension Optional: SQLRowReadable where Wrapped: SQLRowReadable {
    /// Nil inside for NULL.
    init?(stored value: SQLValue) {
        if case .null = value {
            self = Self.none
        } else {
            guard let wrapped = Wrapped(stored: value) else { return nil }
            self = .some(wrapped)
        }
    }
}
