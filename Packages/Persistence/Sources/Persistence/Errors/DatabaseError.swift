// SPDX-License-Identifier: MIT

/// The error of this module. `CancellationError` and the errors of a caller's own closure pass besides it.
public struct DatabaseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// The file is not a database or its content is broken. Nothing was deleted.
        public static let damaged = Code(rawValue: "damaged")
        /// The disk, the quota or the database's own limit is used up. The transaction was rolled back.
        public static let diskFull = Code(rawValue: "diskFull")
        /// Another program held the lock for longer than the busy timeout.
        public static let busy = Code(rawValue: "busy")
        /// The file, or the connection, may not be written.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The system denies access to the file or its folder.
        public static let permission = Code(rawValue: "permission")
        /// The file or its folder belongs to another user, or others can write it, so it is not trusted.
        public static let insecureFile = Code(rawValue: "insecureFile")
        /// The file or a folder on its path is missing, or the path is not a file.
        public static let notFound = Code(rawValue: "notFound")
        /// A file exists where a new one was to be made; it was not touched.
        public static let alreadyExists = Code(rawValue: "alreadyExists")
        /// The path cannot name a file: it is empty or has a NUL in it.
        public static let invalidPath = Code(rawValue: "invalidPath")
        /// Reading or writing failed in the device or the file system.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// A newer program has migrated the file further than this one knows.
        public static let newer = Code(rawValue: "newer")
        /// A migration that the file has already differs from the program's.
        public static let migrationChanged = Code(rawValue: "migrationChanged")
        /// A migration's own SQL failed. The file is as it was before that migration.
        public static let migrationFailed = Code(rawValue: "migrationFailed")
        /// A UNIQUE, NOT NULL, CHECK, FOREIGN KEY or type constraint was violated; ``DatabaseError/constraint``
        /// identifies it.
        public static let constraint = Code(rawValue: "constraint")
        /// A column holds NULL or another type than the requested one.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// The row has no column of that name, or two of them.
        public static let missingColumn = Code(rawValue: "missingColumn")
        /// A value that cannot be stored, such as a NaN.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The statement is wrong, or only the database itself may run it.
        public static let invalidSQL = Code(rawValue: "invalidSQL")
        /// A value or a statement is over SQLite's limits.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The system has no memory for the data that is read or written. A damaged file can claim values of any size
        /// up to 1 GB.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// An earlier error ended the transaction, and the closure continued.
        public static let transactionEnded = Code(rawValue: "transactionEnded")
        /// The task would wait for the end of a transaction that it has open itself.
        public static let transactionOpen = Code(rawValue: "transactionOpen")
        /// The file is sealed, and no key was given.
        public static let sealed = Code(rawValue: "sealed")
        /// A key was given, and the file is not sealed.
        public static let notSealed = Code(rawValue: "notSealed")
        /// The file was sealed with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The database was closed.
        public static let closed = Code(rawValue: "closed")
        /// Anything else; `underlying` has SQLite's code.
        public static let other = Code(rawValue: "other")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, and the remedy.
    public let message: String
    /// SQLite's extended result code (sqlite.org/rescode.html), if SQLite reported the failure.
    public let underlying: Int32?
    /// The constraint that was violated; nil for other codes than `constraint`.
    public let constraint: Constraint?

    /// An error.
    public init(code: Code, message: String, underlying: Int32? = nil) {
        self.init(code: code, message: message, underlying: underlying, constraint: nil)
    }

    init(code: Code, message: String, underlying: Int32?, constraint: Constraint?) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.constraint = constraint
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    static let closed = DatabaseError(code: .closed, message: "The database was closed; open it again.")

    static func alreadyExists(_ path: String) -> DatabaseError {
        DatabaseError(code: .alreadyExists, message: "\(path) exists already. Choose another name, or move it away.")
    }
}
