// SPDX-License-Identifier: MIT

import FoundationEssentials
import ObjectStore

extension ObjectStoreContract {
    private static let least = ObjectUpload.minimumPartByteCount

    /// Promises about objects in parts.
    static let parts: [Check] = [
        Check(description: "parts become an object when they are completed, and not before") { subject in
            let (store, name) = (subject.store, try key("parts/whole"))
            try await store.put(name, .bytes([1]))
            let upload = try await store.beginParts(of: name)
            let (first, last) = (bytes(least, seed: 1), bytes(1_000, seed: 2))
            let tail = try await store.putPart(7, .bytes(last), of: upload)
            _ = try await store.putPart(2, .bytes(bytes(least + 5, seed: 3)), of: upload)
            let head = try await store.putPart(2, .bytes(first), of: upload)
            try await require(store.get(name).bytes() == [1], "visible too early")
            try await require(names(store) == ["parts/whole"], "parts are listed")
            try await store.complete(upload, [head, tail])
            try await require(store.get(name).bytes() == first + last, "other bytes")
            try await require(names(store) == ["parts/whole"], "parts are left")
            let again = try await code { try await store.complete(upload, [head, tail]) }
            try require(again == nil || again == .noSuchUpload, "again: \(String(describing: again))")
            try await require(store.get(name).bytes() == first + last, "other bytes after a second completion")
            try await require(
                store.removeUnfinished(before: Date.distantFuture) == 0, "an upload is left after its completion")
        },
        Check(description: "a single part may have any number of bytes") { subject in
            for count in [0, 10] {
                let name = try key("parts/\(count)")
                let upload = try await subject.store.beginParts(of: name)
                let part = try await subject.store.putPart(1, .bytes(bytes(count)), of: upload)
                try await subject.store.complete(upload, [part])
                try await require(subject.store.get(name).bytes() == bytes(count), "\(count): other bytes")
            }
        },
        Check(description: "parts that are missing, small or out of order are refused") { subject in
            let (store, name) = (subject.store, try key("parts/refused"))
            let upload = try await store.beginParts(of: name)
            let first = try await store.putPart(1, .bytes(bytes(1_000)), of: upload)
            let second = try await store.putPart(2, .bytes(bytes(1_001)), of: upload)
            try await requireCode(.invalidParts, "small") { try await store.complete(upload, [first, second]) }
            try await requireCode(.invalidParts, "none") { try await store.complete(upload, []) }
            try await requireCode(.invalidParts, "order") { try await store.complete(upload, [second, first]) }
            try await requireCode(.invalidParts, "missing") {
                try await store.complete(upload, [ObjectPart(number: 3, tag: first.tag)])
            }
            for number in [0, 10_001, -1] {
                try await requireCode(.invalidParts, "number \(number)") {
                    _ = try await store.putPart(number, .bytes([1]), of: upload)
                }
            }
            try await store.complete(upload, [second])
            try await require(store.get(name).bytes() == bytes(1_001), "the chosen part is not the object")
        },
        Check(description: "an aborted upload is gone with its parts") { subject in
            let (store, name) = (subject.store, try key("parts/aborted"))
            let upload = try await store.beginParts(of: name)
            let part = try await store.putPart(1, .bytes([1]), of: upload)
            try await store.discard(upload)
            try await store.discard(upload)
            try await requireCode(.noSuchUpload, "complete") { try await store.complete(upload, [part]) }
            try await requireCode(.noSuchUpload, "a part") { _ = try await store.putPart(2, .bytes([1]), of: upload) }
            try await requireCode(.notFound, "get") { _ = try await store.get(name) }
            let unknown = ObjectUpload(key: name, id: "0123456789abcdef0123456789abcdef")
            try await requireCode(.noSuchUpload, "unknown") { _ = try await store.putPart(1, .bytes([1]), of: unknown) }
        },
        Check(description: "uploads that were left are removed by their age") { subject in
            let (store, name) = (subject.store, try key("parts/left"))
            let upload = try await store.beginParts(of: name)
            _ = try await store.putPart(1, .bytes([1]), of: upload)
            try await require(
                store.removeUnfinished(before: Date(timeIntervalSince1970: 0)) == 0, "a young one is gone")
            _ = try await store.putPart(2, .bytes([2]), of: upload)
            try await require(
                store.removeUnfinished(prefix: "other/", before: Date.distantFuture) == 0, "another prefix is gone")
            try await require(
                store.removeUnfinished(prefix: "parts/", before: Date.distantFuture) == 1, "an old one stays")
            try await requireCode(.noSuchUpload, "a part") { _ = try await store.putPart(3, .bytes([1]), of: upload) }
        },
        Check(description: "a large file is put in parts") { subject in
            let (store, content) = (subject.store, bytes(2 * least + 12_345))
            let path = subject.folder + "/large"
            try Data(content).write(to: URL(filePath: path))
            for name in ["parts/file", "parts/at-once"] {
                try await store.put(key(name), file: path, partByteCount: name == "parts/file" ? least : 64 << 20)
                try await require(store.get(key(name)).bytes() == content, "\(name): other bytes")
            }
        },
        Check(description: "a file that cannot be put leaves no parts") { subject in
            let store = subject.store
            let path = subject.folder + "/large"
            try Data(bytes(3 * least)).write(to: URL(filePath: path))
            let name = try key("parts/cancelled")
            let work = Task {
                try await store.put(name, file: path, partByteCount: least)
            }
            work.cancel()
            // It may be complete before it notices.
            if case .failure(let error) = await work.result {
                try require(error is CancellationError, "\(error)")
                try await requireCode(.notFound, "get") { _ = try await store.get(name) }
            }
            try await require(store.removeUnfinished(before: Date.distantFuture) == 0, "parts are left")
        },
    ]
}
