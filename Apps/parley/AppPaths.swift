// SPDX-License-Identifier: MIT

/// Where the program keeps its state: `PARLEY_HOME` if it is set, else by the XDG Base Directory Specification 0.8.
struct AppPaths: Sendable, Equatable {
    /// Conversations.
    let data: String
    /// Logs and what may be lost.
    let state: String

    /// Reads the environment; relative paths in XDG variables are ignored, as the specification asks.
    init(environment: [String: String]) {
        if let home = environment["PARLEY_HOME"], !home.isEmpty {
            data = home + "/data"
            state = home + "/state"
            return
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp/parley-nobody"
        func directory(_ variable: String, _ fallback: String) -> String {
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + fallback
            return base + "/parley"
        }
        data = directory("XDG_DATA_HOME", "/.local/share")
        state = directory("XDG_STATE_HOME", "/.local/state")
    }

    /// The database of conversations.
    var conversations: String { data + "/conversations.sqlite" }
}
