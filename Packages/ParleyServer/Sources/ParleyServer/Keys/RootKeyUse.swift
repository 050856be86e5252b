// SPDX-License-Identifier: MIT

import AuthServer

/// The root keys by the time of their use. Instances share it, so that all of them change to a new key at one moment. It
/// has ids alone and is no secret.
struct RootKeyUse: Codable, Sendable, Equatable {
    /// The begin of a key's use. The next entry's begin is its end.
    struct Entry: Codable, Sendable, Equatable {
        let key: String
        let from: AuthTime
    }

    /// The most entries that are stored.
    private static let limit = 16
    /// The time in which every instance has read a change.
    static let readingTime: Duration = .seconds(60)

    /// The oldest first.
    private(set) var entries: [Entry]

    /// Keys of an unknown time of use, the oldest first.
    init(of keys: [String]) { entries = keys.map { Entry(key: $0, from: AuthTime(milliseconds: 0)) } }

    /// The keys whose use has begun, the newest first.
    func begun(at now: AuthTime) -> [String] { entries.reversed().filter { $0.from <= now }.map(\.key) }

    /// The key in use; nil only for a damaged record.
    func current(at now: AuthTime) -> String? { begun(at: now).first ?? entries.first?.key }

    /// The announced key.
    func next(at now: AuthTime) -> Entry? { entries.last.flatMap { $0.from > now ? $0 : nil } }

    /// The entry of a key.
    func entry(of key: String) -> Entry? { entries.first { $0.key == key } }

    /// The end of a key's use; nil for a key that is in use or was not used.
    func end(of key: String) -> AuthTime? {
        entries.firstIndex { $0.key == key }.flatMap { $0 + 1 < entries.count ? entries[$0 + 1].from : nil }
    }

    /// The use with a new key from a time on. A key is used once: the place of an earlier one in a file changes nothing,
    /// so that instances with different files do not undo each other's change.
    func announcing(_ key: String, from time: AuthTime, at now: AuthTime) -> RootKeyUse {
        guard entry(of: key) == nil else { return self }
        var use = self
        // An announced key is replaced, unless instances may begin with it before they have read of its end.
        if let next = use.next(at: now), next.from - now > Self.readingTime { use.entries.removeLast() }
        use.entries = (use.entries + [Entry(key: key, from: time)]).suffix(Self.limit)
        return use
    }
}
