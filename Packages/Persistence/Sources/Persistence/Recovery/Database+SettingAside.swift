// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Glibc

extension Database {
    /// Renames a damaged database and the files beside it to `<name>.damaged-<time>`, so that a new one can be opened
    /// in its place and the person can find the old one. Nothing is deleted, and an existing file is never replaced.
    ///
    /// Close the database first. If another process has it open, that process continues with the renamed file;
    /// `recover` waits for it.
    ///
    /// - Parameters:
    ///   - path: The database's file; it may be missing when only its log is left.
    ///   - now: The time in the new name, in UTC to the second; a name that is taken gets a number after it.
    /// - Returns: The new path of the database's file.
    /// - Throws: ``DatabaseError`` with `notFound` when there is nothing to rename, `permission`, `readOnly` or
    ///   `inputOutput`.
    public static func setAside(_ path: String, now: Date = Date()) throws -> String {
        let file = try DatabaseFile(path: path)
        let suffixes = try ([""] + DatabaseFile.companions).filter { try DatabaseFile.size(of: file.path + $0) != nil }
        guard !suffixes.isEmpty else { throw DatabaseError(systemError: ENOENT, doing: "find", path: path) }
        let base = file.path + ".damaged-" + timestamp(now)
        for attempt in 1... {
            let target = attempt == 1 ? base : "\(base)-\(attempt)"
            // A name is free only if all of its files are: a log must not be placed beside another database.
            let isTaken = try ([""] + DatabaseFile.companions).contains {
                try DatabaseFile.size(of: target + $0) != nil
            }
            if isTaken { continue }
            var moved: [String] = []
            do {
                // The database is renamed first: if the power fails in between, a log that is alone is noticed at the
                // next opening, while a database without its log would be taken for whole.
                for suffix in suffixes {
                    try DatabaseFile.move(file.path + suffix, to: target + suffix)
                    moved.append(suffix)
                }
                return target
            } catch let error as DatabaseError {
                for suffix in moved.reversed() { try? DatabaseFile.move(target + suffix, to: file.path + suffix) }
                if error.code == .alreadyExists { continue }
                throw error
            }
        }
        throw DatabaseError(systemError: EEXIST, doing: "rename", path: path)
    }

    private static func timestamp(_ now: Date) -> String {
        let seconds = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let day = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(padded).joined()
        return day + "T" + [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0)) }.joined() + "Z"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
