// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import FoundationEssentials
import Glibc
import ObjectStore

/// Restores a backup into an empty home. Everything is checked before anything is written, and a server does not start
/// in a home with an interrupted restoration.
public struct ServerRestore: Sendable {
    /// The file that marks a home during its restoration.
    private static let marker = "restoring"
    private static let soundFolder = "recordings/"

    private let folder: String
    private let home: String
    private let objects: ServerOptions.Objects

    /// - Parameters:
    ///   - folder: A backup.
    ///   - home: A folder that is empty or does not exist, or one with an interrupted restoration.
    ///   - objects: The place that the recordings' sound is put into.
    public init(of folder: String, to home: String, objects: ServerOptions.Objects = .folder) {
        self.folder = folder
        self.home = home
        self.objects = objects
    }

    /// Restores the backup.
    ///
    /// - Returns: The number of restored files.
    /// - Throws: ``BackupError``; ``ServerSetupError`` while a server uses the home.
    public func run() async throws -> Int {
        let bucket = try objects.bucket()
        let lock = try await BlockingCall.run { [home] in
            try BackupFiles.makeFolder(home)
            return try HomeLock(home, for: .whole)
        }
        defer { lock.release() }
        let files = try await BlockingCall.run { [self] in try checked() }
        let sounds = bucket == nil ? [] : files.filter { $0.path.hasPrefix(Self.soundFolder) }
        try await BlockingCall.run { [self] in try prepare(files) }
        for (path, hash) in files where bucket == nil || !path.hasPrefix(Self.soundFolder) {
            try Task.checkCancellation()
            let copied = try await BlockingCall.run { [self] in
                try BackupFiles.copy("\(folder)/\(path)", to: "\(home)/\(path)")
            }
            guard copied == hash else { throw BackupError.damaged("\(folder)/\(path)") }
        }
        for (path, hash) in sounds {
            let key = try ObjectKey(String(path.dropFirst(Self.soundFolder.count)))
            try await bucket?.put(key, file: "\(folder)/\(path)", sha256: Hexadecimal.bytes(hash))
        }
        return try await BlockingCall.run { [self] in
            let copied = files.filter { bucket == nil || !$0.path.hasPrefix(Self.soundFolder) }
            for folder in Set(copied.map { BackupFiles.parent(of: "\(home)/\($0.path)") }).union([home]) {
                try BackupFiles.synchronize(folder: folder)
            }
            guard unlink("\(home)/\(Self.marker)") == 0 else { throw BackupError.system(home, errno) }
            try BackupFiles.synchronize(folder: home)
            return files.count
        }
    }

    /// - Throws: ``BackupError`` if a restoration into the home was interrupted.
    static func checkFinished(_ home: String) throws(BackupError) {
        if access("\(home)/\(marker)", F_OK) == 0 { throw .restoreUnfinished(home) }
    }

    /// The files of the backup, each checked against the list.
    private func checked() throws -> [(path: String, hash: String)] {
        guard let text = try? String(contentsOf: URL(filePath: "\(folder)/\(BackupFiles.list)"), encoding: .utf8) else {
            throw BackupError.notABackup(folder)
        }
        let files = try text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1).map { String($0.drop { $0 == " " }) }
            guard parts.count == 2, Self.isSafe(parts[1]) else {
                throw BackupError.damaged("\(folder)/\(BackupFiles.list)")
            }
            return (path: parts[1], hash: parts[0])
        }
        for name in ServerBackup.databases + ["secrets", "secrets.key"]
        where !files.contains(where: { $0.path == name }) {
            throw BackupError.damaged("\(folder)/\(name)")
        }
        for file in files where try BackupFiles.hash("\(folder)/\(file.path)") != file.hash {
            throw BackupError.damaged("\(folder)/\(file.path)")
        }
        return files
    }

    /// True if a path stays below the folder.
    private static func isSafe(_ path: String) -> Bool {
        !path.hasPrefix("/")
            && !path.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) }
    }

    /// Leaves an empty home with the marker in it.
    private func prepare(_ files: [(path: String, hash: String)]) throws {
        let present = try FileManager.default.contentsOfDirectory(atPath: home).filter { !HomeLock.names.contains($0) }
        if !present.contains(Self.marker) {
            guard present.isEmpty else { throw BackupError.homeHasData(home) }
            try BackupFiles.write("", to: "\(home)/\(Self.marker)")
            try BackupFiles.synchronize(folder: home)
            return
        }
        // An interrupted restoration: these files are from a backup, and are restored again.
        for name in present where name != Self.marker {
            try FileManager.default.removeItem(atPath: "\(home)/\(name)")
        }
    }
}
