// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Something that waits to be sent to the server.
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

    /// What is to be done at the server.
    public struct Work: Hashable, Sendable {
        /// What happens to the thing.
        public enum Action: Hashable, Sendable, CaseIterable {
            /// The server gets it.
            case send
            /// The server deletes it.
            case delete
        }

        /// What happens to the thing.
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

    /// Where an item stands.
    public enum Stage: Hashable, Sendable {
        /// It waits for its turn, or for the next attempt.
        case waiting
        /// It is being sent.
        case sending
        /// It was given up, for this reason; a person may try again or give it up for good.
        case stuck(String)
    }

    /// The item's number.
    public let id: Int64
    /// What is to be done.
    public let work: Work
    /// Where it stands.
    public let stage: Stage
    /// How often it was tried.
    public let attempts: Int
    /// Since when it waits.
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

/// What waits to be sent to the server. It survives a crash, keeps the order of what belongs to one recording, and sends
/// nothing twice. Every implementation passes `SyncQueueContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently, also from several processes.
public protocol SyncQueue: Sendable {
    /// What is not done yet, the oldest first.
    func items() async throws -> [SyncItem]

    /// Lets a stuck item be tried again.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` when it is not stuck, or not there.
    func retry(_ id: Int64) async throws

    /// Gives a stuck item up for good; what it was about stays on this device.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` when it is not stuck, or not there.
    func discard(_ id: Int64) async throws
}

/// Sends what waits. Every implementation passes `SyncWorkerContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` or `CancellationError`. Several may work at once; each thing is sent by one of them.
public protocol SyncWorker: Sendable {
    /// Sends what waits and what comes, until the task is cancelled.
    ///
    /// - Parameter report: Is told of each step, in its order.
    func run(report: @escaping @Sendable (SyncReport) async -> Void) async throws

    /// Sends what is due now, and returns when nothing is left, or when the rest has to wait; how much waits.
    func drain(report: @escaping @Sendable (SyncReport) async -> Void) async throws -> Int
}

/// What a worker did.
public enum SyncReport: Hashable, Sendable {
    /// So many bytes of a recording are at the server, of so many.
    case uploading(Identifier<Recording>, Int, of: Int)
    /// An item was done.
    case done(SyncItem.Work)
    /// An attempt failed; it will be tried again.
    case postponed(SyncItem.Work, DomainError)
    /// An item was given up.
    case stuck(SyncItem.Work, String)
}
