// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Glibc
import HTTPServer
import Networking

/// Answers `/readyz` with the readiness of each part. The endpoint is public, so the answer names parts without
/// reasons; the reasons are in the log.
struct Readiness: Sendable {
    /// A check of one part: returns normally while it works, else throws the reason.
    struct Check: Sendable {
        let name: String
        let run: @Sendable () async throws -> Void
    }

    /// A part does not work.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let checks: [Check]
    let logger: Logger

    var handler: HTTPHandler {
        { _ in
            var parts: [String: String] = [:]
            for check in checks {
                do {
                    try await check.run()
                    parts[check.name] = "ok"
                } catch {
                    parts[check.name] = "failed"
                    logger.error(
                        "\(check.name, privacy: .public) is not ready: \(String(describing: error), privacy: .public)")
                }
            }
            let isReady = parts.values.allSatisfy { $0 == "ok" }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let body = try encoder.encode(Report(status: isReady ? "ready" : "not ready", checks: parts))
            var headers: HTTPHeaders = ["Content-Type": "application/json", "Cache-Control": "no-store"]
            if !isReady { headers["Retry-After"] = "5" }
            return ServerResponse(status: isReady ? 200 : 503, headers: headers, body: .bytes([UInt8](body)))
        }
    }

    private struct Report: Encodable {
        let status: String
        let checks: [String: String]
    }
}

/// The file system that a folder is on.
enum DiskSpace {
    /// The bytes that the server may still write there; nil if the system does not report it.
    static func free(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// A file's size in bytes; 0 for a file that does not exist.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
