// SPDX-License-Identifier: MIT

internal import DurableFiles
internal import FoundationEssentials
internal import Glibc

/// The reports of earlier crashes. Every call blocks.
///
/// A report's file is `crash-SECONDS-PROCESS` and `.new`, or `.report` once ``takeNew()`` has told of it.
public struct CrashReportFolder: Sendable {
    /// The most reports that are kept; ``CrashReporter/install(folder:version:)`` deletes the oldest ones.
    public static let mostReports = 10
    /// The largest file that is read. The handler writes less than a fifth of it for a program with 100 libraries.
    static let mostBytes = 512 * 1_024

    /// The folder's path.
    public let path: String

    /// The reports of a folder, which need not exist.
    public init(path: String) { self.path = path }

    /// The ids of all reports, newest first; empty if there is no folder.
    ///
    /// - Throws: `folderUnusable`.
    public func list() throws(CrashReportError) -> [String] { try files().map(\.id) }

    /// The ids of the reports that no earlier call returned, newest first. Of two programs that ask at once, one gets an id.
    ///
    /// - Throws: `folderUnusable`.
    public func takeNew() throws(CrashReportError) -> [String] {
        try files().filter { file in
            file.isNew && rename("\(path)/\(file.id).new", "\(path)/\(file.id).report") == 0
        }.map(\.id)
    }

    /// A report.
    ///
    /// - Throws: `notFound`, `folderUnusable`, or `notAReport`.
    public func report(_ id: String) throws(CrashReportError) -> CrashReport {
        let file = try self.file(id)
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try OpenFile.contents(of: file, limit: Self.mostBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            throw CrashReportError(folder: error)
        }
        guard let bytes else { throw CrashReportError(.notAReport, "The crash report is too large. Delete it.") }
        return try CrashReport(bytes: bytes)
    }

    /// Deletes a report.
    ///
    /// - Throws: `notFound` or `folderUnusable`.
    public func delete(_ id: String) throws(CrashReportError) {
        let file = try self.file(id)
        do throws(FileError) {
            try DurableFile.remove(file)
        } catch {
            throw CrashReportError(folder: error)
        }
    }

    func deleteOldest(keeping count: Int) throws(CrashReportError) {
        for file in try files().dropFirst(count) { unlink("\(path)/\(file.id)\(file.isNew ? ".new" : ".report")") }
    }

    private func file(_ id: String) throws(CrashReportError) -> String {
        guard let file = try files().first(where: { $0.id == id }) else {
            throw CrashReportError(.notFound, "No crash report has this id; list them to see the ids.")
        }
        return "\(path)/\(id)\(file.isNew ? ".new" : ".report")"
    }

    private func files() throws(CrashReportError) -> [(id: String, isNew: Bool)] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            if access(path, F_OK) != 0, errno == ENOENT { return [] }
            throw CrashReportError(.folderUnusable, "The folder of crash reports cannot be read.", underlying: error)
        }
        let files: [(id: String, isNew: Bool, time: Int)] = names.compactMap { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1] == "new" || parts[1] == "report", let time = Self.time(of: parts[0]) else {
                return nil
            }
            return (String(parts[0]), parts[1] == "new", time)
        }
        return files.sorted { ($0.time, $0.id) > ($1.time, $1.id) }.map { ($0.id, $0.isNew) }
    }

    /// The time in an id; nil if the text is not an id.
    private static func time(of text: Substring) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.count == 3, parts[0] == "crash", !parts[2].isEmpty,
            parts[1...].allSatisfy({ $0.utf8.allSatisfy(digits.contains) })
        else { return nil }
        return Int(parts[1])
    }
}
