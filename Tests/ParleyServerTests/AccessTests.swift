// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Networking
import SyncWire
import Testing

@testable import ParleyServer

/// Nobody gets at what is somebody else's, at any address that docs/api/openapi.yaml has.
@Suite(.timeLimit(.minutes(5))) struct AccessTests {
    /// What Ada has.
    private struct Belongings: Sendable {
        let recording: SoundSample
        let upload: SoundSample
        let result: String
        /// An object of a group of devices.
        var object = SyncSample.name(7)
    }

    /// What happens to somebody who is signed in and asks for Ada's.
    private enum Fate: Sendable {
        /// It is not there for them.
        case notFound
        /// They get something, and nothing of Ada's is in it.
        case own(Int)
        /// It is the same for everybody who has signed in.
        case common(Int)
    }

    private struct Case: Sendable {
        var headers: HTTPHeaders = [:]
        var json: String?
        /// The path with a name of Ada's in it; `nil` for the one of openapi.yaml.
        var path: (@Sendable (Belongings) -> String)?
        var fate: Fate
    }

    /// What anybody may ask, with the reason.
    private static let open: [String: String] = [
        "POST /otp": "signing in", "GET /verify": "signing in", "POST /verify": "signing in",
        "POST /verify/confirm": "signing in", "POST /token": "signing in", "GET /settings": "how to sign in",
        "GET /health": "the server's name",
        "GET /.well-known/jwks.json": "public keys", "GET /healthz": "the operator's", "GET /readyz": "the operator's",
        "OPTIONS /uploads": "what tus can do", "OPTIONS /uploads/{id}": "what tus can do",
    ]

    private static func cases(_ result: String, _ sample: SoundSample) throws -> [String: Case] {
        let tus = ServerFixture.tus
        var (create, piece) = (tus, tus)
        (create["Upload-Length"], create["Upload-Metadata"]) = ("10", SoundSample.metadata(try sample.values))
        (piece["Upload-Offset"], piece["Content-Type"]) = ("0", "application/offset+octet-stream")
        let recording = { @Sendable (rest: String) in
            { @Sendable (has: Belongings) in "/recordings/\(has.recording.id)" + rest }
        }
        let upload: @Sendable (Belongings) -> String = { "/uploads/\($0.upload.id)" }
        let practice: @Sendable (Belongings) -> String = { "/practice/\($0.result)" }
        let group = { @Sendable (rest: String) in { @Sendable (_: Belongings) in SyncSample.path + rest } }
        let object: @Sendable (Belongings) -> String = { "\(SyncSample.path)/objects/\($0.object)" }
        return [
            "GET /user": Case(fate: .own(200)), "PUT /user": Case(json: #"{"data":{"a":1}}"#, fate: .own(200)),
            "GET /sessions": Case(fate: .own(200)),
            "DELETE /sessions/{id}": Case(
                path: { _ in "/sessions/\(UUID().uuidString.lowercased())" }, fate: .own(403)),
            "GET /cues": Case(fate: .common(200)),
            "GET /cues/{id}": Case(path: { _ in "/cues/\(StarterCues.all[0].id)" }, fate: .common(200)),
            "GET /changes": Case(fate: .own(200)), "GET /practice": Case(fate: .own(200)),
            "POST /practice": Case(json: #"{"items":[]}"#, fate: .own(204)),
            "PUT /practice/{id}": Case(json: result, path: practice, fate: .own(201)),
            "GET /practice/{id}": Case(path: practice, fate: .notFound),
            "DELETE /practice/{id}": Case(path: practice, fate: .notFound),
            "POST /uploads": Case(headers: create, fate: .own(201)),
            "HEAD /uploads/{id}": Case(headers: tus, path: upload, fate: .notFound),
            "PATCH /uploads/{id}": Case(headers: piece, path: upload, fate: .notFound),
            "DELETE /uploads/{id}": Case(headers: tus, path: upload, fate: .notFound),
            "GET /recordings": Case(fate: .own(200)),
            "GET /recordings/{id}": Case(path: recording(""), fate: .notFound),
            "DELETE /recordings/{id}": Case(path: recording(""), fate: .notFound),
            "GET /recordings/{id}/content": Case(path: recording("/content"), fate: .notFound),
            "GET /recordings/{id}/evaluation": Case(path: recording("/evaluation"), fate: .notFound),
            "GET /recordings/{id}/evaluation/events": Case(path: recording("/evaluation/events"), fate: .notFound),
            "GET /rpc/me": Case(fate: .own(200)), "GET /rpc/app_config": Case(fate: .common(200)),
            "POST /rpc/heartbeat": Case(fate: .own(204)), "GET /account/export": Case(fate: .own(200)),
            "DELETE /account/data": Case(fate: .own(200)), "DELETE /account": Case(fate: .own(200)),
            "POST /logout": Case(fate: .own(204)),
            "GET /sync/{group}/objects": Case(path: group("/objects"), fate: .own(200)),
            "GET /sync/{group}/events": Case(path: group("/events"), fate: .own(200)),
            "GET /sync/{group}/objects/{name}": Case(path: object, fate: .notFound),
            "PUT /sync/{group}/objects/{name}": Case(
                headers: ["Content-Type": "application/octet-stream"], json: "Bob's", path: object, fate: .own(201)),
            "DELETE /sync/{group}/objects/{name}": Case(path: object, fate: .own(204)),
        ]
    }

    /// The operations of openapi.yaml, as method and path.
    private static func documented() throws -> Set<String> {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/api/openapi.yaml")
        var (operations, path) = (Set<String>(), "")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let match = line.wholeMatch(of: /\ \ (\/[^ :]*):/) { path = String(match.output.1) }
            if line.wholeMatch(of: /[a-z]+:/) != nil { path = "" }
            if !path.isEmpty, let match = line.wholeMatch(of: /\ {4}(get|put|post|patch|delete|head|options):/) {
                operations.insert("\(match.output.1.uppercased()) \(path)")
            }
        }
        return operations
    }

    @Test func theDocumentHasEveryRouteAndEveryRouteHasACase() async throws {
        let fixture = try await ServerFixture()
        let routes = Set(fixture.server.routes.map { "\($0.method.rawValue) \($0.pattern)" })
        let documented = try Self.documented()
        #expect(routes == documented, "\(routes.symmetricDifference(documented).sorted())")
        let tried = Set(try Self.cases("", SoundSample(1)).keys).union(Self.open.keys)
        #expect(tried == documented, "\(tried.symmetricDifference(documented).sorted())")
        await fixture.stop()
    }

    @Test func withoutAGoodTokenNothingIsAnswered() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let has = try await belongings(fixture, ada)
        let late = try await fixture.signIn("late@example.org")
        _ = try await fixture.call(.post, "/logout", as: late)
        let strangers = [
            nil, Person(account: "", token: "nonsense"), Person(account: "", token: try forged(ada.token)),
        ]
        for (operation, `case`) in try Self.cases(result(UUID().uuidString), SoundSample(10)) {
            for stranger in strangers {
                let answer = try await ask(operation, `case`, has, as: stranger, fixture)
                #expect(answer.status == 401, "\(operation): \(answer.status)")
                #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true, "\(operation)")
                #expect(answer.headers["Cache-Control"] == "no-store", "\(operation)")
            }
            #expect(try await ask(operation, `case`, has, as: late, fixture).status == 403, "\(operation)")
        }
        await fixture.stop()
    }

    @Test func whatIsSomebodyElsesIsNotThere() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let bob = try await fixture.signIn("bob@example.org")
        // Deleting an account ends its sessions.
        let carol = try await fixture.signIn("carol@example.org")
        let has = try await belongings(fixture, ada)
        let before = try await inventory(fixture, ada)
        let mine = SoundSample(10, seed: 77)
        let cases = try Self.cases(result(has.result), mine)
        let secrets = [
            has.recording.id, has.upload.id, ada.account, "ada@example.org", "Ada's own sentence", has.object.text,
        ]
        // Signing out comes last, since it ends the session.
        for operation in cases.keys.filter({ $0 != "POST /logout" }).sorted() + ["POST /logout"] {
            let `case` = try #require(cases[operation])
            let stranger = operation == "DELETE /account" ? carol : bob
            let answer = try await ask(operation, `case`, has, as: stranger, fixture)
            switch `case`.fate {
            case .notFound:
                #expect(answer.status == 404, "\(operation): \(answer.status)")
                let unknown = try await ask(operation, `case`, Self.nobodys, as: bob, fixture)
                #expect(unknown.status == 404 && Self.bare(unknown) == Self.bare(answer), "\(operation) tells apart")
            case .own(let status), .common(let status):
                #expect(answer.status == status, "\(operation): \(answer.status)")
            }
            for secret in secrets { #expect(!text(answer).contains(secret), "\(operation) shows \(secret)") }
        }
        #expect(try await inventory(fixture, ada) == before)
        await fixture.stop()
    }

    // MARK: Steps

    /// The token with one bit of its signature changed.
    private func forged(_ token: String) throws -> String {
        var characters = Array(token)
        let place = characters.count - 40
        characters[place] = characters[place] == "A" ? "B" : "A"
        return String(characters)
    }

    private static let nobodys = Belongings(
        recording: SoundSample(1), upload: SoundSample(1), result: UUID().uuidString.lowercased(),
        object: SyncSample.name(8))

    /// An answer without what differs from request to request.
    private static func bare(_ answer: Answer) -> String {
        text(answer).replacing(/"request_id":"[^"]*"/, with: "")
    }

    private func ask(
        _ operation: String, _ case: Case, _ has: Belongings, as person: Person?, _ fixture: ServerFixture
    ) async throws -> Answer {
        let parts = operation.split(separator: " ").map(String.init)
        var headers = `case`.headers
        if let person { headers["Authorization"] = "Bearer \(person.token)" }
        // A stream that has no end: its first event tells what there is.
        if parts[1].hasPrefix("/sync/"), parts[1].hasSuffix("/events"), let person {
            let response = try await fixture.syncEvents(as: person)
            guard response.status == 200 else {
                return (response.status, response.headers, try await response.body.collect(upTo: 1 << 20))
            }
            var reader = SyncEventReader(response)
            let event = try await reader.next()
            return (response.status, response.headers, Array((event?.data ?? "").utf8))
        }
        return try await fixture.send(
            HTTPMethod(rawValue: parts[0]), `case`.path?(has) ?? parts[1], headers: headers,
            body: `case`.json.map { Array($0.utf8) }, type: headers["Content-Type"] ?? "application/json")
    }

    private func result(_ id: String) -> String {
        #"{"id":"\#(id)","cue":"\#(StarterCues.all[0].id)","cue_text":"words","language":"en","recording":null,"#
            + #""practised_at":"2026-01-31T12:00:00.000Z","day":"2026-01-31","rating":3,"evaluation":null}"#
    }

    private func belongings(_ fixture: ServerFixture, _ person: Person) async throws -> Belongings {
        let has = Belongings(
            recording: SoundSample(300), upload: SoundSample(300, seed: 2), result: UUID().uuidString.lowercased())
        try await fixture.upload(has.recording, as: person)
        _ = try await fixture.create(has.upload, as: person)
        _ = try await fixture.patch(has.upload.id, has.upload.bytes[..<100], at: 0, as: person)
        let own = result(has.result).replacing("words", with: "Ada's own sentence")
        try #require(try await fixture.call(.put, "/practice/\(has.result)", as: person, json: own).status == 201)
        let object = "\(SyncSample.path)/objects/\(has.object)"
        try #require(try await fixture.putObject(object, Array("Ada's own sentence".utf8), as: person).status == 201)
        return has
    }

    /// Everything of a person's that can be asked for.
    private func inventory(_ fixture: ServerFixture, _ person: Person) async throws -> [String] {
        let object = "/objects/\(SyncSample.name(7))"
        let paths = ["/practice", "/recordings", "/rpc/me", SyncSample.path + "/objects", SyncSample.path + object]
        let lists = try await paths.asyncMap {
            text(try await fixture.call(.get, $0, as: person))
        }
        let files = try fixture.soundFiles.filter { $0.hasPrefix(person.account) }.sorted()
        return lists + files
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
