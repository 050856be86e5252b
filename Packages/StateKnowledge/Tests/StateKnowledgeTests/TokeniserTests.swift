// SPDX-License-Identifier: MIT

import Testing

@testable import StateKnowledge

@Suite struct TokeniserTests {
    private func words(_ text: String) -> [String] { Tokeniser.tokenise(text).tokens.map(\.text) }

    @Test func foldsLetters() {
        #expect(words("TÉXAS Ｔｅｘａｓ te\u{0301}xas Hawaiʻi ŒUVRE") == ["texas", "texas", "texas", "hawaii", "oeuvre"])
        #expect(words("forget-me-not") == ["forget", "me", "not"])
        #expect(words("birds & flowers + cities") == ["birds", "and", "flowers", "and", "cities"])
    }

    @Test func readsApostrophes() {
        #expect(words("what's I'd isn't can't won't don't") == ["what", "is", "i", "would", "is", "can", "will", "do"])
        let owner = Tokeniser.tokenise("Texas' Ohio's Kansas’s 'quoted'").tokens
        #expect(owner.map(\.text) == ["texas", "ohio", "kansas", "quoted"])
        #expect(owner.map(\.isPossessive) == [true, true, true, false])
    }

    @Test func joinsInitials() {
        #expect(words("N.Y. and D.C.'s bird, U.S.A.") == ["ny", "and", "dc", "bird", "usa"])
        #expect(words("N. Dakota") == ["n", "dakota"])
    }

    @Test func keepsBreaks() {
        let tokens = Tokeniser.tokenise("Ohio, Maine? Utah - Texas").tokens
        #expect(tokens.map(\.separation) == [.none, .comma, .sentence, .comma])
    }

    @Test func noticesWhatIsNoQuestion() {
        #expect(Tokeniser.tokenise("a = b").oddity != nil)
        #expect(Tokeniser.tokenise("\u{202E}abc").oddity != nil)
        #expect(Tokeniser.tokenise(String(repeating: "word ", count: 200)).oddity != nil)
        #expect(Tokeniser.tokenise("法国 x").tokens.map(\.isForeign) == [true, false])
        #expect(Tokeniser.tokenise("🤖🔥").tokens.isEmpty)
    }
}
