// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeyValueSuggestionsTests {
    private static let now = Date(timeIntervalSince1970: 1_790_064_000)
    private let folder: TemporaryFolder
    private var path: String { folder.file("settings.sqlite") }
    private var suggestions: KeyValueSuggestions { KeyValueSuggestions(KeyValueFile(path: path)) }
    private let news = Suggestion(id: KeyValueSuggestions.id(of: "what is the news"), question: "What is the news?")

    init() throws { folder = try TemporaryFolder() }

    @Test func `reading makes no file, and nothing is on before any choice`() async throws {
        #expect(try await suggestions.state() == SuggestionState())
        try await suggestions.forgetShown()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await !suggestions.claim(news, at: Self.now), "they are off")
    }

    @Test func `one program alone shows a suggestion`() async throws {
        #expect(try await suggestions.change { $0.isOn = true }.isOn)
        let (suggestions, news) = (suggestions, news)
        let claims = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { try await suggestions.claim(news, at: Self.now) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(claims.filter(\.self).count == 1)
        #expect(try await suggestions.state().shown == [.init(news, at: Self.now)])
        #expect(try await suggestions.claim(news, at: Self.now.addingTimeInterval(3_600)))
        // A clock that was set back by a year forgets them.
        #expect(try await suggestions.claim(news, at: Self.now.addingTimeInterval(-366 * 86_400)))
        #expect(try await suggestions.state().shown.count == 1)
    }

    @Test func `of what is dismissed only the id stays`() async throws {
        try await suggestions.change { ($0.isOn, $0.limit) = (true, 7) }
        _ = try await suggestions.claim(news, at: Self.now)
        try await suggestions.dismiss(news.id)
        try await suggestions.forgetShown()
        let state = try await suggestions.state()
        #expect(state.dismissed == [news.id] && state.shown.isEmpty && state.settings.limit == 7)
        let archive = InMemoryExportArchive()
        _ = try await KeyValueFile(path: path).export(to: archive)
        let text = archive.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(text.contains(news.id) && text.contains(#""namespace":"suggestions""#), "\(text)")
        #expect(!text.contains("news"), "\(text)")
        #expect(news.id.count == 8 && news.id != KeyValueSuggestions.id(of: "what is the new"))
    }
}
