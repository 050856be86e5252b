// SPDX-License-Identifier: MIT

import CSQLite

extension DatabaseError {
    /// A rule of the schema that a statement would have broken.
    public struct Constraint: Sendable, Equatable {
        /// The sort of rule; more may be added.
        public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
            /// The kind's name.
            public let rawValue: String

            /// A kind by its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The name.
            public var description: String { rawValue }

            /// Another row has these values already.
            public static let unique = Kind(rawValue: "unique")
            /// Another row has this primary key already.
            public static let primaryKey = Kind(rawValue: "primaryKey")
            /// A column that takes no NULL got one.
            public static let notNull = Kind(rawValue: "notNull")
            /// A CHECK does not hold.
            public static let check = Kind(rawValue: "check")
            /// A row refers to one that does not exist, or would after the statement.
            public static let foreignKey = Kind(rawValue: "foreignKey")
            /// A column of a STRICT table got a value of another type.
            public static let type = Kind(rawValue: "type")
            /// A trigger refused the statement.
            public static let trigger = Kind(rawValue: "trigger")
            /// Another rule, such as one of a virtual table.
            public static let other = Kind(rawValue: "other")
        }

        /// The sort of rule.
        public let kind: Kind
        /// The table. SQLite does not name it for `check` and `foreignKey`: then it is the table that the statement
        /// writes, and nil if there are several, or at a commit.
        public let table: String?
        /// The columns, in the order of the constraint. For `foreignKey`, those that refer to the missing row, if they
        /// are the only ones of the table that an INSERT fills; empty otherwise, and for `check`.
        public let columns: [String]
        /// For `check`, the constraint's name or its expression; for `unique`, the name of an index over expressions.
        public let rule: String?
    }

    /// The error for a violated constraint, by SQLite's extended result code and message.
    init(constraint result: Int32, detail: String, statement: ConstrainedStatement?) {
        let kind = Constraint.Kind(result: result)
        let named = detail.firstRange(of: ": ").map { String(detail[$0.upperBound...]) }
        var (table, columns, rule) = (String?.none, [String](), String?.none)
        switch kind {
        case .unique, .primaryKey, .notNull:
            let places = (named ?? "").split(separator: ", ").map(Self.place)
            if let first = places.first, let of = first.table {
                (table, columns) = (of, places.map(\.column))
            } else {
                rule = named
            }
        case .type:
            let place = Self.place(detail.split(separator: " ").last ?? "")
            (table, columns) = (place.table, place.table == nil ? [] : [place.column])
        case .check: (table, rule) = (statement?.table, named)
        case .foreignKey: (table, columns) = (statement?.table, statement?.foreignKey() ?? [])
        default: break
        }
        let constraint = Constraint(kind: kind, table: table, columns: columns, rule: rule)
        self.init(
            code: .constraint, message: constraint.message(detail, isDeletion: statement?.isDeletion ?? false),
            underlying: result, constraint: constraint)
    }

    private static func place(_ text: Substring) -> (table: String?, column: String) {
        guard let dot = text.lastIndex(of: ".") else { return (nil, String(text)) }
        return (String(text[..<dot]), String(text[text.index(after: dot)...]))
    }
}

extension DatabaseError.Constraint.Kind {
    fileprivate init(result: Int32) {
        // The extended codes of SQLITE_CONSTRAINT (sqlite.org/rescode.html), whose macros Swift does not import.
        switch result >> 8 {
        case 8: self = .unique
        case 6, 10: self = .primaryKey
        case 5: self = .notNull
        case 1: self = .check
        case 3: self = .foreignKey
        case 12: self = .type
        case 7: self = .trigger
        default: self = .other
        }
    }
}

extension DatabaseError.Constraint {
    fileprivate func message(_ detail: String, isDeletion: Bool) -> String {
        let place = columns.map { (table ?? "") + "." + $0 }.joined(separator: ", ")
        let of = table.map { " of “\($0)”" } ?? ""
        return switch kind {
        case .unique, .primaryKey:
            "Another row has this value of \(place.isEmpty ? rule ?? "" : place) already. Choose another one, or write "
                + "ON CONFLICT into the INSERT."
        case .notNull: "\(place) must not be NULL. Give it a value."
        case .check: "A value\(of) breaks the rule “\(rule ?? "")”. Correct it."
        case .foreignKey where isDeletion: "Other rows refer to this one\(of). Delete or change those first."
        case .foreignKey:
            "\(place.isEmpty ? "A row\(of)" : place) refers to a row that does not exist. Insert that one first."
        case .type: "\(detail): give a value of the column's type."
        case .trigger: "A trigger refused the change: \(detail)"
        default: detail
        }
    }
}

/// The facts about a statement that violated a constraint which SQLite's message lacks.
struct ConstrainedStatement {
    let connection: OpaquePointer
    let text: String
    /// The only table that it writes.
    let table: String?

    var isDeletion: Bool { begins(with: "delete") }

    /// The columns of the only foreign key of the table that an INSERT fills.
    func foreignKey() -> [String]? {
        guard let table, begins(with: "insert") || begins(with: "replace") else { return nil }
        let sql = "SELECT id, \"from\" FROM pragma_foreign_key_list(?) ORDER BY id, seq"
        guard let list = try? Statement(sql, on: connection, name: ""), (try? list.bind([.text(table)])) == true else {
            return nil
        }
        list.begin()
        defer { list.end() }
        var columns: [String] = []
        while (try? list.step()) == true {
            let row = Row(list)
            guard let id = try? row["id", as: Int.self], id == 0, let name = try? row["from", as: String.self] else {
                return nil
            }
            columns.append(name)
        }
        return columns
    }

    private func begins(with verb: String) -> Bool {
        text.drop(while: \.isWhitespace).prefix(verb.count).lowercased() == verb
    }
}
