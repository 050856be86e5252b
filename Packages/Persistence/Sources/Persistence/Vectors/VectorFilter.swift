// SPDX-License-Identifier: MIT

/// Which vectors a search may find.
public enum VectorFilter: Sendable {
    /// All of them.
    case all
    /// Those with these numbers. Only they are looked at, so a small set makes a quick search.
    case ids(Set<Int64>)
    /// Those whose number is the index of a bit that is set: bit `id % 64` of word `id / 64`.
    case bitmap([UInt64])
    /// Those whose number fits. Called for no more vectors than would be among the nearest, on any thread.
    case matching(@Sendable (Int64) -> Bool)

    func accepts(_ id: Int64) -> Bool {
        switch self {
        case .all: true
        case .ids(let ids): ids.contains(id)
        case .bitmap(let words):
            id >= 0 && id / 64 < words.count && words[Int(id / 64)] >> UInt64(id % 64) & 1 == 1
        case .matching(let predicate): predicate(id)
        }
    }
}
