// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Persistence

/// The files of the data folder and of the configuration folder by size, permissions and version; no content. A name that is not the
/// program's own is only counted.
enum HomeInventory {
    /// A file, or the files of a folder together.
    struct Entry: Encodable, Equatable {
        /// "data" or "config".
        let place: String
        /// A name of the program's own, with / for a folder; "other" for all others.
        let name: String
        var files = 0
        var bytes = 0
        /// The permissions, in octal, each once.
        var modes: Set<String> = []
        /// The number of migrations that a database has had; nil for one that is sealed or damaged.
        var schema: Int?
    }

    private static let folders: Set<String> = ["recordings", "uploads", "crashes", "logs", "inbox", "consents"]
    private static let endings = ["", "-wal", "-shm", "-journal", ".lock"]

    /// The entries by place and name.
    static func entries(_ paths: AppPaths) async -> [Entry] {
        let own = [
            paths.conversations, paths.practice, paths.httpCache, paths.vectors, paths.speechCache, paths.answers,
            paths.settings, paths.alarms, paths.sync, paths.syncSettings, paths.chatInputs, paths.secrets,
            paths.secretsKey, paths.appLock, paths.recordingLimit, paths.retentionClock, paths.answerCacheLimit,
            paths.context, paths.account, paths.sessionLock, paths.syncLock, "/trust.json", "/mcp.json",
            "/mcp-approvals.json",
            "/alarms.lock", "/recordings.lock",
        ].compactMap { $0.split(separator: "/").last.map(String.init) }
        return await entries("data", paths.data, own) + entries("config", paths.configuration, own)
    }

    private static func entries(_ place: String, _ folder: String, _ own: [String]) async -> [Entry] {
        var entries: [String: Entry] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            var status = stat()
            guard lstat(folder + "/" + path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            let name = name(of: path.split(separator: "/").map(String.init), own)
            var entry = entries[name] ?? Entry(place: place, name: name)
            entry.files += 1
            entry.bytes += Int(status.st_size)
            entry.modes.insert("0" + String(status.st_mode & 0o7777, radix: 8))
            if name.hasSuffix(".sqlite") { entry.schema = await schema(of: folder + "/" + path) }
            entries[name] = entry
        }
        return entries.values.sorted { $0.name < $1.name }
    }

    private static func name(of parts: [String], _ own: [String]) -> String {
        guard let first = parts.first else { return "other" }
        if parts.count > 1 { return folders.contains(first) ? first + "/" : "other" }
        if let own = own.first(where: { own in endings.contains { first == own + $0 } }) {
            return own + first.dropFirst(own.count)
        }
        return own.first { first.hasPrefix($0 + ".damaged") }.map { $0 + ".damaged" } ?? "other"
    }

    private static func schema(of path: String) async -> Int? {
        var configuration = Database.Configuration(busyTimeout: .seconds(1))
        configuration.isReadOnly = true
        guard let database = try? await Database(at: path, configuration: configuration) else { return nil }
        let count = try? await database.read { try $0.first("SELECT count(*) FROM schema_migration", as: Int.self) }
        await database.close()
        return count ?? nil
    }
}
