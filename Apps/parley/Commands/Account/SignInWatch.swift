// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc

/// Reports that another program may have signed in or out: inotify(7) on the folders of the stored session, on a thread
/// of its own, and once a minute in any case, since a keyring changes no file.
struct SignInWatch: Sendable {
    private static let idleDelay: Int32 = 60_000

    /// An element means that something may have changed; changes that are not read yet are merged into one element.
    let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let end = WakePipe()

    /// Begins to watch; no change after this is missed.
    init(_ paths: AppPaths) {
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
        // Only these: the databases beside them change with each result.
        let files = [paths.account, paths.secrets, paths.sessionLock]
        for folder in Set(files.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }) {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            inotify_add_watch(watch, folder, events)
        }
        let names = Set(files.map { Array($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...].utf8) })
        let isRunning = DetachedThread.start { [end, continuation] in
            while Self.wait(for: watch, orUntil: end, names) { continuation.yield() }
            continuation.finish()
            if watch >= 0 { Glibc.close(watch) }
        }
        if !isRunning { continuation.finish() }
    }

    /// Ends the thread and the stream.
    func close() { end.wake() }

    /// Returns true after an event of one of these names or a minute, false at the end.
    private static func wait(for watch: Int32, orUntil end: WakePipe, _ names: Set<[UInt8]>) -> Bool {
        while true {
            switch end.wait(for: watch, timeout: idleDelay) {
            case .woken: return false
            case .timedOut: return true
            case .ready: if hasEvent(watch, names) { return true }
            }
        }
    }

    /// Reads all pending events (struct inotify_event: watch, mask, cookie and length of 32 bits each, then the name
    /// and NULs).
    private static func hasEvent(_ watch: Int32, _ names: Set<[UInt8]>) -> Bool {
        var (buffer, found) = ([UInt8](repeating: 0, count: 4_096), false)
        while case let count = read(watch, &buffer, buffer.count), count > 0 {
            var offset = 0
            while offset + 16 <= count {
                let length = (0..<4).reduce(0) { $0 | Int(buffer[offset + 12 + $1]) << (8 * $1) }
                let name = buffer[(offset + 16)..<min(offset + 16 + length, count)].prefix { $0 != 0 }
                if names.contains(Array(name)) { found = true }
                offset += 16 + length
            }
        }
        return found
    }
}
