// SPDX-License-Identifier: MIT

extension PostgresError {
    /// The error that the server reported.
    ///
    /// - Parameters:
    ///   - sqlState: The server's code of five characters.
    ///   - message: The server's primary message. That of a data exception (class 22) quotes values, so it is left out.
    ///   - constraint: The violated constraint.
    init(sqlState: String, message: String, constraint: String? = nil) {
        let code = Code(sqlState: sqlState)
        let text = code == .invalidValue ? "The server refuses a value (SQLSTATE \(sqlState))" : Self.sentence(message)
        self.init(
            code: code, message: "\(text). \(Self.remedy(code, sqlState))", sqlState: sqlState,
            constraint: code == .constraint ? constraint : nil)
    }

    /// True if the same transaction may succeed when it runs again: another one was in the way, or the statements that
    /// the connection had prepared are out of date.
    var isConflict: Bool {
        switch sqlState {
        case "40001", "40P01", "26000": true
        case "0A000": message.contains("ached plan must not change")
        default: false
        }
    }

    /// True if waiting for the server does not help.
    var isLasting: Bool {
        [.authentication, .tls, .undefinedDatabase, .permission, .libraryMissing, .invalidSQL, .invalidValue]
            .contains(code)
    }

    private static func sentence(_ message: String) -> String {
        let text = message.hasSuffix(".") ? message.dropLast() : Substring(message)
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func remedy(_ code: Code, _ sqlState: String) -> String {
        switch code {
        case .connection, .shutdown: "Try again when the server is back."
        case .authentication: "Check the user and the password, and pg_hba.conf of the server."
        case .busy: "Try again later, or raise max_connections of the server."
        case .conflict: "Try again."
        case .constraint: "Change the values; nothing was stored."
        case .undefinedTable: "Run the migrations, or check the search path."
        case .undefinedDatabase: "Create the database, or correct its name."
        case .diskFull: "Free space on the server's disk; the transaction was rolled back."
        case .readOnly: "Write in a write transaction, and on the primary server."
        case .cancelled: "Try again, or shorten the statement."
        case .permission: "Grant the right to the user."
        case .invalidValue: "Check the types and ranges of the statement's values."
        case .tooLarge: "Split the statement or the value."
        case .transactionEnded: "Let the first error leave the closure."
        case .invalidSQL: "Correct the statement."
        default: "The server's code is \(sqlState)."
        }
    }
}

extension PostgresError.Code {
    /// The code of a SQLSTATE (PostgreSQL's appendix A).
    init(sqlState: String) {
        let exact: [String: Self] = [
            "25006": .readOnly, "25P02": .transactionEnded, "25P03": .shutdown, "3D000": .undefinedDatabase,
            "40001": .conflict, "40P01": .conflict, "42501": .permission, "42P01": .undefinedTable, "53100": .diskFull,
            "53300": .busy, "55P03": .busy, "57014": .cancelled, "0A000": .invalidSQL,
        ]
        if let code = exact[sqlState] {
            self = code
            return
        }
        switch sqlState.prefix(2) {
        case "08": self = .connection
        case "22": self = .invalidValue
        case "23": self = .constraint
        case "28": self = .authentication
        case "42": self = .invalidSQL
        case "54": self = .tooLarge
        case "57": self = .shutdown
        default: self = .other
        }
    }
}
