// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct QueryStateTests {
    private static let answer = AssistantAnswer(text: "The capital of Texas is Austin.", source: .states)
    private static let idle = QueryState.idle
    private static let loading = QueryState.loading(question: "old")
    private static let success = QueryState.success(answer)
    private static let error = QueryState.error(.invalidQuery, question: "old")

    /// The complete table: every state with every event; `nil` where the event changes nothing.
    private static let table: [(from: QueryState, event: QueryState.Event, to: QueryState?)] = [
        (idle, .submit("new"), .loading(question: "new")),
        (idle, .succeed(answer), nil),
        (idle, .fail(.noSpeech), nil),
        (idle, .retry, nil),
        (idle, .reset, nil),
        (loading, .submit("new"), nil),
        (loading, .succeed(answer), success),
        (loading, .fail(.noSpeech), .error(.noSpeech, question: "old")),
        (loading, .retry, nil),
        (loading, .reset, nil),
        (success, .submit("new"), .loading(question: "new")),
        (success, .succeed(answer), nil),
        (success, .fail(.noSpeech), nil),
        (success, .retry, nil),
        (success, .reset, idle),
        (error, .submit("new"), nil),
        (error, .succeed(answer), nil),
        (error, .fail(.noSpeech), nil),
        (error, .retry, .loading(question: "old")),
        (error, .reset, idle),
    ]

    @Test(arguments: table.indices)
    func transition(_ index: Int) {
        let row = Self.table[index]
        #expect(row.from.after(row.event) == row.to, "\(row.from) after \(row.event)")
    }

    @Test func theTableIsComplete() {
        #expect(Self.table.count == 4 * 5)
        for (index, row) in Self.table.enumerated() {
            #expect(!Self.table[..<index].contains { $0.from == row.from && $0.event == row.event })
        }
    }

    @Test func aLateAnswerDoesNotOverwriteWhatCameAfter() throws {
        let asked = try #require(QueryState.idle.after(.submit("first")))
        let failed = try #require(asked.after(.fail(.invalidQuery)))
        #expect(failed.after(.succeed(Self.answer)) == nil)
        #expect(try #require(failed.after(.reset)).after(.succeed(Self.answer)) == nil)
    }
}
