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
        var budget = ContextBudget(limit: 1000)
        let estimate = budget.estimate(history, fixed: 0)
        #expect(!budget.fits(history, fixed: 0))
        budget.learn(estimated: 100, actual: 1)
        #expect(budget.scale == 1)
        budget.learn(estimated: estimate, actual: estimate / 4)
        #expect(abs(budget.scale - 0.275) < 0.001)
        #expect(budget.fit(history, fixed: 0).count > ContextBudget(limit: 1000).fit(history, fixed: 0).count)
        budget.learn(estimated: estimate, actual: estimate * 100)
        #expect(budget.scale == 1.5)
        budget.learn(estimated: estimate, actual: 0)
        #expect(budget.scale == 1.5)
    }

    @Test("What fits stays as it is; instructions and tools take their part of the room")
    func fitting() {
        let tool = Tool(name: "f", description: "A function", parameters: ["a": ["type": "string"]]) { _ in "" }
        let budget = ContextBudget(limit: 2000)
        let fixed = budget.cost(ofInstructions: String(repeating: "rule ", count: 100), tools: [tool])
        #expect(fixed > 200)
        let roomy = ContextBudget(limit: 1_000_000)
        #expect(roomy.fit(history, fixed: fixed) == history.items)
        let free = budget.fit(history, fixed: 0)
        let tight = budget.fit(history, fixed: fixed)
        #expect(tight.count < free.count)
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
