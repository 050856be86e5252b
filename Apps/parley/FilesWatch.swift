// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials

/// Reports that another program may have changed one of a few files: inotify(7) on their folders, on a thread of its own,
/// and once a minute in any case, since a keyring changes no file.
struct FilesWatch: Sendable {
    private static let idleDelay: Int32 = 60_000

    /// An element means that something may have changed; changes that are not read yet are merged into one element.
    let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let end = WakePipe()

    /// Begins to watch; no change after this is missed. The folders are made if they are missing.
    init(_ files: [String]) {
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let folders = Set(files.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) })
        for folder in folders {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let watch = FileWatch(Array(folders), for: [.closedAfterWriting, .movedIn, .removed])
        let names = Set(files.map { Array($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...].utf8) })
        let isRunning = DetachedThread.start { [end, continuation] in
            while Self.wait(for: watch, orUntil: end, names) { continuation.yield() }
            continuation.finish()
        }
        if !isRunning { continuation.finish() }
    }

    /// Ends the thread and the stream.
    func close() { end.wake() }

    /// Returns true after an event of one of these names or a minute, false at the end.
    private static func wait(for watch: FileWatch, orUntil end: WakePipe, _ names: Set<[UInt8]>) -> Bool {
        while true {
            switch end.wait(for: watch.descriptor, timeout: idleDelay) {
            case .woken: return false
            case .timedOut: return true
            case .ready: if watch.events().contains(where: { names.contains($0.name) || $0.isOverflow }) { return true }
            }
        }
    }
}

extension AppPaths {
    /// The files that a sign-in or a sign-out changes; not the databases beside them, which change with each result.
    var signInFiles: [String] { [account, secrets, sessionLock] }
}
