// SPDX-License-Identifier: MIT

import Echo
import TestKit
import Testing

@Suite struct ResponseAssemblyTests {
    private func assembly(_ texts: [String]) throws -> ResponseAssembly {
        var assembly = ResponseAssembly()
        for text in texts { assembly.apply(try ResponseStreamEvent(parsing: text.utf8.span)) }
        return assembly
    }

    private let created = #"{"type":"response.created","response":{"id":"r","model":"gpt-5","status":"in_progress"}}"#
    private let message =
        #"{"type":"response.output_item.added","output_index":1,"item":{"id":"m","type":"message","role":"assistant","content":[]}}"#

    private func delta(_ text: String, part: Int = 0) -> String {
        #"{"type":"response.output_text.delta","output_index":1,"content_index":\#(part),"item_id":"m","delta":"\#(text)"}"#
    }

    @Test func deltasMakeAPartialAnswer() throws {
        let assembly = try assembly([created, message, delta("Hel"), delta("lo"), delta("!", part: 1)])
        #expect(assembly.response.id == "r")
        #expect(assembly.response.outputText == "Hello!")
        #expect(assembly.response.status == .inProgress)
        guard case .message(let item)? = assembly.interrupted.output.first else {
            Issue.record("no message")
            return
        }
        #expect(item.content == [.outputText(OutputText("Hello")), .outputText(OutputText("!"))])
        #expect(item.status == .incomplete)
        #expect(assembly.interrupted.status == .incomplete)
    }

    @Test func whatIsDoneReplacesItsDeltas() throws {
        let done =
            #"{"type":"response.output_text.done","output_index":1,"content_index":0,"item_id":"m","text":"Better"}"#
        #expect(try assembly([created, message, delta("Worse"), done]).response.outputText == "Better")
        let item =
            #"{"type":"response.output_item.done","output_index":1,"item":{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":"Best"}]}}"#
        #expect(try assembly([created, message, delta("Worse"), done, item]).response.outputText == "Best")
    }

    @Test func theLastEventReplacesEverything() throws {
        let last =
            #"{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"All"}]}]}}"#
        let assembly = try assembly([created, message, delta("Part"), last])
        #expect(assembly.response.outputText == "All")
        #expect(assembly.interrupted.status == .completed)
    }

    @Test func aLastEventWithoutItemsLeavesThoseThatCame() throws {
        let last = #"{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"#
        #expect(try assembly([created, message, delta("Here")] + [last]).response.outputText == "Here")
    }

    @Test func callsThoughtsAndCodeGrow() throws {
        let response = try assembly([
            created,
            #"{"type":"response.output_item.added","output_index":0,"item":{"id":"rs","type":"reasoning","summary":[]}}"#,
            #"{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}"#,
            #"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Hmm"}"#,
            #"{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"deep"}"#,
            #"{"type":"response.output_item.added","output_index":1,"item":{"id":"fc","type":"function_call","call_id":"c","name":"f","arguments":""}}"#,
            #"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a\""}"#,
            #"{"type":"response.function_call_arguments.delta","output_index":1,"delta":":1}"}"#,
            #"{"type":"response.output_item.added","output_index":2,"item":{"id":"ci","type":"code_interpreter_call","code":null}}"#,
            #"{"type":"response.code_interpreter_call_code.delta","output_index":2,"delta":"1+1"}"#,
        ]).response
        #expect(response.functionCalls.first?.arguments == #"{"a":1}"#)
        guard case .reasoning(let reasoning)? = response.output.first,
            case .unknown(let type, let code)? = response.output.last
        else {
            Issue.record("other items")
            return
        }
        #expect(reasoning.summary == ["Hmm"])
        #expect(reasoning.content == ["deep"])
        #expect(type == "code_interpreter_call")
        #expect(code["code"] == "1+1")
    }

    @Test func everyKindOfEventInAnyOrderIsTaken() throws {
        let events = try EventSamples.events()
        for seed in UInt64(1)...300 {
            var random = SeededGenerator(seed: seed)
            var assembly = ResponseAssembly()
            for event in events.shuffled(using: &random) { assembly.apply(event) }
            #expect(assembly.response.status.isFinal, "seed \(seed)")
            #expect(assembly.lastSequenceNumber == 58, "seed \(seed)")
        }
    }
}
