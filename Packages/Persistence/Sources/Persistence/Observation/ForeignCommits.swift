// SPDX-License-Identifier: MIT

/// Tells a hub of the commits of other processes, while anyone observes.
final class ForeignCommits: Sendable {
    private let path: String?
    private let writer: ConnectionActor
    private let commits: CommitHub
    private let watcher = Monitor<FileWatcher?>(nil)

    /// - Parameter path: The database's file; nil in memory, which no one else can write.
    init(path: String?, writer: ConnectionActor, commits: CommitHub) {
        self.path = path
        self.writer = writer
        self.commits = commits
    }

    func start() throws {
        guard let path else { return }
        let (writer, commits) = (writer, commits)
        try watcher.withLock { watcher in
            guard watcher == nil else { return }
            watcher = try FileWatcher([path, path + "-wal"]) { Task { try? await Self.check(writer, commits) } }
        }
    }

    func stop() {
        watcher.withLock { $0 = nil }
    }

    /// On the writer, whose own commits do not change its data version.
    private static func check(_ writer: ConnectionActor, _ commits: CommitHub) async throws {
        try await writer.run { connection in
            if try connection.noticesForeignCommit() { commits.publish(.everything) }
        }
    }
}
