// SPDX-License-Identifier: MIT

import CSQLite

/// Keeps the write-ahead log bounded (sqlite.org/wal.html §6).
///
/// SQLite's own rule copies pages after every 1,000, as far as readers allow, and starts the log anew only when no
/// reader uses it. With reads that overlap all the time, the log then grows without end. Here, a log of four times the
/// limit makes the writer wait for the readers, a moment at most: new ones read the file alone by then, so that short
/// reads cannot keep it from starting anew. Behind a long read, it tries again after every `pages` pages.
final class Checkpointer {
    /// The longest delay of a commit for readers; far under a noticeable one.
    static let patience = Duration.milliseconds(50)

    private let pages: Int32
    private let busy: BusyHandler
    private var logged: Int32 = 0
    private var next: Int32

    init(pages: Int, busy: BusyHandler) {
        self.pages = Int32(clamping: max(1, pages))
        self.busy = busy
        next = self.pages
    }

    /// Puts the hook on a connection, which must not outlive this object. It takes the place of SQLite's own rule.
    func install(on handle: OpaquePointer) {
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                if let context { Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().logged = pages }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Copies the log into the file if it is due. A failure does not fail the commit, which is safe in the log; the
    /// next commit tries again.
    func run(on handle: OpaquePointer) {
        if logged < pages { next = pages }
        guard logged >= next else { return }
        busy.limited(to: Self.patience) {
            // First without the write lock: a disk may take seconds to sync, and other processes' writes continue
            // meanwhile.
            copy(SQLITE_CHECKPOINT_PASSIVE, on: handle)
            // The log shrinks to nothing when it starts anew, so that its size shows that it does not grow.
            if logged >= 4 * pages { copy(SQLITE_CHECKPOINT_TRUNCATE, on: handle) }
        }
        next = logged.addingReportingOverflow(pages).partialValue
        logged = 0
    }

    /// Copies the whole log into the file and empties it, or returns SQLite's reason.
    func empty(on handle: OpaquePointer) -> Int32 { copy(SQLITE_CHECKPOINT_TRUNCATE, on: handle) }

    @discardableResult
    private func copy(_ mode: Int32, on handle: OpaquePointer) -> Int32 {
        sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
    }
}
