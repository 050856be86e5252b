// SPDX-License-Identifier: MIT

/// What is wrong with a scenario's file, and where in it.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place, such as `turns[2].faults[0].cut`; empty for the whole.
    public let path: String
    /// What is wrong, and what would be right.
    public let message: String

    /// An error.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// For a person.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
