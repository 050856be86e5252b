// SPDX-License-Identifier: MIT

import Concurrency
import DurableFiles
public import FoundationEssentials
import Glibc
public import Security

/// An access key of S3 with its secret.
public struct S3Credentials: Sendable {
    /// The key's id, which is no secret.
    public let accessKey: String
    /// The secret.
    public let secretKey: Sensitive<[UInt8]>
    /// The token of temporary credentials; nil for lasting ones.
    public let sessionToken: Sensitive<[UInt8]>?
    /// The end of temporary credentials; nil if it is not known.
    public let expiresAt: Date?

    /// Credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil, expiresAt: Date? = nil) {
        self.accessKey = accessKey
        self.secretKey = Sensitive(utf8: secretKey)
        self.sessionToken = sessionToken.map { Sensitive(utf8: $0) }
        self.expiresAt = expiresAt
    }

    func isSame(as other: S3Credentials) -> Bool {
        accessKey == other.accessKey
            && secretKey.withExposed { mine in other.secretKey.withExposed { mine == $0 } }
            && sessionToken?.withExposed { $0 } == other.sessionToken?.withExposed { $0 }
    }
}

/// The source of credentials. It is asked at the first request, shortly before they expire, and when the store refuses
/// them: so they can be replaced while the program runs.
public struct S3CredentialSource: Sendable {
    private let provide: @Sendable () async throws -> S3Credentials

    /// Credentials from a closure, such as a client of a metadata service.
    ///
    /// - Parameter provide: Returns the present credentials. Its errors reach the caller of the store.
    public init(_ provide: @escaping @Sendable () async throws -> S3Credentials) { self.provide = provide }

    /// Asks the source.
    public func credentials() async throws -> S3Credentials { try await provide() }

    /// Credentials that do not change.
    public static func fixed(_ credentials: S3Credentials) -> S3CredentialSource {
        S3CredentialSource { credentials }
    }

    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for temporary ones, `AWS_SESSION_TOKEN`.
    ///
    /// - Returns: Nil if the first or the second is missing.
    public static func environment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> S3CredentialSource? {
        guard let key = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"],
            !key.isEmpty, !secret.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        return .fixed(S3Credentials(accessKey: key, secretKey: secret, sessionToken: token))
    }

    /// A file in the format of AWS' tools, of which the section `profile` is taken:
    ///
    ///     [default]
    ///     aws_access_key_id = …
    ///     aws_secret_access_key = …
    ///
    /// Only its owner, this user or root, may be able to read it.
    public static func file(_ path: String, profile: String = "default") -> S3CredentialSource {
        S3CredentialSource {
            let text = try await BlockingCall.run { () throws(ObjectStoreError) in try read(path) }
            return try credentials(in: text, profile: profile, path)
        }
    }

    private static func read(_ path: String) throws(ObjectStoreError) -> String {
        let (status, bytes): (stat, [UInt8]?)
        do throws(FileError) {
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            (status, bytes) = (try file.status(), try file.contents(limit: 64 << 10))
        } catch {
            throw ObjectStoreError(
                code: .noCredentials, message: "\(error) Make a file of credentials, or name the right one.",
                underlying: error)
        }
        guard status.st_mode & S_IFMT == S_IFREG, let bytes else {
            throw ObjectStoreError(code: .noCredentials, message: "\(path) is no file of credentials. Name another.")
        }
        guard status.st_mode & 0o077 == 0, [0, geteuid()].contains(status.st_uid) else {
            throw ObjectStoreError(
                code: .noCredentials, message: "Others can use \(path). Run chmod 600 on it, as its owner.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func credentials(
        in text: String, profile: String, _ path: String
    ) throws(ObjectStoreError) -> S3Credentials {
        var (section, values) = ("", [String: String]())
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast().trimmed)
            } else if section == profile, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
                values[line[..<equals].trimmed.lowercased()] = String(line[line.index(after: equals)...].trimmed)
            }
        }
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"], !key.isEmpty,
            !secret.isEmpty
        else {
            throw ObjectStoreError(
                code: .noCredentials,
                message:
                    "\(path) has no aws_access_key_id and aws_secret_access_key in a section [\(profile)]. Write them.")
        }
        return S3Credentials(accessKey: key, secretKey: secret, sessionToken: values["aws_session_token"])
    }
}

extension StringProtocol {
    /// The text without white space around it.
    var trimmed: SubSequence {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? self[startIndex..<startIndex]
    }
}

/// The present credentials of a store.
actor S3CredentialCache {
    private let source: S3CredentialSource
    private let now: @Sendable () -> Date
    private var present: S3Credentials?

    init(_ source: S3CredentialSource, now: @escaping @Sendable () -> Date) {
        (self.source, self.now) = (source, now)
    }

    /// Good ones, by the source's word.
    func credentials() async throws -> S3Credentials {
        if let present, present.expiresAt.map({ $0 > now().addingTimeInterval(60) }) ?? true { return present }
        let fresh = try await source.credentials()
        present = fresh
        return fresh
    }

    /// Asks the source after a refusal.
    ///
    /// - Returns: True if it has others than those that were refused.
    func replace(_ refused: S3Credentials) async throws -> Bool {
        if let present, !present.isSame(as: refused) { return true }
        let fresh = try await source.credentials()
        present = fresh
        return !fresh.isSame(as: refused)
    }
}
