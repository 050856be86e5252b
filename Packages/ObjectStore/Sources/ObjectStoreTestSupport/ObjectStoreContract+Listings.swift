// SPDX-License-Identifier: MIT

import FoundationEssentials
import ObjectStore

extension ObjectStoreContract {
    /// Promises about listings.
    static let listings: [Check] = [
        Check(description: "an empty store lists nothing") { subject in
            let page = try await subject.store.list(prefix: "", after: nil, limit: 10)
            try require(page.objects.isEmpty && page.next == nil, "\(page)")
            try await require(names(subject.store, prefix: "x/").isEmpty, "something below x/")
        },
        Check(description: "a listing is in the order of bytes, page by page") { subject in
            let store = subject.store
            let texts =
                (["a-b", "a/b", "a/b-c", "a/bc/d", "a0", "ab/x", "b/a/a", "B", "é/1"] + (0..<20).map { "n/\($0)" })
            for text in texts.reversed() { try await store.put(key(text), .bytes(Array(text.utf8))) }
            let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for size in [1, 2, 3, 7, 28, 29, 30, 5_000, 0] {
                try await require(names(store, pageSize: size) == sorted, "another order by pages of \(size)")
            }
            let page = try await store.list(prefix: "", after: nil, limit: 4)
            try require(page.objects.count == 4 && page.next != nil, "the first page has \(page.objects.count)")
            for try await object in store.objects(prefix: "") {
                try require(object.size == object.key.text.utf8.count, "\(object.key) has another size")
                let head = try await store.head(object.key)
                try require(abs(head.modifiedAt.timeIntervalSince(object.modifiedAt)) < 1, "\(object.key): two times")
            }
        },
        Check(description: "a prefix may end anywhere") { subject in
            let store = subject.store
            let texts = ["a/1", "a/12", "a/2", "ab", "b/a/1", "b+ c/1"]
            for text in texts { try await store.put(key(text), .bytes([1])) }
            for prefix in ["", "a", "a/", "a/1", "a/12", "a/123", "b", "b/a/", "b+ ", "c", "/", "a//"] {
                let wanted = texts.filter { $0.hasPrefix(prefix) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                for size in [2, 100] {
                    let found = try await names(store, prefix: prefix, pageSize: size)
                    try require(found == wanted, "\(prefix): \(found)")
                }
            }
        },
        Check(description: "a listing goes on when objects are removed meanwhile") { subject in
            let store = subject.store
            for number in 10..<30 { try await store.put(key("n/\(number)"), .bytes([1])) }
            var seen: [String] = []
            for try await object in store.objects(prefix: "n/", pageSize: 4) {
                seen.append(object.key.text)
                try await store.delete(object.key)
            }
            try require(seen == (10..<30).map { "n/\($0)" }, "saw \(seen)")
            try await require(names(store).isEmpty, "objects are left")
        },
    ]

    /// Promises about several users at once.
    static let together: [Check] = [
        Check(description: "of objects that are put at once one stays, as a whole") { subject in
            let (store, name) = (subject.store, try key("one/key"))
            try await store.put(name, .bytes(bytes(300_000, seed: 0)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1..<9 {
                    group.addTask { try await store.put(name, .bytes(bytes(300_000 + seed, seed: UInt8(seed)))) }
                    group.addTask {
                        let found = try await store.get(name).bytes()
                        let seed = UInt8(truncatingIfNeeded: found.count - 300_000)
                        try require(found == bytes(found.count, seed: seed), "a mixture of objects")
                    }
                }
                try await group.waitForAll()
            }
            try await require(names(store) == ["one/key"], "more than one object")
        },
        Check(description: "putting and removing in one folder do not disturb each other") { subject in
            let store = subject.store
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for round in 0..<10 {
                            let name = try key("shared/folder/\(task)")
                            try await store.put(name, .bytes([UInt8(round)]))
                            try await require(store.get(name).bytes() == [UInt8(round)], "round \(round) of \(task)")
                            try await store.delete(name)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await require(names(store).isEmpty, "objects are left")
        },
        Check(description: "a cancelled task changes nothing") { subject in
            let (store, name) = (subject.store, try key("cancelled"))
            let work = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.put(name, .bytes(bytes(100_000)))
            }
            do {
                try await work.value
                throw Broken(description: "it was put")
            } catch is CancellationError {}
            try await require(names(store).isEmpty, "it was put, and complained")
        },
    ]
}
