// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import MCP

@Suite struct JSONRPCSessionTests {
    private func answer(_ id: JSONRPCID) -> JSONRPCMessage.Reading { .message(.result(id: id, ["ok": true])) }

    private func progress(_ id: JSONRPCID, _ value: Double) -> JSONRPCMessage.Reading {
        .message(
            .notification(
                method: "notifications/progress",
                parameters: ["progressToken": id.json, "progress": .double(value)]))
    }

    @Test func requestEndsOnce() {
        var session = JSONRPCSession()
        let id = session.begin(now: .zero, idle: nil, longest: nil)
        #expect(session.received(answer(id), now: .zero) == [.finish(id, .result(["ok": true]))])
        #expect(session.received(answer(id), now: .zero) == [.complain(.unknownAnswer(id))])
        #expect(session.abandon(id, reason: "late").isEmpty)
    }

    @Test func cancellationIsTold() {
        var session = JSONRPCSession()
        let id = session.begin(now: .zero, idle: nil, longest: nil)
        let handshake = session.begin(now: .zero, idle: nil, longest: nil, isCancellable: false)
        #expect(
            session.abandon(id, reason: "why") == [
                .send(
                    .notification(
                        method: "notifications/cancelled", parameters: ["requestId": id.json, "reason": "why"]))
            ])
        #expect(session.abandon(handshake, reason: "why").isEmpty)
        #expect(session.pendingIDs.isEmpty)
    }

    @Test func progressMovesTheDeadlineUpToTheLongest() {
        var session = JSONRPCSession()
        let id = session.begin(now: .seconds(1), idle: .seconds(10), longest: .seconds(25))
        #expect(session.deadline(of: id) == .seconds(11))
        #expect(session.received(progress(id, 1), now: .seconds(8)).count == 1)
        #expect(session.deadline(of: id) == .seconds(18))
        #expect(session.received(progress(id, 1), now: .seconds(9)) == [.complain(.unexpectedProgress)])
        #expect(session.deadline(of: id) == .seconds(18), "progress that stands still is none")
        _ = session.received(progress(id, 2), now: .seconds(17))
        #expect(session.deadline(of: id) == .seconds(26))
        _ = session.received(answer(id), now: .seconds(20))
        #expect(session.deadline(of: id) == nil)
    }

    @Test func theirRequestsAreAnsweredAtMostOnce() {
        var session = JSONRPCSession()
        let request = JSONRPCMessage.Reading.message(.request(id: .string("a"), method: "m", parameters: [:]))
        #expect(session.received(request, now: .zero) == [.serve(.string("a"), method: "m", parameters: [:])])
        #expect(session.received(request, now: .zero) == [.complain(.repeatedRequest(.string("a")))])
        #expect(session.answered(.string("a"), .result([:])) == [.send(.result(id: .string("a"), [:]))])
        #expect(session.answered(.string("a"), .result([:])).isEmpty)
        _ = session.received(request, now: .zero)
        let cancellation = JSONRPCMessage.Reading.message(
            .notification(method: "notifications/cancelled", parameters: ["requestId": "a"]))
        #expect(session.received(cancellation, now: .zero) == [.stopServing(.string("a"))])
        #expect(session.answered(.string("a"), .result([:])).isEmpty)
    }

    @Test func brokenRequestIsOwedAnAnswer() {
        var session = JSONRPCSession()
        let reading = JSONRPCMessage.read(Array(#"{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}"#.utf8))
        let actions = session.received(reading[0], now: .zero)
        #expect(actions.count == 2)
        guard case .send(.failure(.integer(7), let fault))? = actions.last else {
            Issue.record("no answer")
            return
        }
        #expect(fault.code == JSONRPCFault.invalidRequest)
        let broken = JSONRPCMessage.read(Array(#"{"jsonrpc":"1.0","id":7,"result":1}"#.utf8))
        #expect(session.received(broken[0], now: .zero).count == 1, "an answer is never answered")
    }

    /// Random steps of both sides against a list of what is open, with the seed in the failure.
    @Test(arguments: 1...200) func anyOrderOfStepsEndsEachRequestOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var session = JSONRPCSession()
        var open: Set<JSONRPCID> = []
        var ended: [JSONRPCID: Int] = [:]
        var serving: Set<JSONRPCID> = []
        var now = Duration.zero
        for _ in 0..<300 {
            now += .milliseconds(Int.random(in: 0...50, using: &random))
            let some = JSONRPCID.integer(Int.random(in: 0...60, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                let id = session.begin(now: now, idle: .seconds(1), longest: .seconds(5))
                #expect(open.insert(id).inserted && ended[id] == nil, "seed \(seed)")
            case 2, 3:
                let actions = session.received(answer(some), now: now)
                let isOpen = open.remove(some) != nil
                #expect(
                    actions == [isOpen ? .finish(some, .result(["ok": true])) : .complain(.unknownAnswer(some))],
                    "seed \(seed)")
                if isOpen { ended[some, default: 0] += 1 }
            case 4:
                let actions = session.abandon(some, reason: "x")
                #expect(actions.count == (open.remove(some) == nil ? 0 : 1), "seed \(seed)")
            case 5:
                let actions = session.received(progress(some, now / .seconds(1)), now: now)
                if open.contains(some), case .progress(let id, _)? = actions.first {
                    #expect(id == some, "seed \(seed)")
                    #expect(session.deadline(of: some).map { $0 <= now + .seconds(1) } == true, "seed \(seed)")
                } else {
                    #expect(actions == [.complain(.unexpectedProgress)], "seed \(seed)")
                }
            case 6:
                let request = JSONRPCMessage.Reading.message(.request(id: some, method: "m", parameters: [:]))
                let isNew = serving.insert(some).inserted
                let expected: JSONRPCSession.Action =
                    isNew ? .serve(some, method: "m", parameters: [:]) : .complain(.repeatedRequest(some))
                #expect(session.received(request, now: now) == [expected], "seed \(seed)")
            case 7:
                let wasServed = serving.remove(some) != nil
                #expect(session.answered(some, .result(1)).count == (wasServed ? 1 : 0), "seed \(seed)")
            default:
                guard Int.random(in: 0..<20, using: &random) == 0 else { continue }
                #expect(session.reset() == open, "seed \(seed)")
                open = []
                serving = []
            }
            #expect(session.pendingIDs == open, "seed \(seed)")
        }
        #expect(ended.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    }
}
