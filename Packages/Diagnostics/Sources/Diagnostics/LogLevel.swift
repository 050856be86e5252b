// SPDX-License-Identifier: MIT

/// The severity of a log record, from the most detailed to the most severe.
///
/// The order and names are syslog's (RFC 5424 §6.2.1) with `trace` below `debug`.
public enum LogLevel: Int, Sendable, CaseIterable, Comparable, CustomStringConvertible {
    /// Step-by-step detail, for following one defect.
    case trace
    /// Detail that helps a developer.
    case debug
    /// The steps of a healthy run.
    case info
    /// Unusual, but expected to happen.
    case notice
    /// A failure that the program has repaired.
    case warning
    /// An operation failed.
    case error
    /// The program cannot continue.
    case critical

    /// True if the left level is less severe than the right one.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// The level of a name in lower case; nil for any other text.
    public init?(_ name: String) {
        guard let level = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = level
    }

    /// The level's name in lower case.
    public var description: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        case .critical: "critical"
        }
    }
}
