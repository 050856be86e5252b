// SPDX-License-Identifier: MIT

import Security
import Testing

@testable import Sync

struct WordListTests {
    @Test func `the list is the one that BIP-39 publishes`() throws {
        let list = (0..<WordList.count).map { WordList.word(at: $0) + "\n" }.joined()
        let hash = try #require(Hash(SHA256.hash(Array(list.utf8))))
        #expect("\(hash)" == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
    }

    @Test func `each word has its number, and so have four letters`() {
        for index in 0..<WordList.count {
            let word = WordList.word(at: index)
            #expect(WordList.index(of: word) == index)
            #expect(WordList.index(of: word.uppercased()) == index)
            #expect(WordList.index(of: word.prefix(4)) == index)
        }
    }

    @Test(arguments: ["", "a", "aba", "abanx", "abandons", "zoos", "äbandon", "1"])
    func `any other text has none`(text: String) {
        #expect(WordList.index(of: text) == nil)
    }

    @Test(arguments: [
        ("abandonn", ["abandon"]), ("abnadon", ["abandon"]), ("aband", ["abandon"]), ("Zo", ["zoo", "air", "all"]),
        ("recieve", ["receive"]), ("qqqqqqqq", []),
    ]) func `a typo has its nearest words`(typo: String, expected: [String]) {
        let nearest = WordList.nearest(to: typo)
        #expect(nearest.first == expected.first)
        #expect(nearest.count <= 3)
        #expect(WordList.nearest(to: String(repeating: typo, count: 10_000)).isEmpty)
    }
}
