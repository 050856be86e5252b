// SPDX-License-Identifier: MIT

import Domain
import Networking

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
            // Sound is large, and kept sealed or not at all.
            request.options.caching = .none
            let response = try await server.client.send(request)
            switch response.status {
            case 206: return try await response.body.collect(upTo: count)
            case 200:
                // A server that knows no ranges sends all of it.
                let all = try await response.body.collect(upTo: byteCount)
                return Array(all.dropFirst(offset).prefix(count))
            default: throw await NetworkError(response, to: request)
            }
        }
    }
}
