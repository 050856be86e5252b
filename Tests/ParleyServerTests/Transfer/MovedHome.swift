// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import DomainTestSupport
import Foundation
import Networking
import PracticeWire
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// The people of a server that moves, and everything that they must find after it.
struct MovedHome: Sendable {
    /// The same for every server, so that tokens of one are tokens of the next.
    static let address = "http://127.0.0.1:1"

    let people: [Person]
    let refresh: String
    let results: [String]
    let sounds: [SoundSample]
    let begun: SoundSample
    let cursor: String

    static func start(
        _ home: TemporaryFolder, _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws -> ServerFixture {
        try await ServerFixture(home: home) { options in
            options.clock = .system
            options.publicAddress = address
            options.evaluator = FixedEvaluator(evaluation: PracticeSamples.evaluation())
            change(&options)
        }
    }

    /// Two people practise at a server.
    init(at fixture: ServerFixture) async throws {
        let people = try await [fixture.signIn("ada@example.org"), fixture.signIn("bob@example.org")]
        let mail = try await fixture.askForMail("eve@example.org")
        refresh = try await fixture.tokens(
            "/verify", ["type": "email", "email": "eve@example.org", "token": mail.code]
        ).refreshToken
        var (results, sounds) = ([String](), [SoundSample]())
        for number in 0..<6 {
            let result = try PracticeSamples.result()
            let json = String(decoding: try WireJSON.encode(PracticeResultDTO(result)), as: UTF8.self)
            try #require(
                try await fixture.call(.put, "/practice/\(result.id)", as: people[number % 2], json: json).status == 201
            )
            results.append("\(result.id)")
        }
        // A result that was deleted leaves a mark.
        let gone = results.removeLast()
        try #require(try await fixture.call(.delete, "/practice/\(gone)", as: people[1]).status == 204)
        for number in 0..<2 {
            let sample = SoundSample(3_000, seed: UInt64(number + 1))
            try await fixture.upload(sample, as: people[number])
            sounds.append(sample)
        }
        try await eventually("both recordings are evaluated") { [sounds] in
            for (sample, person) in zip(sounds, people) {
                let answer = try await fixture.call(.get, "/recordings/\(sample.id)/evaluation", as: person)
                guard text(answer).contains("\"done\"") else { return false }
            }
            return true
        }
        begun = SoundSample(500, seed: 9)
        try #require(try await fixture.create(begun, as: people[0]).status == 201)
        try #require(try await fixture.patch(begun.id, begun.bytes.prefix(200), at: 0, as: people[0]).status == 204)
        for number in 1...2 {
            try #require(
                try await fixture.putObject(SyncSample.path(number), [UInt8(number)], as: people[0]).status == 201)
        }
        try #require(try await fixture.call(.post, "/rpc/heartbeat", as: people[0]).status == 204)
        let changes: PracticeChangesDTO = try decoded(await fixture.call(.get, "/changes", as: people[0]))
        (cursor, self.people, self.results, self.sounds) = (changes.next, people, results, sounds)
    }

    /// Looks whether everything is there.
    func check(at fixture: ServerFixture) async throws {
        for (number, id) in results.enumerated() {
            #expect(try await fixture.call(.get, "/practice/\(id)", as: people[number % 2]).status == 200)
        }
        for (sample, person) in zip(sounds, people) {
            #expect(
                try await fixture.call(.get, "/recordings/\(sample.id)/content", as: person).body == sample.bytes)
            #expect(
                text(try await fixture.call(.get, "/recordings/\(sample.id)/evaluation", as: person)).contains(
                    "\"done\""))
        }
        #expect(try await fixture.listObjects(as: people[0]).objects.count == 2)
        #expect(try await fixture.call(.get, "/cues?limit=50", as: people[0]).body.count > 1_000)
        // Another result is a change after the cursor of before.
        let result = try PracticeSamples.result()
        let json = String(decoding: try WireJSON.encode(PracticeResultDTO(result)), as: UTF8.self)
        #expect(try await fixture.call(.put, "/practice/\(result.id)", as: people[0], json: json).status == 201)
        let changes = try await fixture.call(.get, "/changes?after=\(cursor)", as: people[0])
        #expect(text(changes).contains("\(result.id)"))
        // A new evaluation gets a number of its own.
        let sample = SoundSample(800, seed: 77)
        try await fixture.upload(sample, as: people[1])
        try await eventually("a new recording is evaluated") {
            text(try await fixture.call(.get, "/recordings/\(sample.id)/evaluation", as: people[1])).contains(
                "\"done\"")
        }
    }
}

/// Finds the same in every recording.
struct FixedEvaluator: SoundEvaluator {
    let evaluation: Evaluation

    func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation { evaluation }
}
