// SPDX-License-Identifier: MIT

/// The error of this module. `CancellationError` and the errors of a caller's own closure pass besides it.
///
/// A message names tables, constraints and columns, and never has a value or a password in it.
public struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// The server cannot be reached, or the connection was lost before a commit was sent. Nothing was changed.
        public static let connection = Code(rawValue: "connection")
        /// The server refused the user or the password.
        public static let authentication = Code(rawValue: "authentication")
        /// The connection is not encrypted as wanted, or the server's certificate is not trusted.
        public static let tls = Code(rawValue: "tls")
        /// Every connection was in use for longer than the time limit, or the server has none left.
        public static let busy = Code(rawValue: "busy")
        /// A statement took longer than its time limit and was cancelled.
        public static let timeout = Code(rawValue: "timeout")
        /// Another transaction was in the way, at each of the allowed attempts. Nothing was changed.
        public static let conflict = Code(rawValue: "conflict")
        /// The connection was lost during COMMIT: the transaction may be stored or not. It is never repeated by itself.
        public static let commitUnknown = Code(rawValue: "commitUnknown")
        /// A constraint was violated; ``PostgresError/constraint`` has its name.
        public static let constraint = Code(rawValue: "constraint")
        /// A table or a view is missing.
        public static let undefinedTable = Code(rawValue: "undefinedTable")
        /// The database is missing.
        public static let undefinedDatabase = Code(rawValue: "undefinedDatabase")
        /// The server's disk is full. The transaction was rolled back.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The transaction, or the server, only reads.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The server is shutting down or starting, or an administrator ended the connection.
        public static let shutdown = Code(rawValue: "shutdown")
        /// The server cancelled the statement at someone else's request.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The user may not do this.
        public static let permission = Code(rawValue: "permission")
        /// The statement is wrong.
        public static let invalidSQL = Code(rawValue: "invalidSQL")
        /// A value that the column or the operation cannot take.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A column holds NULL or another type than the requested one.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// The row has no column of that name, or two of them.
        public static let missingColumn = Code(rawValue: "missingColumn")
        /// A value or a statement is over a limit of the server.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// An earlier error ended the transaction, or its closure has returned.
        public static let transactionEnded = Code(rawValue: "transactionEnded")
        /// The URL of a database is not understood.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// A newer program has migrated the database further than this one knows.
        public static let newer = Code(rawValue: "newer")
        /// A migration that the database has already differs from the program's.
        public static let migrationChanged = Code(rawValue: "migrationChanged")
        /// A migration's own SQL failed. The database is as it was before that migration.
        public static let migrationFailed = Code(rawValue: "migrationFailed")
        /// The database was closed.
        public static let closed = Code(rawValue: "closed")
        /// libpq cannot be loaded.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// Anything else; ``PostgresError/sqlState`` has the server's code.
        public static let other = Code(rawValue: "other")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, and the remedy.
    public let message: String
    /// The server's code of five characters (PostgreSQL's appendix A), if the server reported the failure.
    public let sqlState: String?
    /// The name of the constraint that was violated; nil for other codes than `constraint`.
    public let constraint: String?

    /// An error.
    public init(code: Code, message: String, sqlState: String? = nil, constraint: String? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.constraint = constraint
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    static let closed = PostgresError(code: .closed, message: "The database was closed; open it again.")
    static let transactionEnded = PostgresError(
        code: .transactionEnded,
        message: "The transaction has ended: let the first error leave the closure, and use the connection inside it.")
}
