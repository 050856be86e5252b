// SPDX-License-Identifier: MIT

import Concurrency

/// Tells a hub of the commits of other processes, while anyone observes.
final class ForeignCommits: Sendable {
    private let path: String?
    private let writer: ConnectionActor
    private let commits: CommitHub
    private let watching = Guarded(Watching())

    private struct Watching {
        var watcher: FileWatcher?
        /// How many observers it watches for.
        var users = 0
    }

    /// - Parameter path: The database's file; nil in memory, which no one else can write.
    init(path: String?, writer: ConnectionActor, commits: CommitHub) {
        self.path = path
        self.writer = writer
        self.commits = commits
    }

    /// For one more observer.
    func start() throws {
        guard let path else { return }
        let (writer, commits) = (writer, commits)
        try watching.withLock { watching in
            if watching.watcher == nil {
                watching.watcher = try FileWatcher([path, path + "-wal"]) {
                    Task { try? await Self.check(writer, commits) }
                }
            }
            watching.users += 1
        }
    }

    /// For one observer less. Counted under the lock: another may begin just as the last one ends.
    func stop() {
        watching.withLock { watching in
            watching.users -= 1
            if watching.users == 0 { watching.watcher = nil }
        }
    }

    /// For all observers, at the end.
    func close() {
        watching.withLock { $0.watcher = nil }
    }

    /// On the writer, whose own commits do not change its data version.
    private static func check(_ writer: ConnectionActor, _ commits: CommitHub) async throws {
        try await writer.run { connection in
            if try connection.noticesForeignCommit() { commits.publish(.everything) }
        }
    }
}
