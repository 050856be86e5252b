// SPDX-License-Identifier: MIT

import Concurrency
import Glibc
import SyncWire

/// The events of a folder, on a thread of their own.
enum FolderChanges {
    static func stream(folder: String, objectFolder: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let end = WakePipe()
            continuation.onTermination = { _ in end.wake() }
            // The kernel is asked on the thread, too: a network folder whose server is gone would hold up the caller.
            let isRunning =
                end.isOpen
                && DetachedThread.start(name: "sync-folder") {
                    watch(folder, objectFolder, until: end) { continuation.yield() }
                    continuation.finish()
                }
            if !isRunning { continuation.finish() }
        }
    }

    private static func watch(_ folder: String, _ objectFolder: String, until end: WakePipe, _ report: () -> Void) {
        while true {
            let objects = FileWatch(
                [objectFolder], for: [.created, .movedIn, .closedAfterWriting, .removed, .removedItself])
            if objects.count == 1 {
                // What changed before that is in the listing that follows.
                report()
                return watch(objects, until: end, report)
            }
            let parent = FileWatch([folder], for: [.created, .movedIn, .removedItself])
            // The first device may have made the folder in between.
            if access(objectFolder, F_OK) == 0 { continue }
            guard parent.count == 1, end.wait(for: parent.descriptor) == .ready else { return }
            if parent.events().contains(where: \.isLast) { return }
        }
    }

    private static func watch(_ objects: FileWatch, until end: WakePipe, _ report: () -> Void) {
        while end.wait(for: objects.descriptor) == .ready {
            let events = objects.events()
            let isLast = events.contains(where: \.isLast)
            // Not the files that are being written beside: each object would be reported several times.
            if isLast || events.contains(where: { $0.isOverflow || isObject($0.name) }) { report() }
            if isLast { return }
        }
    }

    private static func isObject(_ name: [UInt8]) -> Bool {
        SyncObjectName(String(decoding: name, as: UTF8.self)) != nil
    }
}
