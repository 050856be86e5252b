// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials
import ObjectStore

extension ObjectStoreContract {
    /// Promises about writing and removing.
    static let objects: [Check] = [
        Check(description: "an object that was never put is not found and is removed already") { subject in
            let store = subject.store
            let missing = try key("ada/missing")
            try await requireCode(.notFound, "get") { _ = try await store.get(missing) }
            try await requireCode(.notFound, "head") { _ = try await store.head(missing) }
            try await store.delete(missing)
            try await store.put(key("ada/there"), .bytes([1]))
            try await requireCode(.notFound, "get beside another") { _ = try await store.get(missing) }
            try await store.delete(missing)
            try await requireCode(.notFound, "get below an object") { _ = try await store.get(key("ada/there/more")) }
            try await require(store.get(key("ada/there")).bytes() == [1], "removed another one")
        },
        Check(description: "bytes of every number come back") { subject in
            for (index, count) in [0, 1, 65_537, 3 << 20].enumerated() {
                let (name, content) = (try key("sizes/\(count)"), bytes(count, seed: UInt8(index)))
                try await subject.store.put(name, .bytes(content))
                let found = try await subject.store.get(name)
                try require(found.info.size == count && found.range == 0..<count, "\(count): other facts")
                try await require(found.bytes() == content, "\(count): other bytes")
                let info = try await subject.store.head(name)
                try require(info.size == count && info.key == name, "\(count): head has \(info)")
                try require(
                    abs(info.modifiedAt.timeIntervalSince(found.info.modifiedAt)) < 1,
                    "\(count): two times of one write")
            }
        },
        Check(description: "a later object replaces an earlier one") { subject in
            let name = try key("a/b")
            for count in [100, 70_000, 3, 0] {
                try await subject.store.put(name, .bytes(bytes(count, seed: UInt8(count & 0xFF))))
                let content = try await subject.store.get(name).bytes()
                try require(content == bytes(count, seed: UInt8(count & 0xFF)), "the earlier one after \(count) bytes")
            }
            try await require(names(subject.store) == ["a/b"], "more than one object")
        },
        Check(description: "content comes from memory, from chunks and from a part of a file") { subject in
            let (store, content) = (subject.store, bytes(1_500_000))
            let hash = try MessageDigest.hash(content, .sha256)
            let chunks = [Array(content[..<7]), [], Array(content[7..<900_000]), Array(content[900_000...])]
            try await store.put(key("chunks"), ObjectContent(stream(chunks), length: content.count))
            try await store.put(key("hashed"), ObjectContent(stream(chunks), length: content.count, sha256: hash))
            let path = subject.folder + "/content"
            try Data(content).write(to: URL(filePath: path))
            try await store.put(key("file"), .file(path))
            try await store.put(key("hashed-file"), .file(path, sha256: hash))
            try await store.put(key("part"), .file(path, range: 1_000..<1_499_999))
            for name in ["chunks", "hashed", "file", "hashed-file"] {
                try await require(store.get(key(name)).bytes() == content, "\(name) has other bytes")
            }
            try await require(store.get(key("part")).bytes() == Array(content[1_000..<1_499_999]), "another part")
        },
        Check(description: "content of another length or hash is damaged and changes nothing") { subject in
            let (store, name, content) = (subject.store, try key("ada/kept"), bytes(200_000))
            try await store.put(name, .bytes([7]))
            let other = try MessageDigest.hash([1], .sha256)
            let halves = [Array(content[..<100_000]), Array(content[100_000...])]
            let wrong: [(String, ObjectContent)] = [
                ("memory", .bytes(content, sha256: other)), ("nothing", .bytes([], sha256: other)),
                ("chunks", ObjectContent(stream(halves), length: content.count, sha256: other)),
                ("too few", ObjectContent(stream(halves), length: content.count + 1)),
                ("too many", ObjectContent(stream(halves), length: content.count - 1)),
            ]
            for (what, content) in wrong {
                try await requireCode(.damaged, what) { try await store.put(name, content) }
                try await require(store.get(name).bytes() == [7], "\(what) was stored")
            }
            try await requireCode(.damaged, "a new one") {
                try await store.put(key("ada/new"), .bytes(content, sha256: other))
            }
            try await require(names(store) == ["ada/kept"], "a damaged object is there")
        },
        Check(description: "keys of every letter come back") { subject in
            let texts = [
                "a b", "a+b", "a%2Fb", "a%b", "a=b&c=d", "a?b#c", "ünï/日本/🎙", "(a)'b'*!", "a;b:c@d,e$", "\\a\"<b>",
                "~a_b-c.d", "a/b.c..d", String(repeating: "x", count: 255), "e\u{301}", "\u{E9}",
                "a/\u{301}b", (0..<4).map { _ in String(repeating: "y", count: 230) }.joined(separator: "/"),
            ]
            for (index, text) in texts.enumerated() {
                try await subject.store.put(key(text), .bytes([UInt8(index)]))
            }
            for (index, text) in texts.enumerated() {
                try await require(subject.store.get(key(text)).bytes() == [UInt8(index)], "\(text) has other bytes")
                try await require(subject.store.head(key(text)).size == 1, "\(text) has another size")
            }
            let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let listed = try await names(subject.store)
            try require(listed.map { Array($0.utf8) } == sorted.map { Array($0.utf8) }, "the listing has \(listed)")
            for text in texts { try await subject.store.delete(key(text)) }
            try await require(names(subject.store).isEmpty, "objects are left")
        },
        Check(description: "a removed object is gone, and no other") { subject in
            let store = subject.store
            for text in ["a/1", "a/2", "a/b/1", "ab"] { try await store.put(key(text), .bytes([1])) }
            try await store.delete(key("a/1"))
            try await store.delete(key("a/1"))
            try await requireCode(.notFound, "get") { _ = try await store.get(key("a/1")) }
            try await require(names(store) == ["a/2", "a/b/1", "ab"], "others are gone")
            try await store.delete(key("a/b"))
            try await require(names(store) == ["a/2", "a/b/1", "ab"], "a folder of objects is gone")
            try await store.delete(key("a/b/1"))
            try await store.put(key("a/b/1"), .bytes([2]))
            try await require(store.get(key("a/b/1")).bytes() == [2], "it does not come back")
        },
        Check(description: "a check of a good store passes and leaves nothing") { subject in
            try await subject.store.check()
            try await require(names(subject.store).isEmpty, "something is left")
        },
    ]

