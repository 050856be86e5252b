// SPDX-License-Identifier: MIT

/// What may be written beyond plain ASCII.
struct TerminalTraits: Sendable, Equatable {
    /// Colours: on a terminal that is not dumb, unless `NO_COLOR` is set (no-color.org).
    let hasColors: Bool
    /// Unicode: when the locale is UTF-8 (POSIX: the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is not empty).
    let hasUnicode: Bool

    /// Reads the environment.
    init(environment: [String: String], isTerminal: Bool) {
        hasColors = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        hasUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }
}
