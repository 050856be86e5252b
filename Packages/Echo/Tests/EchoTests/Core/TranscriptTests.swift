// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import EchoText

struct TranscriptTests {
    private static let date = Date(timeIntervalSince1970: 0)

    private func transcript(_ changes: Transcript.Change...) -> Transcript {
        var transcript = Transcript()
        for change in changes { _ = transcript.apply(change, createdAt: Self.date) }
        return transcript
    }

    private func said(_ id: String, _ role: MessageRole, _ text: String) -> Transcript.Change {
        .insert(id: id, role: role, text: text, status: .notApplicable, at: .end)
    }

    private func summary(_ items: [ResponseItem]) -> [String] {
        items.map { item in
            switch item {
            case .message(let message):
                "\(message.id ?? "-") \(message.role.rawValue) \(message.text) \(message.status?.rawValue ?? "-")"
            case .functionCall(let call): "call \(call.callID)"
            case .functionCallOutput(let output): "result \(output.callID) \(output.text)"
            case .reasoning(let reasoning): "reasoning \(reasoning.id)"
            default: "\(item)"
            }
        }
    }

    @Test func `items have the state of their messages`() {
        let transcript = transcript(
            said("u", .user, "Hello"),
            .insert(id: "spoken", role: .user, text: "", status: .notStarted, at: .end),
            .append(id: "spoken", delta: "Wh"),
            .insert(id: "empty", role: .assistant, text: "", status: .inProgress, at: .end),
            .insert(id: "cut", role: .assistant, text: "", status: .inProgress, at: .end),
            .complete(id: "cut", text: "I was", isInterrupted: true),
            .insert(id: "now", role: .assistant, text: "", status: .inProgress, at: .end),
            .append(id: "now", delta: "So far"))
        // Speech has no text until its transcript is complete; an answer without text is not an item.
        #expect(
            summary(transcript.items) == [
                "u user Hello -", "spoken user  -", "cut assistant I was incomplete", "now assistant So far incomplete",
            ])
    }

    @Test func `a request has neither ids nor speech without words, and what the server keeps is left out`() throws {
        var transcript = transcript(
            said("u", .user, "Hello"),
            .insert(id: "late", role: .user, text: "", status: .notStarted, at: .end),
            .fail(id: "late", reason: "No words."), said("a", .assistant, "Hi."))
        let end = transcript.end
        _ = transcript.apply(said("v", .user, "More"), createdAt: Self.date)
        let history = transcript.history(after: end)
        #expect(summary(history.items) == ["- user Hello -", "- assistant Hi. -", "- user More -"])
        #expect(history.keptCount == 2)
        #expect(summary(history.newItems) == ["- user More -"])
        #expect(history.costs == history.items.map(ContextBudget.cost))
        // Words that come late belong before the end of what the server keeps: it has to be sent everything.
        _ = transcript.apply(.fill(id: "late", text: "What time is it?"), createdAt: Self.date)
        let whole = transcript.history(after: end)
        #expect(whole.keptCount == nil)
        #expect(whole.newItems.count == 4)
        #expect(whole.costs == whole.items.map(ContextBudget.cost))
    }

    @Test func `an answer's reasoning stands before its message, and its calls after it`() {
        var transcript = transcript(
            said("u", .user, "Weather?"), .insert(id: "m", role: .assistant, text: "", status: .inProgress, at: .end),
            .complete(id: "m", text: "I look.", isInterrupted: false))
        var answer = Response(id: "r")
        answer.output = [
            .reasoning(ReasoningItem(id: "think", encryptedContent: "…")),
            .message(MessageItem(id: "server", role: .assistant, text: "I look.")),
            .functionCall(FunctionCallItem(id: "f", callID: "x", name: "weather", arguments: "{}")),
        ]
        transcript.append(answer, message: "m")
        #expect(
            summary(transcript.items) == [
                "u user Weather? -", "reasoning think", "m assistant I look. completed", "call x",
            ])
        #expect(transcript.openCalls.map(\.id) == ["x"])
        transcript.closeCalls("Nobody did.")
        transcript.closeCalls("Nobody did.")
        #expect(summary(transcript.items).suffix(2) == ["call x", "result x Nobody did."])
    }

    @Test func `a message that is removed after its release stays a message, and is no item`() {
        var transcript = transcript(said("u", .user, "Hm"), said("v", .user, "Hello"))
        #expect(transcript.apply(.remove(id: "u"), createdAt: Self.date) == nil)
        #expect(transcript.released.map(\.id) == ["u", "v"])
        #expect(summary(transcript.items) == ["v user Hello -"])
        #expect(transcript.apply(.fill(id: "u", text: "Hm?"), createdAt: Self.date) == nil)
    }

    @Test func `an item takes its position once it is whole, and can be removed`() {
        var transcript = transcript(.keepPlace(id: "f", at: .end), said("u", .user, "And?"))
        let call = ResponseItem.functionCall(FunctionCallItem(id: "f", callID: "x", name: "n", arguments: "{}"))
        _ = transcript.apply(.set(id: "f", call), createdAt: Self.date)
        #expect(summary(transcript.items) == ["call x", "u user And? -"])
        _ = transcript.apply(.remove(id: "f"), createdAt: Self.date)
        #expect(summary(transcript.items) == ["u user And? -"])
        #expect(transcript.positions.map(\.id) == ["f", "u"])
    }

    @Test func `an earlier conversation keeps its pictures and its speech without words`() {
        var transcript = Transcript()
        let picture = MessageItem(
            id: "p", role: .user, content: [.inputText("Look."), .inputImage(url: "data:,", detail: nil)])
        let spoken = ResponseItem.message(MessageItem(id: "s", role: .user, content: []))
        for item in [.message(picture), spoken, .reference(id: "gone")] {
            _ = transcript.restore(item, as: Message(item, id: item.id ?? "", createdAt: Self.date))
        }
        #expect(transcript.released.map(\.text) == ["Look."])
        #expect(transcript.items == [.message(picture), spoken])
    }
}
