// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Echo

@Suite("Answers one at a time, with a server at the other end of a slow line")
struct ResponseGatePropertyTests {
    /// What became of each request.
    private struct Fates {
        var ends: [String: [ResponseGate.Action]] = [:]

        mutating func take(_ action: ResponseGate.Action) {
            switch action {
            case .answering(let request, _), .dropped(let request, _): ends[request, default: []].append(action)
            case .create, .cancel, .lost: break
            }
        }
    }

    private struct Run {
        var gate = ResponseGate()
        var server = ScriptedResponseServer()
        var fates = Fates()
        var now = Duration.zero

        mutating func take(_ actions: [ResponseGate.Action]) {
            for action in actions {
                fates.take(action)
                switch action {
                case .create(let request): server.up.append(.create(request))
                case .cancel(let id): server.up.append(.cancel(id))
                case .answering, .dropped, .lost: break
                }
            }
        }

        mutating func handle(_ event: ResponseGate.Event) { take(gate.handle(event, at: now)) }

        mutating func deliver() {
            guard !server.down.isEmpty else { return }
            handle(server.down.removeFirst())
        }
    }

    private func run(seed: UInt64, serverBegins: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var run = Run()
        var requests: [String: Set<String>] = [:]
        for step in 0..<150 {
            run.now += .milliseconds(1)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<3:
                let items: Set<String> = Bool.random(using: &random) ? ["item\(step)"] : []
                for item in items { run.server.up.append(.item(item)) }
                requests["r\(step)"] = items
                let special = Int.random(in: 0..<4, using: &random) == 0
                let response = special ? RealtimeResponseRequest(instructions: "\(step)") : nil
                run.handle(.request(ResponseGate.Request(id: "r\(step)", response: response, items: items)))
            case 3 where Int.random(in: 0..<3, using: &random) == 0: run.handle(.interrupt)
            case 4..<10: run.server.receive(failing: Int.random(in: 0..<8, using: &random) == 0)
            case 10..<16: run.deliver()
            case 16 where serverBegins:
                run.server.up.append(.speech)
                if Bool.random(using: &random) { run.handle(.expectServerResponse) }
            default: if Int.random(in: 0..<3, using: &random) == 0 { run.server.end() }
            }
        }
        // Everything on its way arrives, and answers end.
        for _ in 0..<600 {
            run.now += .milliseconds(20)
            run.take(run.gate.advance(to: run.now))
            run.server.receive(failing: false)
            if run.server.down.isEmpty { run.server.end() }
            run.deliver()
        }
        try #require(!run.gate.isBusy && run.gate.waiting.isEmpty, "seed \(seed)")
        if !serverBegins { try #require(run.server.refusals == 0, "seed \(seed)") }
        try #require(Set(run.fates.ends.keys) == Set(requests.keys), "seed \(seed)")
        for (request, ends) in run.fates.ends {
            try #require(ends.count == 1, "seed \(seed): \(ends)")
            switch ends[0] {
            case .dropped(_, let reason):
                try #require(reason != .refused(code: "conversation_already_has_active_response"))
            case .answering(_, let id):
                let answer = try #require(run.server.answers[id], "seed \(seed)")
                try #require(requests[request, default: []].isSubset(of: answer.items), "seed \(seed): \(request)")
            default: Issue.record("\(ends)")
            }
        }
    }

    @Test("The server never has to refuse, and every request has one fate", arguments: 0..<20 as Range<UInt64>)
    func clientBegins(part: UInt64) throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 { try run(seed: part << 32 + seed, serverBegins: false) }
    }

    @Test("Where the server begins answers by itself, its refusals are not seen", arguments: 0..<20 as Range<UInt64>)
    func serverBegins(part: UInt64) throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 { try run(seed: part << 32 + seed, serverBegins: true) }
    }
}
