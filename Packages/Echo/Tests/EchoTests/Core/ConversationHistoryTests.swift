// SPDX-License-Identifier: MIT

import Echo
import Testing

@Suite("Long conversations")
struct ConversationHistoryTests {
    @Test("A history beyond the model's window is sent from a later question on, also where the server keeps it")
    func window() async throws {
        let long = String(repeating: "word ", count: 20_000)
        let answers: [ScriptedResponses.Answer] = (0..<10).map { number in
            { _ in ScriptedResponses.Step.text(["answer \(number)"], id: "r\(number)") }
        }
        for keeps in [true, false] {
            let service = ScriptedResponses(keeps: keeps, answers)
            let conversation = try await Echo(service).startConversation(mode: .text, systemMessage: "Be kind.")
            for number in 0..<10 { try await conversation.send("\(number) \(long)") }
            let last = try #require(service.requests.last)
            #expect(last.instructions == "Be kind.")
            #expect(last.input.count < 19)
            guard case .message(let first)? = last.input.first else {
                Issue.record("the history does not begin with a message")
                return
            }
            #expect(first.role == .user)
            #expect(await conversation.allMessages.count == 20)
            if keeps {
                #expect(service.requests.contains { $0.previousResponseID != nil })
                #expect(service.requests.dropFirst().contains { $0.previousResponseID == nil })
            }
        }
    }

    @Test("What the API counts lets more history through than the estimate would")
    func correction() async throws {
        let long = String(repeating: "word ", count: 12_000)
        let answers: [ScriptedResponses.Answer] = (0..<12).map { number in
            { _ in
                ScriptedResponses.Step.text(
                    ["ok"], id: "r\(number)", usage: Usage(inputTokens: 12_000 * (number + 1), outputTokens: 1))
            }
        }
        let service = ScriptedResponses(keeps: false, answers)
        let conversation = try await Echo(service).startConversation(mode: .text)
        for number in 0..<12 { try await conversation.send("\(number) \(long)") }
        #expect(service.requests.last?.input.count == 23)
    }

    @Test("Pictures and files of an earlier conversation are sent again")
    func attachments() async throws {
        let parts: [ContentPart] = [
            .inputText("I attach these."), .inputImage(url: "data:image/png;base64,AA=="),
            .inputFile(name: "a.pdf", data: "data:application/pdf;base64,AA==", fileID: nil, url: nil),
        ]
        for part in parts.dropFirst() {
            let item = ResponseItem.message(MessageItem(role: .user, content: [parts[0], part]))
            let service = ScriptedResponses(keeps: false, [{ _ in ScriptedResponses.Step.text(["ok"], id: "r") }])
            let conversation = try await Echo(service).startConversation(mode: .text, history: [item])
            try await conversation.send("See?")
            guard case .message(let sent)? = service.requests.last?.input.first else {
                Issue.record("the history does not begin with a message")
                return
            }
            #expect(sent.content == [parts[0], part])
        }
    }
}
