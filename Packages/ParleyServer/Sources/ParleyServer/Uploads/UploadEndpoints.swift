// SPDX-License-Identifier: MIT

import AuthServer
import Digests
import Domain
import FoundationEssentials
import HTTPServer
import Networking
import ObjectStore
import PracticeWire

/// Resumable uploads by tus 1.0.0 (tus.io/protocols/resumable-upload): core, creation, checksum, expiration,
/// termination.
struct UploadEndpoints: Sendable {
    private static let version = "1.0.0"

    let service: UploadService

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        router.on(.options, "/uploads") { _ in capabilities() }
        router.on(.options, "/uploads/{id}") { _ in capabilities() }
        let limit = service.policy.maximumBytes
        router.member(.post, "/uploads", access) { member, request in
            try await answer(request) { try await create(member, request) }
        }
        router.member(.head, "/uploads/{id}", access) { member, request in
            try await answer(request) { try await tell(member, request) }
        }
        router.member(.patch, "/uploads/{id}", access, bodyLimit: limit) { member, request in
            try await answer(request) { try await append(member, request) }
        }
        router.member(.delete, "/uploads/{id}", access) { member, request in
            try await answer(request) {
                try await service.terminate(request.identifier(), of: member.account)
                return .noContent
            }
        }
    }

    /// The server's abilities; the answer is public.
    private func capabilities() -> ServerResponse {
        ServerResponse(
            status: 204,
            headers: [
                "Tus-Resumable": Self.version, "Tus-Version": Self.version,
                "Tus-Extension": "creation,checksum,expiration,termination",
                "Tus-Checksum-Algorithm": "sha1,sha256", "Tus-Max-Size": "\(service.policy.maximumBytes)",
            ])
    }

    private func create(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        guard request.headers["Upload-Defer-Length"] == nil else {
            throw ServerProblem.badRequest("The length has to be known: send Upload-Length.")
        }
        let length = try number("Upload-Length", of: request)
        guard length <= service.policy.maximumBytes else {
            throw ServerProblem(
                status: 413, detail: "A recording may have at most \(service.policy.maximumBytes) bytes.")
        }
        guard length > 0 else { throw ServerProblem.unprocessable("A recording has at least one byte.") }
        guard let metadata = request.headers.combined(for: "Upload-Metadata") else {
            throw ServerProblem.badRequest("Send Upload-Metadata, which says what the recording is.")
        }
        let values = try UploadMetadata.values(in: metadata)
        let recording: Recording
        do throws(MappingFailure) {
            recording = try Recording(uploadMetadata: values, byteCount: length)
        } catch {
            throw ServerProblem.unprocessable("Upload-Metadata: \(error.description)")
        }
        let status = try await service.begin(recording, of: member.account)
        var headers = self.headers(status)
        // Relative, so that it is right behind a proxy that serves a part of its addresses.
        headers["Location"] = "uploads/\(recording.id)"
        return ServerResponse(status: 201, headers: headers)
    }

    private func tell(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        do {
            let status = try await service.status(request.identifier(), of: member.account)
            return ServerResponse(status: 200, headers: headers(status))
        } catch UploadError.wrongContent {
            // All bytes had arrived before, and were discarded now: the client starts again.
            throw UploadError.notFound
        }
    }

    private func append(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        guard request.headers["Content-Type"] == "application/offset+octet-stream" else {
            throw ServerProblem(
                status: 415, detail: "The content type of an upload's chunk is application/offset+octet-stream.")
        }
        let offset = try number("Upload-Offset", of: request)
        let status = try await service.append(
            request.body, at: offset, checksum: checksum(of: request), to: request.identifier(), of: member.account)
        return ServerResponse(status: 204, headers: headers(status))
    }

    private func checksum(of request: ServerRequest) throws -> UploadSink.Checksum? {
        guard let text = request.headers["Upload-Checksum"] else { return nil }
        let parts = text.split(separator: " ")
        let algorithm: MessageDigest.Algorithm? =
            switch parts.first {
            case "sha1": .sha1
            case "sha256": .sha256
            default: nil
            }
        guard parts.count == 2, let algorithm, let hash = Data(base64Encoded: String(parts[1])) else {
            throw ServerProblem.badRequest("Upload-Checksum takes sha1 or sha256 and the hash in base64.")
        }
        return UploadSink.Checksum(algorithm: algorithm, hash: [UInt8](hash))
    }

    private func number(_ name: String, of request: ServerRequest) throws -> Int {
        let values = request.headers.values(for: name)
        guard values.count == 1, values[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(values[0])
        else { throw ServerProblem.badRequest("\(name) takes a number of bytes.") }
        return number
    }

    private func headers(_ status: UploadService.Status) -> HTTPHeaders {
        var headers: HTTPHeaders = ["Upload-Offset": "\(status.offset)", "Upload-Length": "\(status.length)"]
        if let end = status.expiresAt, let date = HTTPDate(secondsSince1970: end.seconds) {
            headers["Upload-Expires"] = date.description
        }
        return headers
    }

    /// Checks the protocol's version, and adds it to every answer, refusals too.
    private func answer(
        _ request: ServerRequest, _ work: () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        do {
            guard request.headers["Tus-Resumable"] == Self.version else {
                throw ServerProblem(
                    status: 412, detail: "Send Tus-Resumable: \(Self.version).", headers: ["Tus-Version": Self.version])
            }
            var response = try await work()
            response.headers["Tus-Resumable"] = Self.version
            return response
        } catch {
            guard var problem = Self.problem(error) else { throw error }
            problem.headers["Tus-Resumable"] = Self.version
            throw problem
        }
    }

    private static func problem(_ error: any Error) -> ServerProblem? {
        if let error = error as? ServerProblem { return error }
        if let error = error as? DiskError { return error.isFull ? .diskIsFull : nil }
        if let error = error as? ObjectStoreError { return .soundStore(error) }
        guard let error = error as? UploadError else { return nil }
        return switch error {
        case .busy:
            ServerProblem(
                status: 423, detail: "Another request works on this upload. Try again.", headers: ["Retry-After": "1"])
        case .notFound: .notFound
        case .wrongContent:
            .unprocessable("What came is not what sha256 says. It was thrown away; upload it again.")
        case .wrongOffset(let offset):
            ServerProblem(
                status: 409, detail: "The upload continues at \(offset).", headers: ["Upload-Offset": "\(offset)"])
        case .wrongChecksum:
            ServerProblem(
                status: 460, title: "Checksum Mismatch", detail: "The chunk was damaged in transit. Send it again.")
        case .tooLong(let length):
            ServerProblem(status: 413, detail: "The upload was announced with \(length) bytes.")
        case .taken:
            ServerProblem(status: 409, detail: "A recording of this name has other sound. Give it another name.")
        case .tooMany:
            .limitReached("The account has as many recordings as it may have. Delete some, then send it again.")
        case .overQuota(let free):
            .limitReached("The account has room for \(free) bytes. Delete some recordings, then send it again.")
        case .isFinished:
            ServerProblem(status: 409, detail: "The upload is finished. Delete the recording instead.")
        }
    }
}
