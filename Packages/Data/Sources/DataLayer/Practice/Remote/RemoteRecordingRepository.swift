// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
public import Networking
import PracticeWire

/// The account's recordings at the server: uploaded by tus, so that no part is sent twice, and read in ranges.
public struct RemoteRecordingRepository: RecordingRepository {
    private let server: PracticeServer
    private let uploads: any TusUploadStore
    private let configuration: TusClient.Configuration
    private let clock: any Clock<Duration>

    /// Makes the repository of a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - uploads: Stores the state of unfinished uploads; one store for each account.
    ///   - configuration: The configuration of uploads.
    ///   - clock: The clock of the waits.
    public init(
        _ server: PracticeServer, uploads: any TusUploadStore,
        configuration: TusClient.Configuration = TusClient.Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.server = server
        self.uploads = uploads
        self.configuration = configuration
        self.clock = clock
    }

    /// See `RecordingRepository`.
    public func store(_ recording: Recording, content: any RecordingContent) async throws {
        try await upload(recording, content: content) { _ in }
    }

    /// Uploads a recording; resumes a stopped upload, also one of an earlier process.
    ///
    /// If another program sends the same recording, this waits until that has finished, or sends the rest.
    ///
    /// - Parameter report: Called with the number of bytes that the server has.
    /// - Throws: `DomainError.invalidInput` if the content does not match the recording.
    public func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws {
        guard content.byteCount == recording.byteCount else {
            throw DomainError.invalidInput("The sound of the recording is not as long as it should be.")
        }
        try await domainErrors {
            let client = TusClient(
                endpoint: try server.url(["uploads"]), transport: server.client, store: uploads,
                configuration: configuration, clock: clock)
            let upload = client.upload(
                RecordingUpload(recording: recording, content: content), metadata: recording.uploadMetadata)
            var tries = (busy: 0, moved: 0)
            while true {
                do {
                    for try await progress in upload { await report(progress.confirmedBytes) }
                    return
                } catch let error as NetworkError where error.status == 423 && tries.busy < Self.busyTries {
                    tries.busy += 1
                    try await clock.sleep(for: .seconds(1))
                } catch let error as NetworkError where error.status == 409 && tries.moved < 3 {
                    // The offset changed between two requests; a 409 for a taken id repeats and is then thrown.
                    tries.moved += 1
                }
            }
        }
    }

    /// The number of seconds that another program's request may hold the upload.
    private static let busyTries = 120

    /// See `RecordingRepository`.
    public func recording(_ id: Identifier<Recording>) async throws -> Recording? {
        let path = [SyncedKind.recording.path, id.description]
        guard let recording = try await server.valueIfThere(RecordingDTO.self, path) else { return nil }
        return try mapped { () throws(MappingFailure) in try recording.recording() }
    }

    /// See `RecordingRepository`. Broken recordings are left out.
    public func recordings(after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
        var found: [Recording] = []
        var last = cursor?.description
        while found.count < limit {
            var parameters = QueryParameters()
            parameters.add("limit", min(limit - found.count, 200))
            parameters.add("after", last)
            let page: RecordingPageDTO = try await server.value(.get, [SyncedKind.recording.path], parameters)
            found += page.recordings().recordings.prefix(limit - found.count)
            guard let next = page.next, next != last else { break }
            last = next
        }
        return found
    }

    /// See `RecordingRepository`.
    public func content(of id: Identifier<Recording>) async throws -> any RecordingContent {
        guard let recording = try await recording(id) else { throw DomainError.notFound("recording \(id)") }
        return RemoteRecordingContent(server: server, recording: recording)
    }

    /// See `RecordingRepository`.
    public func delete(_ id: Identifier<Recording>) async throws -> Bool {
        try await server.delete([SyncedKind.recording.path, id.description])
    }
}

/// A recording's sound as the source of a tus upload; the disk never has it in the clear.
struct RecordingUpload: TusSource {
    let recording: Recording
    let content: any RecordingContent

    var length: Int { recording.byteCount }

    func read(at offset: Int, count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try await content.bytes(at: offset + bytes.count, maximum: count - bytes.count)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    func fingerprint() -> String { "\(recording.id) \(recording.contentHash)" }
}

/// The sound of a recording at the server, read in ranges (RFC 9110 §14).
struct RemoteRecordingContent: RecordingContent {
    let server: PracticeServer
    let recording: Recording

    var byteCount: Int { recording.byteCount }

    func bytes(at offset: Int, maximum: Int) async throws -> [UInt8] {
        guard offset >= 0, offset < byteCount, maximum > 0 else { return [] }
        let count = min(maximum, byteCount - offset, 4 << 20)
        return try await domainErrors {
            var request = HTTPRequest(
                .get, try server.url([SyncedKind.recording.path, recording.id.description, "content"]),
                headers: ["Range": "bytes=\(offset)-\(offset + count - 1)"])
            // Sound is large, and stored only sealed.
            request.options.caching = .none
            let response = try await server.client.send(request)
            switch response.status {
            case 206: return try await response.body.collect(upTo: count)
            case 200:
                // A server without ranges sends everything.
                let all = try await response.body.collect(upTo: byteCount)
                return Array(all.dropFirst(offset).prefix(count))
            default: throw await NetworkError(response, to: request)
            }
        }
    }
}
