// SPDX-License-Identifier: MIT

/// Where the program keeps its state: `PARLEY_HOME` if it is set, else by the XDG Base Directory Specification 0.8.
struct AppPaths: Sendable, Equatable {
    /// Conversations.
    let data: String

    /// Reads the environment; relative paths in XDG variables are ignored, as the specification asks.
    init(environment: [String: String]) {
        if let home = environment["PARLEY_HOME"], !home.isEmpty {
            data = home + "/data"
            return
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp/parley-nobody"
        let base = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share"
        data = base + "/parley"
    }

    /// The database of conversations.
    var conversations: String { data + "/conversations.sqlite" }
}
