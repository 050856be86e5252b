// SPDX-License-Identifier: MIT

import Domain
import TestKit
import Testing

@Suite struct FactQuestionTests {
    @Test(arguments: [
        "Who wrote Dracula?", "What is 5 + 1?", "How many legs does a spider have?", "Why is the sky blue?",
        "In which year did the wall fall?", "Define entropy, exactly.", "How does a transistor work?",
        "How far is Rome from Paris?", "When was Ada Lovelace born?",
        // An office of the past is no longer somebody else's.
        "Was Ada Lovelace a mathematician?", "What was the first president's name?",
    ])
    func `a question for a fact is known`(text: String) {
        #expect(FactQuestion(text) != nil, "\(text)")
    }

    @Test(arguments: [
        "What time is it?", "What's the weather in Oslo?", "Who is the president of France?", "What is my name?",
        "What is the best film?", "How old is she?", "What about Ohio?", "And Ohio?", "Tell me a joke",
        "What does that mean?", "Where is the nearest station?", "Set a timer for five minutes", "How much is it?",
        "What did you say before?", "Who won yesterday?", "What is the population of Peru?", "What is 🙂 for?", "",
        "what is", "Is it raining?", "When is Easter?",
        "When does the train to York leave?", "How far is Rome?", "How cold is Oslo?", "How many days until Christmas?",
        "What is on TV?", "Does the train run on Sundays?", "Who owns Twitter?", "Who leads France?",
        "How many members does the union have?", "Is the actor alive?", "How many birds are outside?",
        "Wer hat das geschrieben?", String(repeating: "what is what ", count: 30),
    ])
    func `what depends on more than its words is no question for a fact`(text: String) {
        #expect(FactQuestion(text) == nil, "\(FactQuestion(text)?.key ?? "")")
    }

    @Test(.timeLimit(.minutes(5))) func `a long text costs no time`() {
        #expect(FactQuestion("what is " + String(repeating: "(see above) and then ", count: 50_000)) == nil)
    }

    @Test(arguments: [
        ("What's the capital of Perú?", "what is the capital of peru"),
        ("Hey, um, can you tell me who wrote “Dracula”, please?", "who wrote dracula"),
        ("WHAT IS 3.50 - 1?", "what is 3.50 - 1"), ("What is -4 * 2?", "what is -4 * 2"),
        ("what is C++", "what is c++"), ("Who was the Sun-King?", "who was the sun king"),
    ])
    func `the key has the words that count`(text: String, key: String) {
        #expect(FactQuestion(text)?.key == key)
    }

    @Test(arguments: [
        ("How many zeros are in 100!", "How many zeros are in 100?"),
        ("What is the integral of 1 / (x + 1)?", "What is the integral of 1 / x + 1?"),
        ("What is the derivative of sin(x) + 1?", "What is the derivative of sin(x + 1)?"),
        ("What is cos(pi + tau)?", "What is cos pi + tau?"), ("What is cos(pi - tau)?", "What is cos(pi) - tau?"),
        ("What is the growth of n!", "What is the growth of n?"), ("What is !5", "What is 5"),
        ("What is (ab + cd) times ef?", "What is ab + (cd times ef)?"), ("What is 5 ( 6 ) - 7", "What is 5 6 - 7"),
    ])
    func `a sign of a formula keeps two questions apart`(one: String, other: String) {
        let keys = (FactQuestion(one)?.key, FactQuestion(other)?.key)
        #expect(keys.0 == nil || keys.0 != keys.1, "\(keys)")
    }

    @Test(arguments: [
        ("Who wrote Dracula (the novel)?", "who wrote dracula the novel"),
        ("Who wrote Dracula!", "who wrote dracula"), ("What is sodium (Na)?", "what is sodium na"),
    ])
    func `a sign of a sentence is left out`(text: String, key: String) {
        #expect(FactQuestion(text)?.key == key)
    }

    @Test func `a pointing word makes it no question for a fact`() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        let facts = [
            "who wrote dracula", "how many legs does a spider have", "which planet has the most moons",
            "define entropy",
            "how far is rome from paris", "when was the first railway built", "what is 5 + 1",
        ]
        let pointing = [
            "now", "today", "yesterday", "currently", "next", "until", "sunday", "here", "there", "nearby", "around",
            "outside", "i", "my", "our", "your", "she", "it", "that", "those", "again", "previous", "mentioned",
        ]
        for _ in 0..<500 {
            let fact = try #require(facts.randomElement(using: &dice))
            #expect(FactQuestion(fact) != nil, "\(fact)")
            var words = fact.split(separator: " ")
            words.insert(
                Substring(try #require(pointing.randomElement(using: &dice))),
                at: Int.random(in: 0...words.count, using: &dice))
            let text = words.joined(separator: " ")
            #expect(FactQuestion(text) == nil, "\(text), seed \(seed)")
        }
    }

    /// Questions of a few patterns about many things and numbers. Two have the same key only if they are about the same.
    @Test func `over 100,000 pairs, no question has the key of another`() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
        let names = [
            "Dracula", "Ulysses", "Lima", "Mercury", "Venus", "Ada Lovelace", "C++", "C#", "C", "Hamlet", "Rio",
        ]
        // "12!" and "C!" are no questions for a fact.
        func mayBeFactorial(_ body: String) -> Bool {
            body.last?.isNumber == true || body.split(separator: " ").last?.count == 1
        }
        let questions = try (0..<460).map { _ in
            let (first, second) = (Int.random(in: 0...12, using: &generator), Int.random(in: 0...12, using: &generator))
            let name = pick(names)
            let body = pick([
                "what is \(first) \(pick(["+", "-", "*", "/"])) \(second)", "who discovered \(name)",
                "What is \(name) known for", "how many letters does \(name) have", "was \(name) found in 18\(first)",
            ])
            let text =
                pick(["", "Hey, ", "please tell me ", "Do you know ", "um, "])
                + (Bool.random(using: &generator) ? body.uppercased() : body)
                + pick(["", "?", ", please?", "!", " thanks"].filter { $0 != "!" || !mayBeFactorial(body) })
            return (body: body.lowercased(), key: try #require(FactQuestion(text), "\(text), seed \(seed)").key)
        }
        var equal = 0
        for (place, one) in questions.enumerated() {
            for other in questions[..<place] {
                if one.body == other.body { equal += 1 }
                guard (one.key == other.key) != (one.body == other.body) else { continue }
                Issue.record("\(one) and \(other), seed \(seed)")
            }
        }
        #expect(equal > 100)
    }
}
