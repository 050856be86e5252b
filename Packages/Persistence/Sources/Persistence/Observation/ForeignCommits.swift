// SPDX-License-Identifier: MIT

import Concurrency

/// Reports the commits of other processes to a hub, while it has observers.
final class ForeignCommits: Sendable {
    private let path: String?
    private let writer: ConnectionActor
    private let commits: CommitHub
    private let watching = Guarded(Watching())

    private struct Watching {
        var watcher: FileWatcher?
        /// The number of observers that it watches for.
        var users = 0
    }

    /// - Parameter path: The database's file; nil in memory, which no other process can write.
    init(path: String?, writer: ConnectionActor, commits: CommitHub) {
        self.path = path
        self.writer = writer
        self.commits = commits
    }

    /// Counts one observer more.
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

    /// Counts one observer less. Counted under the lock: another may begin just as the last one ends.
    func stop() {
        watching.withLock { watching in
            watching.users -= 1
            if watching.users == 0 { watching.watcher = nil }
        }
    }

    /// Stops watching for all observers, at the end.
    func close() {
        watching.withLock { $0.watcher = nil }
    }

    /// Runs on the writer, whose own commits do not change its data version.
    private static func check(_ writer: ConnectionActor, _ commits: CommitHub) async throws {
        try await writer.run { connection in
            if try connection.noticesForeignCommit() { commits.publish(.everything) }
        }
    }
}
