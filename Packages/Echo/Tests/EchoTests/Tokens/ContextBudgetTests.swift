// SPDX-License-Identifier: MIT

import Testing

@testable import EchoText

@Suite("Context budget")
struct ContextBudgetTests {
    private let history = Self.history(
        (0..<100).flatMap { turn -> [ResponseItem] in
            [.message(.user, "question number \(turn)"), .message(.assistant, "answer number \(turn)")]
        })

    private static func history(_ items: [ResponseItem]) -> ResponseHistory {
        var history = ResponseHistory()
        for item in items { history.append(item, cost: ContextBudget.cost(of: item)) }
        return history
    }

    @Test("What the API reports corrects the estimate, with a margin, and only where there is enough to go by")
    func learning() {
        let budget = ContextBudget(limit: 500)
        let estimate = budget.estimate(history, fixed: 0)
        #expect(!budget.fits(history, fixed: 0))
        budget.scale.learn(estimated: 100, actual: 1)
        #expect(budget.scale.value == TokenScale.unmeasured)
        budget.scale.learn(estimated: estimate, actual: estimate / 4)
        #expect(abs(budget.scale.value - 0.275) < 0.001)
        let first = ContextBudget(limit: 500).fit(history, fixed: 0)
        #expect(budget.fit(history, fixed: 0).items.count > first.items.count)
        budget.scale.learn(estimated: estimate, actual: estimate * 100)
        #expect(budget.scale.value == 1.5)
        budget.scale.learn(estimated: estimate, actual: 0)
        #expect(budget.scale.value == 1.5)
    }

    @Test func `a conversation begins with the measure of the last one and keeps its own`() {
        let shared = TokenScale()
        let (first, second) = (TokenScale(shared), TokenScale(shared))
        first.learn(estimated: 1_000, actual: 300)
        #expect(second.value == first.value)
        second.learn(estimated: 1_000, actual: 800)
        #expect(abs(first.value - 0.33) < 0.001)
        #expect(abs(TokenScale(shared).value - 0.88) < 0.001)
    }

    @Test("What fits stays as it is; instructions and tools take their part of the room")
    func fitting() {
        let tool = Tool(name: "f", description: "A function", parameters: ["a": ["type": "string"]]) { _ in "" }
        let budget = ContextBudget(limit: 1000)
        let fixed = budget.cost(ofInstructions: String(repeating: "rule ", count: 100), tools: [tool])
        #expect(fixed > 200)
        let roomy = ContextBudget(limit: 1_000_000)
        #expect(roomy.fit(history, fixed: fixed).items == history.items)
        let free = budget.fit(history, fixed: 0).items
        let (tight, estimate) = budget.fit(history, fixed: fixed)
        #expect(tight.count < free.count)
        #expect(estimate == budget.estimate(Self.history(tight), fixed: fixed))
        #expect(budget.fits(Self.history(tight), fixed: fixed))
        #expect(tight.last == history.items.last)
    }

    @Test("The window of the model, less its answer, is what there is; an unknown model gets a usual one")
    func limits() {
        let known = ContextBudget(model: .gpt5, configuration: .default)
        #expect(known.limit == 200_000 - 8_192)
        let unknown = ContextBudget(model: ResponsesModel(rawValue: "own"), configuration: .default)
        #expect(unknown.limit == 128_000 - 4_096)
    }
}