    /// Promises about reading.
    static let reading: [Check] = [
        Check(description: "a range has its bytes and no others") { subject in
            let (store, name, content) = (subject.store, try key("ranges"), bytes(1_200_000))
            try await store.put(name, .bytes(content))
            for range in [0..<1, 0..<1_200_000, 5..<10, 1_199_999..<1_200_000, 100..<1_100_000, 1_199_990..<5_000_000] {
                let wanted = range.lowerBound..<min(range.upperBound, content.count)
                let object = try await store.get(name, range: range)
                try require(object.range == wanted && object.info.size == content.count, "\(range): other facts")
                try await require(object.bytes() == Array(content[wanted]), "\(range): other bytes")
            }
            for range in [1_200_000..<1_200_001, 5..<5, 9_000_000..<9_000_001, -1..<5] {
                try await requireCode(.outOfRange, "\(range)") { _ = try await store.get(name, range: range) }
            }
            try await store.put(key("empty"), .bytes([]))
            try await requireCode(.outOfRange, "a range of nothing") {
                _ = try await store.get(key("empty"), range: 0..<1)
            }
        },
        Check(description: "a body that is dropped or cancelled harms nobody") { subject in
            let (store, name, content) = (subject.store, try key("large"), bytes(4 << 20))
            try await store.put(name, .bytes(content))
            for _ in 0..<3 { _ = try await store.get(name) }
            for try await chunk in try await store.get(name).chunks {
                try require(content.starts(with: chunk), "other bytes")
                break
            }
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await store.get(name).bytes()
            }
            let outcome = await reading.result
            try require((outcome.failure as? CancellationError) != nil, "a cancelled read: \(outcome)")
            try await require(store.get(name).bytes() == content, "other bytes afterwards")
            try await requireCode(.tooLarge, "a small limit") { _ = try await store.get(name).bytes(upTo: 100) }
        },
        Check(description: "an object goes into a new file") { subject in
            let (store, name, content) = (subject.store, try key("to/file"), bytes(700_000))
            try await store.put(name, .bytes(content))
            let path = subject.folder + "/download"
            try await store.download(name, to: path)
            try require(Array(try Data(contentsOf: URL(filePath: path))) == content, "other bytes")
            try await requireCode(.file, "onto a file") { try await store.download(name, to: path) }
        },
    ]
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
