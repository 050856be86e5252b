// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// That somebody's data was deleted, and how much of it.
public struct DeletionReceipt: Hashable, Sendable {
    /// Where data was deleted.
    public enum Place: String, Sendable {
        /// On this device.
        case device
        /// At the server.
        case server
    }

    /// The receipt's own name, for asking back.
    public let id: String
    /// Where.
    public let place: Place
    /// When it was done.
    public let deletedAt: Date
    /// How many of what: "recordings", "results" and so on.
    public let counts: [String: Int]

    /// A receipt.
    public init(id: String, place: Place, deletedAt: Date, counts: [String: Int]) {
        self.id = id
        self.place = place
        self.deletedAt = deletedAt
        self.counts = counts
    }
}
