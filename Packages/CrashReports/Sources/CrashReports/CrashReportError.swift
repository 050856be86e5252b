// SPDX-License-Identifier: MIT

internal import DurableFiles

/// The error of this module.
public struct CrashReportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The handler is installed already.
        public static let alreadyInstalled = Code(rawValue: "already-installed")
        /// The folder cannot be made, read or changed.
        public static let folderUnusable = Code(rawValue: "folder-unusable")
        /// The system refused the handler or its stack.
        public static let systemRefused = Code(rawValue: "system-refused")
        /// No report has this id.
        public static let notFound = Code(rawValue: "not-found")
        /// The file is not a crash report.
        public static let notAReport = Code(rawValue: "not-a-report")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy.
    public let message: String
    /// The cause; nil if there is no deeper one.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        (self.code, self.message, self.underlying) = (code, message, underlying)
    }

    init(folder error: FileError) {
        self.init(.folderUnusable, "\(error) Choose a folder that you may write to.", underlying: error)
    }

    /// The message.
    public var description: String { message }
}
