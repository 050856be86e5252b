// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A store that ends with the process. What was used longest ago goes first when it is full.
public final class InMemoryCacheStore: HTTPCacheStore {
    private struct Entry {
        var variants: [CachedResponse]
        var size: Int
        var used: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var counter = 0
    }

    private let maximumBytes: Int
    private let state = Guarded(State())

    /// A store of so many bytes at most.
    public init(maximumBytes: Int = 16 << 20) {
        self.maximumBytes = maximumBytes
    }

    /// How many bytes it holds.
    public var size: Int { state.withLock { $0.size } }

    /// The variants that are stored for a key, the newest first.
    public func variants(for key: String) async -> [CachedResponse] {
        state.withLock { state in
            state.counter += 1
            state.entries[key]?.used = state.counter
            return state.entries[key]?.variants ?? []
        }
    }

    /// Stores these variants, and forgets others to make room.
    public func store(_ variants: [CachedResponse], for key: String) async {
        state.withLock { state in
            state.size -= state.entries.removeValue(forKey: key)?.size ?? 0
            let size = variants.reduce(key.utf8.count) { $0 + $1.size }
            guard size <= maximumBytes, !variants.isEmpty else { return }
            state.counter += 1
            state.entries[key] = Entry(variants: variants, size: size, used: state.counter)
            state.size += size
            while state.size > maximumBytes, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
                state.size -= oldest.value.size
            }
        }
    }

    /// Forgets a key.
    public func remove(_ key: String) async {
        state.withLock { state in state.size -= state.entries.removeValue(forKey: key)?.size ?? 0 }
    }

    /// Forgets everything.
    public func removeAll() async {
        state.withLock { $0 = State() }
    }
}
