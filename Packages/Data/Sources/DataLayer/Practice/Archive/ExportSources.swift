// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials
import Glibc
import PracticeWire

/// A person's answer about uploads, for an export; empty without an answer.
public struct ConsentExport: PersonalDataSource {
    private let account: String
    private let server: URL
    private let store: any UploadConsentStore

    /// The answer of an account of a server.
    public init(account: String, server: URL, store: any UploadConsentStore) {
        self.account = account
        self.server = server
        self.store = store
    }

    /// See `PersonalDataSource`.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        guard let consent = try await store.consent(of: account) else { return [:] }
        let record = Record(
            decision: consent.decision.rawValue, decidedAt: consent.decidedAt.formatted(.iso8601),
            textVersion: consent.textVersion, server: server.absoluteString)
        try await archive.add("consent.json", try WireJSON.encode(record))
        return [:]
    }

    private struct Record: Encodable {
        let decision: String
        let decidedAt: String
        let textVersion: Int
        let server: String
    }
}

/// The measurements of a person's turns, for an export.
public struct MeasurementExport: PersonalDataSource {
    private let statistics: any TurnStatistics

    /// An export of these statistics.
    public init(_ statistics: any TurnStatistics) { self.statistics = statistics }

    /// Writes a line of JSON for each turn into `measurements.jsonl`. See `PersonalDataSource`.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        let turns = try await statistics.turns(in: .distantPast..<Date.distantFuture)
        guard !turns.isEmpty else { return [:] }
        var lines: [UInt8] = []
        for turn in turns { lines += try WireJSON.encode(Record(turn.measurement)) + [10] }
        try await archive.add("measurements.jsonl", lines)
        return ["measurements": turns.count]
    }

    private struct Record: Encodable {
        let turn, startedAt, modality, outcome: String
        let code: String?
        let milliseconds: [String: Double]
        let sentences, cachedSentences: Int

        init(_ measurement: TurnMeasurement) {
            (turn, startedAt) = (measurement.turn.description, WireTime.text(of: measurement.startedAt))
            (modality, outcome) = (measurement.modality.rawValue, measurement.outcome.name)
            code = measurement.outcome.code
            milliseconds = Dictionary(
                uniqueKeysWithValues: measurement.latencies.map { ($0.rawValue, $1 / .milliseconds(1)) })
            (sentences, cachedSentences) = (measurement.sentences, measurement.cachedSentences)
        }

        private enum CodingKeys: String, CodingKey {
            case turn, modality, outcome, code, milliseconds, sentences
            case startedAt = "started_at"
            case cachedSentences = "cached_sentences"
        }
    }
}

/// The server's data of the account, for an export: an archive in the archive.
public struct RemoteExport: PersonalDataSource {
    private static let pieceSize = 64 << 10

    private let rights: RemoteDataRights
    private let folder: String

    /// Makes an export of the server's data.
    ///
    /// - Parameter folder: A folder with room for the data: an archive has a file's length first, so the data waits in
    ///   an unnamed file.
    public init(_ rights: RemoteDataRights, waitingIn folder: String) {
        self.rights = rights
        self.folder = folder
    }

    /// See `PersonalDataSource`.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        let waiting = try SpooledFile(in: folder)
        try await rights.export { try await waiting.append($0) }
        try await archive.add("server.tar", size: await waiting.size) { write in
            var offset = 0
            while case let piece = try await waiting.read(at: offset, maximum: Self.pieceSize), !piece.isEmpty {
                try await write(piece)
                offset += piece.count
            }
        }
        return [:]
    }
}

/// A file without a name, for its owner alone, that is deleted with this object.
private actor SpooledFile {
    private let descriptor: Int32
    private(set) var size = 0

    init(in folder: String) throws {
        var name = Array("\(folder)/.spool-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Self.failure() }
        unlink(name)
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure() }
            rest = rest.dropFirst(count)
        }
        size += bytes.count
    }

    /// Bytes from an offset on; empty at the end.
    func read(at offset: Int, maximum: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximum)
        let count = pread(descriptor, &bytes, maximum, off_t(offset))
        if count < 0 { throw Self.failure() }
        return Array(bytes[..<count])
    }

    private static func failure() -> DomainError {
        .file("A file for the archive cannot be written: \(String(cString: strerror(errno))). Make room on the disk.")
    }
}
