// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Digests
import Domain
import SyncWire

/// A change that tasks of other instances may wait for.
enum SharedChange: Sendable, Hashable {
    /// The evaluation of a recording has another state, or the recording was deleted.
    case evaluation(Identifier<Recording>)
    /// A group of the relay has a new object.
    case objects(SyncGroup)
    /// An evaluation waits for a worker.
    case job

    /// The change as a line of a hint.
    var line: String {
        switch self {
        case .evaluation(let id): "e\(id)"
        case .objects(let group): "o\(Hexadecimal.text(group.id))\(group.account)"
        case .job: "j"
        }
    }

    /// Nil for a line of another version of the server.
    init?(line: some StringProtocol) {
        let rest = line.dropFirst()
        switch line.first {
        case "e":
            guard let id = Identifier<Recording>(String(rest)) else { return nil }
            self = .evaluation(id)
        case "o":
            let digits = 2 * SyncLimit.groupByteCount
            guard let id = SyncGroup.id(String(rest.prefix(digits))) else { return nil }
            self = .objects(SyncGroup(account: String(rest.dropFirst(digits)), id: id))
        case "j" where rest.isEmpty: self = .job
        default: return nil
        }
    }
}

/// A shared database that carries hints between its instances. Any of them may be lost.
protocol HintedDatabase: ServerDatabase {
    /// False where a hint reaches nobody: instances then look at the rows alone.
    var carriesHints: Bool { get }

    /// Sends a text of at most ``ChangeHints/limit`` bytes to every instance.
    func hint(_ text: String) async throws

    /// Calls `body` with each hint; with nil where some may have been lost. Returns when the task is cancelled or the
    /// database is closed.
    func forEachHint(_ body: @Sendable (String?) -> Void) async throws
}

/// Tells the other instances of changes, at most ten times a second: a hint takes a lock of the whole database.
final class ChangeHints: Sendable {
    /// The most bytes of a hint: PostgreSQL takes 7,999.
    static let limit = 7_900
    /// The hint after too many changes: look at everything.
    static let everything = "*"
    private static let pause: Duration = .milliseconds(100)
    /// More changes at once are sent as ``everything``.
    private static let maximumChanges = 200

    private let database: any HintedDatabase
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let waiting = Guarded<Set<SharedChange>>([])
    private let bell: AsyncStream<Void>
    private let button: AsyncStream<Void>.Continuation

    init(_ database: any HintedDatabase, clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        (self.database, self.clock, self.logger) = (database, clock, logger)
        (bell, button) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sends a change soon. The change must be committed.
    func add(_ change: SharedChange) {
        waiting.withLock { if $0.count <= Self.maximumChanges { _ = $0.insert(change) } }
        button.yield()
    }

    /// Sends hints until the task is cancelled. One that cannot be sent is lost; the others' looks make up for it.
    func run() async {
        for await _ in bell {
            let changes = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            guard !changes.isEmpty else { continue }
            do {
                try await database.hint(Self.text(changes))
            } catch {
                logger.debug("a hint was not sent: \(String(describing: error), privacy: .public)")
            }
            guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
        }
    }

    static func text(_ changes: Set<SharedChange>) -> String {
        guard changes.count <= maximumChanges else { return everything }
        let text = changes.map(\.line).sorted().joined(separator: "\n")
        return text.utf8.count <= limit ? text : everything
    }
}
