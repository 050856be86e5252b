// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
import DurableFiles
public import FoundationEssentials
import Glibc

/// The entries of the next 24 hours in `.ics` files and in the `.ics` files of folders.
public struct CalendarContextSource: ContextSource {
    /// The most files.
    static let fileLimit = 10_000

    private let paths: [String]
    private let now: @Sendable () -> Date
    private let offset: ZoneSeconds

    /// - Parameters:
    ///   - paths: Files and folders; of a folder, the `.ics` files in it are read, those of its folders are not.
    ///   - now: The wall clock.
    public init(_ paths: [String], now: @escaping @Sendable () -> Date = { Date() }, offset: @escaping ZoneSeconds) {
        (self.paths, self.now, self.offset) = (paths, now, offset)
    }

    /// See `ContextSource`.
    public var part: ContextPart { .events }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading {
        let (paths, now, offset) = (paths, now(), offset)
        return .events(
            try await BlockingCall.run {
                var calendar = CalendarFile(from: now, to: now.addingTimeInterval(86_400), offset)
                do {
                    let files = try paths.flatMap(Self.files)
                    for file in files.prefix(Self.fileLimit) { try calendar.read(file) }
                    let events = calendar.result()
                    guard files.count > Self.fileLimit else { return events }
                    return UpcomingEvents(
                        events.events, gaps: events.gaps + ["Only the first \(Self.fileLimit) calendars are read."])
                } catch let error as FileError {
                    throw DomainError.file(
                        "The calendar \(error.path) cannot be read: \(error.reason). Name another one: parley context "
                            + "allow events --calendar FILE")
                }
            })
    }

    private static func files(_ path: String) throws(FileError) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError("look at", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".ics") }.sorted().map { path + "/" + $0 }
    }
}
