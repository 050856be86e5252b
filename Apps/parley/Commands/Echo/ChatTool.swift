// SPDX-License-Identifier: MIT

/// A tool as `/tools` shows it.
struct ChatTool: Sendable, Equatable {
    let name: String
    let server: String
    let description: String
    /// "approved", "asks first", "changed".
    let standing: String
}
