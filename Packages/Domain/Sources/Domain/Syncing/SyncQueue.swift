// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// An item that waits to be sent to the server.
public struct SyncItem: Identifiable, Hashable, Sendable {
    /// A kind of thing that is synced, by the word that a person reads.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word, in the singular.
        public let rawValue: String

        /// A kind. Its word is stored, so it never changes.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A recording, with its sound.
        public static let recording = Kind(rawValue: "recording")
        /// A result.
        public static let result = Kind(rawValue: "result")
    }

    /// The operation to do at the server.
    public struct Work: Hashable, Sendable {
        /// The kind of an operation.
        public enum Action: Hashable, Sendable, CaseIterable {
            /// The server gets it.
            case send
            /// The server deletes it.
            case delete
        }

        /// The kind of the operation.
        public let action: Action
        /// The thing's kind.
        public let kind: Kind
        /// The thing's id, whatever its type.
        public let id: Identifier<Work>

        /// Work on a thing of a kind.
        public init<Entity>(_ action: Action, _ kind: Kind, _ id: Identifier<Entity>) {
            self.action = action
            self.kind = kind
            self.id = Identifier<Work>(id.uuid)
        }

        /// The server gets a thing.
        public static func send<Entity>(_ kind: Kind, _ id: Identifier<Entity>) -> Work { Work(.send, kind, id) }

        /// The server deletes a thing.
        public static func delete<Entity>(_ kind: Kind, _ id: Identifier<Entity>) -> Work { Work(.delete, kind, id) }
    }

    /// The stage of an item.
    public enum Stage: Hashable, Sendable {
        /// It waits in the queue, or for the next attempt.
        case waiting
        /// It is being sent.
        case sending
        /// It was given up, for this reason; a person may try again or give it up for good.
        case poisoned(String)
    }

    /// The item's number.
    public let id: Int64
    /// The operation to do.
    public let work: Work
    /// The stage of the item.
    public let stage: Stage
    /// The number of attempts so far.
    public let attempts: Int
    /// The time at which it was queued.
    public let createdAt: Date

    /// An item.
    public init(id: Int64, work: Work, stage: Stage, attempts: Int, createdAt: Date) {
        self.id = id
        self.work = work
        self.stage = stage
        self.attempts = attempts
        self.createdAt = createdAt
    }
}

/// The queue of items for the server. It survives a crash, keeps the order of items of one recording, and sends no item
/// twice. Every implementation passes `SyncQueueContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently, also from several
/// processes.
public protocol SyncQueue: Sendable {
    /// The items that are not done yet, the oldest first.
    func items() async throws -> [SyncItem]

    /// Lets a poisoned item be tried again.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` if it is missing or not poisoned.
    func retry(_ id: Int64) async throws

    /// Gives a poisoned item up for good; its recording or result stays on this device.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` if it is missing or not poisoned.
    func discard(_ id: Int64) async throws
}

/// Sends the queue. Every implementation passes `SyncWorkerContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` or `CancellationError`. Several may work at once; each item is sent by one of them.
public protocol SyncWorker: Sendable {
    /// Sends waiting and new items until the task is cancelled.
    ///
    /// - Parameter report: Called with each step, in order.
    func run(report: @escaping @Sendable (SyncReport) async -> Void) async throws

    /// Sends what is due now, and returns when the queue is empty, or when the rest has to wait.
    ///
    /// - Returns: The number of items that wait.
    func drain(report: @escaping @Sendable (SyncReport) async -> Void) async throws -> Int
}

/// A step of a worker.
public enum SyncReport: Hashable, Sendable {
    /// The number of a recording's bytes that the server has, and the total.
    case uploading(Identifier<Recording>, Int, of: Int)
    /// An item was done.
    case done(SyncItem.Work)
    /// An attempt failed; it will be tried again.
    case postponed(SyncItem.Work, DomainError)
    /// An item was given up.
    case poisoned(SyncItem.Work, String)
}
