// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import Echo
import Foundation
import TestKit
import Testing

@testable import parley

@Suite struct ChatTextTests {
    @Test func aFileThatIsThereStays() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("chat.md")
        try NewFile.write([1, 2], to: path)
        #expect(throws: DomainError.self) { try NewFile.write([3], to: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2]))
        #expect(try folder.names() == ["chat.md"])
        #expect(throws: DomainError.self) { try NewFile.write([3], to: folder.file("none/chat.md")) }
    }

    @Test func moneyAndTokensAreShown() {
        var cost = ModelCost()
        cost.usage = ["llama": Usage(inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, reasoningTokens: 1)]
        cost.unpriced = ["llama"]
        #expect(
            ChatText.lines(cost).map(\.english) == [
                "llama: 10 tokens in (4 cached), 3 out (1 reasoning), no price known", "$0.0000 so far",
            ])
        #expect(ModelCost.money(1.005) == "$1.00" || ModelCost.money(1.005) == "$1.01")
        #expect(ModelCost.money(12.5) == "$12.50")
        #expect(ModelCost.money(0.00012) == "$0.0001")
    }

    @Test func paragraphsKnowTheirLines() {
        let text = "one\ntwo\n\n\nthree\n   \nfour"
        let paragraphs = Paragraph.paragraphs(of: text, file: "f")
        #expect(paragraphs.map(\.line) == [1, 5, 7])
        #expect(paragraphs.map(\.text) == ["one\ntwo", "three", "four"])
        let long = Paragraph.paragraphs(of: String(repeating: "word ", count: 5_000), file: "f")
        #expect(long.count > 5 && long.allSatisfy { $0.text.utf8.count <= Paragraph.longest + 1 && $0.line == 1 })
        let unbroken = Paragraph.paragraphs(of: String(repeating: "a", count: 20_000), file: "f")
        #expect(unbroken.count > 4)
    }

    @Test func everyEchoErrorIsAReport() {
        let errors: [any Error] = [
            EchoError.unsupportedModel("gpt-4"), EchoError.budgetExceeded(spent: 0.02, limit: 0.01),
            EchoError.unauthorized(APIFailure(status: 401, message: "no")), EchoError.rateLimitExceeded,
        ]
        #expect(errors.map { ExitCode(for: $0) } == [.usage, .refused, .refused, .network])
        #expect(
            errors.compactMap { ErrorReport($0)?.code } == [
                "model.unsupportedModel", "model.budgetExceeded", "model.unauthorized", "model.rateLimited",
            ])
        #expect(ErrorReport(AttachmentError.unknownKind("a"))?.message.contains("PNG, JPEG, GIF and WebP") == true)
    }

    @Test(
        arguments: [ModelOptions.Purpose.chat, .embeddings, .voice],
        ["gpt-5", "gpt-realtime", "text-embedding-3-small"])
    func `advice for a refused model lists its purpose's models`(_ purpose: ModelOptions.Purpose, _ name: String) throws
    {
        guard !purpose.models.contains(name) else { return }
        let refusal = EchoError.unsupportedModel(name)
        let error: any Error = purpose == .chat ? refusal : try #require(UnsupportedModel(refusal, for: purpose))
        let report = try #require(ErrorReport(error))
        #expect(report.code == "model.unsupportedModel" && ExitCode(for: error) == .usage)
        let listed = report.message.firstMatch(of: /only for (.+?)\. Your/)?.output.1.split(separator: ", ")
        #expect(listed?.map(String.init) == purpose.models && !purpose.models.isEmpty)
        #expect(report.message.hasSuffix("--base-url URL --model \(name)."))
        #expect(UnsupportedModel(EchoError.rateLimitExceeded, for: purpose) == nil)
    }
}
