// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit
import Testing

@testable import EchoSimulator

@Suite struct ScenarioFileTests {
    @Test(
        arguments: [
            (["turn": []], "turn"), (["dialect": "gemini"], "dialect"), (["turns": [["answer": 5]]], "turns[0].answer"),
            (["turns": [["times": 0]]], "turns[0].times"),
            (["turns": [["expect": ["saiz": "x"]]]], "turns[0].expect.saiz"),
            (["turns": [[:], ["faults": [["cutt": [:]]]]]], "turns[1].faults[0]"),
            (["turns": [["faults": [["cut": ["after": 1]]]]]], "turns[0].faults[0].cut.after"),
            (["turns": [["faults": [["status": 200]]]]], "turns[0].faults[0].status"),
            (["turns": [["faults": [["status": 429, "retry": ["minutes": 1]]]]]], "turns[0].faults[0].retry.minutes"),
            (["turns": [["answer": ["items": [["message": "a", "refusal": "b"]]]]]], "turns[0].answer.items[0]"),
            (
                ["turns": [["answer": ["items": [["function_call": ["arguments": [:]]]]]]]],
                "turns[0].answer.items[0].function_call.name"
            ),
            (["turns": [["answer": "x", "events": []]]], "turns[0]"),
            (["turns": [["events": [["delta": "x"]]]]], "turns[0].events[0].type"),
            (["turns": [["status": 200]]], "turns[0]"), (["turns": [["pace": ["chunk": 0]]]], "turns[0].pace.chunk"),
            (["turns": [["answer": ["usage": ["input": 1]]]]], "turns[0].answer.usage.output"),
        ] as [(JSONValue, String)])
    func aMistakeIsToldWithItsPlace(json: JSONValue, path: String) {
        let error = #expect(throws: ScenarioError.self) { try Scenario(json: json) }
        #expect(error?.path == path, "\(error?.description ?? "")")
    }

    @Test func whatIsNotJSONIsAnError() {
        #expect(throws: ScenarioError.self) { try Scenario(parsing: Array("{".utf8)) }
        #expect(throws: ScenarioError.self) { try Scenario(parsing: Array("[]".utf8)) }
    }

    /// Any piece of a file, put in place of any other or left out, is read or refused.
    @Test func mutatedFilesAreReadOrRefused() throws {
        let names = ScenarioFixture.names.filter { $0 != "every-event" }
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let values: [JSONValue] = [nil, true, -1, 1e300, "", [], [:], [[:]], ["type": 1]]
        for name in names {
            let bytes = try ScenarioFixture.bytes(name)
            for _ in 0..<200 {
                var json = try JSONValue(parsing: bytes)
                Self.mutate(&json, values, &random)
                do { _ = try Scenario(json: json) } catch {
                    #expect(!error.message.isEmpty, "seed \(seed), \(name)")
                }
            }
        }
    }

    private static func mutate(_ json: inout JSONValue, _ values: [JSONValue], _ random: inout SeededGenerator) {
        if Int.random(in: 0..<4, using: &random) == 0 {
            json = values.randomElement(using: &random) ?? nil
            return
        }
        switch json {
        case .object(var object):
            guard let name = object.names.randomElement(using: &random), var member = object[name] else { return }
            mutate(&member, values, &random)
            object[name] = Int.random(in: 0..<8, using: &random) == 0 ? nil : member
            json = .object(object)
        case .array(var elements):
            guard let place = elements.indices.randomElement(using: &random) else { return }
            mutate(&elements[place], values, &random)
            json = .array(elements)
        default: json = values.randomElement(using: &random) ?? nil
        }
    }

    @Test func turnsMatchByWhatTheyExpect() async throws {
        var scenario = Scenario(
            [
                .init(.message("A"), match: .init(says: "apple")),
                .init(.message("B"), match: .init(body: ["metadata": ["$absent": true], "model": "gpt-5-mini"])),
                .init(.message("C"), match: .init(body: ["metadata": ["tag": ["$any": true]]]), times: 2),
            ], otherwise: .refuse)
        try await withSimulator(scenario) { _, client in
            func said(_ body: JSONValue) async throws -> String? {
                let json = try await client.respond(body).json
                return json["output"]?[0]?["content"]?[0]?["text"]?.string ?? json["error"]?["code"]?.string
            }
            let tagged: JSONValue = ["model": "gpt-5-mini", "input": "x", "metadata": ["tag": "1"]]
            let apple: JSONValue = ["model": "gpt-5-mini", "input": "An Apple"]
            var answers: [String?] = []
            for body in [tagged, apple, apple, apple, tagged, tagged] { answers.append(try await said(body)) }
            #expect(answers == ["C", "A", "B", "no_matching_turn", "C", "no_matching_turn"])
        }
        scenario.isOrdered = true
        try await withSimulator(scenario) { _, client in
            var statuses: [Int] = []
            for said in ["pear", "apple", "pear"] {
                statuses.append(try await client.respond(["model": "gpt-5-mini", "input": .string(said)]).status)
            }
            #expect(statuses == [400, 200, 200])
        }
    }
}
