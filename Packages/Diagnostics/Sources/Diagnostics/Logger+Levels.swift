// SPDX-License-Identifier: MIT

extension Logger {
    /// Writes step-by-step detail, for following one defect.
    public func trace(_ message: @autoclosure () -> LogMessage) { log(.trace, message()) }

    /// Writes detail that helps a developer.
    public func debug(_ message: @autoclosure () -> LogMessage) { log(.debug, message()) }

    /// Writes what a healthy run does.
    public func info(_ message: @autoclosure () -> LogMessage) { log(.info, message()) }

    /// Writes what is unusual, but expected to happen.
    public func notice(_ message: @autoclosure () -> LogMessage) { log(.notice, message()) }

    /// Writes what went wrong and was mended.
    public func warning(_ message: @autoclosure () -> LogMessage) { log(.warning, message()) }

    /// Writes that an operation failed.
    public func error(_ message: @autoclosure () -> LogMessage) { log(.error, message()) }

    /// Writes that the program cannot go on.
    public func critical(_ message: @autoclosure () -> LogMessage) { log(.critical, message()) }
}
