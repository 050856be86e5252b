// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The proof that a person's data was deleted, with the amount.
public struct DeletionReceipt: Hashable, Sendable {
    /// The place of a deletion.
    public enum Place: String, Sendable {
        /// On this device.
        case device
        /// At the server.
        case server
    }

    /// The receipt's id, for inquiries.
    public let id: String
    /// The place of the deletion.
    public let place: Place
    /// The time of the deletion.
    public let deletedAt: Date
    /// The number of deleted items by kind: "recordings", "results" and so on.
    public let counts: [String: Int]

    /// A receipt.
    public init(id: String, place: Place, deletedAt: Date, counts: [String: Int]) {
        self.id = id
        self.place = place
        self.deletedAt = deletedAt
        self.counts = counts
    }
}
