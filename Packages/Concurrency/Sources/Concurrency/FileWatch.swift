// SPDX-License-Identifier: MIT

import Glibc

/// Changes of files and of the names in folders, as the kernel reports them (inotify(7)).
///
/// A thread waits for ``descriptor`` by ``WakePipe/wait(for:timeout:)``, so that another thread can end the wait, and
/// then reads the events. Changes that another machine makes in a network folder are not reported.
public final class FileWatch: Sendable {
    /// The kinds of changes to watch for.
    public struct Changes: OptionSet, Sendable {
        /// The bits of inotify(7).
        public let rawValue: UInt32

        /// Kinds by the bits of inotify(7).
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// A write to a file.
        public static let written = Changes(rawValue: UInt32(IN_MODIFY))
        /// A file that was open for writing is closed.
        public static let closedAfterWriting = Changes(rawValue: UInt32(IN_CLOSE_WRITE))
        /// A new name in a folder, by open(2), link(2) or mkdir(2).
        public static let created = Changes(rawValue: UInt32(IN_CREATE))
        /// A new name in a folder, by rename(2).
        public static let movedIn = Changes(rawValue: UInt32(IN_MOVED_TO))
        /// A name in a folder is gone.
        public static let removed = Changes(rawValue: UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM))
        /// The watched file or folder itself is gone or has another name.
        public static let removedItself = Changes(rawValue: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
    }

    /// An event.
    public struct Event: Sendable, Equatable {
        /// The name in the watched folder, in the bytes of the file system; empty for the watched file or folder itself.
        public let name: [UInt8]
        /// True if the watched file or folder is gone, or its file system: no more events follow from it.
        public let isLast: Bool
        /// True if the kernel dropped events, so that anything may have changed.
        public let isOverflow: Bool
    }

    /// The descriptor to wait for; -1 if the system has no watch left.
    public let descriptor: Int32
    /// The number of paths that are watched.
    public let count: Int

    /// Begins to watch; no change after this is missed. Paths that do not exist are left out.
    public init(_ paths: [String], for changes: Changes) {
        let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        descriptor = watch
        count = watch < 0 ? 0 : paths.filter { inotify_add_watch(watch, $0, changes.rawValue) >= 0 }.count
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the pending events; returns at once if there are none.
    public func events() -> [Event] {
        guard descriptor >= 0 else { return [] }
        var events: [Event] = []
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                Self.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &events)
            }
        }
        return events
    }

    /// Parses struct inotify_event: watch, mask, cookie and length of 32 bits each, then the name and NULs.
    static func append(_ bytes: UnsafeRawBufferPointer, to events: inout [Event]) {
        let over = UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        var offset = 0
        while offset + 16 <= bytes.count {
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let end = min(offset + 16 + length, bytes.count)
            events.append(
                Event(
                    name: Array(bytes[(offset + 16)..<end].prefix { $0 != 0 }), isLast: mask & over != 0,
                    isOverflow: mask & UInt32(IN_Q_OVERFLOW) != 0))
            offset = end
        }
    }
}
