// SPDX-License-Identifier: MIT

import Digests
import Foundation
import Networking
import TestKit
import Testing

/// Somebody who has signed in.
struct Person: Sendable {
    let account: String
    let token: String
}

/// An answer with its body.
typealias Answer = (status: Int, headers: HTTPHeaders, body: [UInt8])

extension ServerFixture {
    func signIn(_ email: String) async throws -> Person {
        let mail = try await askForMail(email)
        let tokens = try await tokens("/verify", ["type": "email", "email": email, "token": mail.code])
        struct User: Decodable {
            let id: String
        }
        let user = try await get("/user", token: tokens.accessToken)
        return Person(
            account: try JSONDecoder().decode(User.self, from: Data(user.body)).id, token: tokens.accessToken)
    }

    /// A request of somebody's.
    func call(
        _ method: HTTPMethod, _ path: String, as person: Person?, headers: HTTPHeaders = [:], json: String? = nil
    ) async throws -> Answer {
        try await send(method, path, token: person?.token, headers: headers, body: json.map { Array($0.utf8) })
    }
}

func text(_ answer: Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

func decoded<Value: Decodable>(_ answer: Answer) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(answer.body))
}

/// Sound to send: any bytes do, the server does not listen while it takes them.
struct SoundSample: Sendable {
    let id: String
    let bytes: [UInt8]
    var cue = "11111111-2222-4333-8444-555555555555"
    var createdAt = "2026-01-31T12:00:00.000Z"

    init(_ bytes: [UInt8], id: String = UUID().uuidString.lowercased()) {
        (self.bytes, self.id) = (bytes, id)
    }

    /// The bytes depend on the seed alone.
    init(_ count: Int, seed: UInt64 = 1, id: String = UUID().uuidString.lowercased()) {
        self.id = id
        var state = seed
        bytes = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    var hash: String {
        get throws {
            Hexadecimal.text(try MessageDigest.hash(bytes, .sha256))
        }
    }

    var values: [String: String] {
        get throws {
            [
                "id": id, "cue": cue, "created_at": createdAt, "duration": "1.5", "format": "flac",
                "sample_rate": "16000", "sha256": try hash,
            ]
        }
    }

    static func metadata(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
            .joined(separator: ",")
    }
}

extension ServerFixture {
    static let tus: HTTPHeaders = ["Tus-Resumable": "1.0.0"]

    /// Creates an upload.
    func create(
        _ sample: SoundSample, as person: Person, length: String? = nil, changing changes: [String: String?] = [:]
    ) async throws -> Answer {
        var values = try sample.values
        for (key, value) in changes { values[key] = value }
        var headers = Self.tus
        headers["Upload-Length"] = length ?? "\(sample.bytes.count)"
        headers["Upload-Metadata"] = SoundSample.metadata(values)
        return try await call(.post, "/uploads", as: person, headers: headers)
    }

    /// Sends a piece.
    func patch(
        _ id: String, _ bytes: some Collection<UInt8>, at offset: Int, as person: Person, headers: HTTPHeaders = [:]
    ) async throws -> Answer {
        var all = Self.tus
        all["Upload-Offset"] = "\(offset)"
        for field in headers { all[field.name] = field.value }
        return try await send(
            .patch, "/uploads/\(id)", token: person.token, headers: all, body: Array(bytes),
            type: "application/offset+octet-stream")
    }

    func head(_ id: String, as person: Person) async throws -> Answer {
        try await call(.head, "/uploads/\(id)", as: person, headers: Self.tus)
    }

    /// Throws an upload away; gives the status.
    func terminate(_ id: String, as person: Person) async throws -> Int {
        try await call(.delete, "/uploads/\(id)", as: person, headers: Self.tus).status
    }

    /// Sends all of a recording.
    func upload(_ sample: SoundSample, as person: Person) async throws {
        try #require(try await create(sample, as: person).status == 201)
        try #require(try await patch(sample.id, sample.bytes, at: 0, as: person).status == 204)
    }

    /// Names of the sound files that there are.
    var soundFiles: Set<String> {
        get throws {
            let root = home.path + "/recordings"
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root)
            return Set(paths.filter { $0.contains("/") })
        }
    }
}
