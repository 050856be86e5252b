// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Glibc
import HTTPServer
import Networking
import Persistence

/// Answers `/readyz` with the readiness of each part. The endpoint is public, so the answer names parts without
/// reasons, except for a database's that is gone, full, older or newer; the reasons are in the log.
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

    /// A part works, and the operator has to look at something before long.
    struct Warning: Error, CustomStringConvertible {
        /// The part's state in the answer.
        let word: String
        let description: String
    }

    let checks: [Check]
    /// True once the server has been told to end: it still serves, and a balancer sends it no more.
    var isDraining: @Sendable () -> Bool = { false }
    let logger: Logger

    /// The time after which a part counts as one that does not answer; a probe has a limit, too.
    private static let patience: Duration = .seconds(5)

    /// A part has not answered in time.
    private struct NoAnswer: Error, CustomStringConvertible {
        let description = "no answer for \(Readiness.patience)"
    }

    var handler: HTTPHandler {
        { _ in
            if isDraining() { return try Self.answer("draining", [:], isReady: false) }
            var parts: [String: String] = [:]
            var isReady = true
            for (check, failure) in await run() {
                if let warning = failure as? Warning {
                    parts[check.name] = warning.word
                    logger.warning("\(check.name, privacy: .public): \(warning.description, privacy: .public)")
                } else if let failure {
                    isReady = false
                    parts[check.name] = Self.word(for: failure)
                    logger.error(
                        "\(check.name, privacy: .public) is not ready: \(String(describing: failure), privacy: .public)"
                    )
                } else {
                    parts[check.name] = "ok"
                }
            }
            return try Self.answer(isReady ? "ready" : "not ready", parts, isReady: isReady)
        }
    }

    /// Runs all checks at once: several of them may wait for the same database.
    private func run() async -> [(Check, (any Error)?)] {
        await withTaskGroup(of: (Check, (any Error)?).self) { group in
            for check in checks {
                group.addTask {
                    do {
                        try await Self.run(check)
                        return (check, nil)
                    } catch {
                        return (check, error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func run(_ check: Check) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await check.run() }
            group.addTask {
                try await Task.sleep(for: patience)
                throw NoAnswer()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func answer(
        _ status: String, _ parts: [String: String], isReady: Bool
    ) throws -> ServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = try encoder.encode(Report(status: status, checks: parts))
        var headers: HTTPHeaders = ["Content-Type": "application/json", "Cache-Control": "no-store"]
        if !isReady { headers["Retry-After"] = "5" }
        return ServerResponse(status: isReady ? 200 : 503, headers: headers, body: .bytes([UInt8](body)))
    }

    /// `failed`, or what an operator does about a database at a glance; it says nothing of its address.
    private static func word(for error: any Error) -> String {
        if error is NoAnswer { return "unreachable" }
        guard let error = error as? DatabaseError else { return "failed" }
        if error.isPassing { return "unreachable" }
        if error.code == .diskFull { return "full" }
        return [.newer, .older].contains(error.code) ? error.code.rawValue : "failed"
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
