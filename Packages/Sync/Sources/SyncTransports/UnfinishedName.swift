// SPDX-License-Identifier: MIT

import Glibc

/// Names of files that are being written, `.parley-<seconds since 1970>-<random>.tmp`. They are no objects.
enum UnfinishedName {
    /// The time after which a file is the leftover of a program that was killed, in seconds: a day.
    static let lifetime: Int64 = 86_400

    private static let (start, end) = (".parley-", ".tmp")

    /// A name that nobody else has.
    static func make(now: Int64 = currentTime()) -> String {
        "\(start)\(now)-\(String(UInt64.random(in: 0 ... .max), radix: 16))\(end)"
    }

    /// True if a name is one of these, and so old that nobody writes the file any more.
    static func isLeftover(_ name: some StringProtocol, now: Int64 = currentTime()) -> Bool {
        guard name.hasPrefix(start), name.hasSuffix(end) else { return false }
        let words = name.dropFirst(start.count).dropLast(end.count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, UInt64(words[1], radix: 16) != nil, let began = Int64(words[0]), began >= 0 else {
            return false
        }
        return began < now - lifetime
    }

    /// The system's time in seconds since 1970.
    static func currentTime() -> Int64 { Int64(time(nil)) }
}
