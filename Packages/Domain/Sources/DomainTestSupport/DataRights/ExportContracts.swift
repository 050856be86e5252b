// SPDX-License-Identifier: MIT

public import Domain
import Synchronization
import TestKit

/// A file of an archive.
public struct ExportedFile: Hashable, Sendable {
    /// The path in the archive.
    public let name: String
    /// The content.
    public let bytes: [UInt8]

    /// A file.
    public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}

/// A new archive, and a way to read it back.
public struct ExportArchiveSubject: Sendable {
    let archive: any ExportArchive
    let files: @Sendable () async throws -> [ExportedFile]?

    /// A subject.
    ///
    /// - Parameters:
    ///   - archive: Nothing was added to it.
    ///   - files: Reads the archive; nil if it breaks off.
    public init(archive: any ExportArchive, files: @escaping @Sendable () async throws -> [ExportedFile]?) {
        (self.archive, self.files) = (archive, files)
    }
}

/// The promises of every `ExportArchive`. A subject makes an archive for each call.
public enum ExportArchiveContract {
    /// Every promise.
    public static let checks: [ContractCheck<@Sendable () async throws -> ExportArchiveSubject>] = [
        .init("files of any size are read back in their order") { make in
            let subject = try await make()
            let files = [1, 0, 511, 512, 513, 70_000].map { file($0) }
            for file in files { try await add(file, to: subject.archive) }
            try await require(subject.files() == nil, "an archive that is not finished looks whole")
            try await subject.archive.finish()
            try await require(subject.files() == files, "not what was added")
        },
        .init("an archive may be empty") { make in
            let subject = try await make()
            try await subject.archive.finish()
            try await require(subject.files() == [], "something in an empty archive")
        },
        .init("what the content throws passes as it is") { make in
            let subject = try await make()
            try await requireError("Unreadable", where: { $0 is Unreadable }) {
                try await subject.archive.add("a", size: 2) { write in
                    try await write([1])
                    throw Unreadable()
                }
            }
            try await require(subject.files() == nil, "an archive with half a file looks whole")
        },
        .init("a content of another size is an error") { make in
            for count in [0, 9, 11] {
                let archive = try await make().archive
                try await requireError(code: "damaged") {
                    try await archive.add("a", size: 10) { try await $0([UInt8](repeating: 1, count: count)) }
                }
            }
        },
        .init("a cancelled addition throws") { make in
            let archive = try await make().archive
            try await requireCancelled { try await archive.add("a", [1]) }
        },
        .init("archives that are written at once do not mix") { make in
            try await concurrently(4) { number in
                let subject = try await make()
                let files = (0..<20).map { file($0 * 4 + number) }
                for file in files { try await add(file, to: subject.archive) }
                try await subject.archive.finish()
                try await require(subject.files() == files, "not what was added to this one")
            }
        },
    ]

    private struct Unreadable: Error {}

    private static func file(_ size: Int) -> ExportedFile {
        ExportedFile(name: "folder/\(size)", bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ size) })
    }

    private static func add(_ file: ExportedFile, to archive: any ExportArchive) async throws {
        try await archive.add(file.name, size: file.bytes.count) { write in
            for start in stride(from: 0, to: file.bytes.count, by: 500) {
                try await write(Array(file.bytes[start..<min(start + 500, file.bytes.count)]))
            }
        }
    }
}

/// A source of known files.
public struct PersonalDataSourceSubject: Sendable {
    let source: any PersonalDataSource
    let counts: [String: Int]
    let names: [String]

    /// A subject.
    ///
    /// - Parameters:
    ///   - source: Has something to export.
    ///   - counts: The numbers that its export returns.
    ///   - names: The files that it writes, in order; at least one.
    public init(source: any PersonalDataSource, counts: [String: Int], names: [String]) {
        (self.source, self.counts, self.names) = (source, counts, names)
    }

    fileprivate func export() async throws -> [ExportedFile] {
        let archive = InMemoryExportArchive()
        let counts = try await source.export(to: archive)
        try require(counts == self.counts, "not \(self.counts), but \(counts)")
        try require(!archive.isFinished, "the archive was ended")
        try require(archive.files.map(\.name) == names, "not \(names), but \(archive.files.map(\.name))")
        return archive.files
    }
}

/// The promises of every `PersonalDataSource`.
public enum PersonalDataSourceContract {
    /// Every promise.
    public static let checks: [ContractCheck<PersonalDataSourceSubject>] = [
        .init("everything is written and counted, and the archive stays open") { subject in
            try await require(subject.export().allSatisfy { !$0.bytes.isEmpty }, "a file is empty")
        },
        .init("another export writes the same") { subject in
            let first = try await subject.export()
            try await require(subject.export() == first, "the second export is another one")
        },
        .init("exports at the same time are whole") { subject in
            let first = try await subject.export()
            try await concurrently(4) { _ in try await require(subject.export() == first, "a part is missing") }
        },
        .init("what the archive throws passes as it is") { subject in
            for count in subject.names.indices {
                let archive = InMemoryExportArchive(capacity: count)
                try await requireError(
                    "InMemoryExportArchive.Full", where: { $0 is InMemoryExportArchive.Full }
                ) { _ = try await subject.source.export(to: archive) }
                try require(archive.files.count == count, "\(archive.files.count) files, and not \(count)")
            }
        },
        .init("a cancelled export throws") { subject in
            let archive = InMemoryExportArchive()
            try await requireCancelled { _ = try await subject.source.export(to: archive) }
            try require(archive.files.isEmpty, "a cancelled export wrote \(archive.files.map(\.name))")
        },
    ]
}

/// An `ExportArchive` that keeps its files.
public final class InMemoryExportArchive: ExportArchive {
    /// There is no room for another file.
    public struct Full: Error {}

    private struct State {
        var files: [ExportedFile] = []
        var isFinished = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// An empty archive with room for so many files.
    public init(capacity: Int = .max) { self.capacity = capacity }

    /// The files so far.
    public var files: [ExportedFile] { state.withLock { $0.files } }

    /// True if the archive is whole.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// See `ExportArchive`.
    public func add(
        _ name: String, size: Int, _ content: (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard files.count < capacity else { throw Full() }
        var bytes: [UInt8] = []
        try await content { bytes += $0 }
        guard bytes.count == size else { throw DomainError.damaged("\(name) has another size.") }
        let file = ExportedFile(name: name, bytes: bytes)
        state.withLock { $0.files.append(file) }
    }

    /// See `ExportArchive`.
    public func finish() { state.withLock { $0.isFinished = true } }
}
