// SPDX-License-Identifier: MIT

import EchoSimulator
import TestKit
import Testing

/// Whole sessions at a terminal: what is on the screen at their moments.
@Suite(.timeLimit(.minutes(10)), .enabled(if: EmulatedTerminal.hasPeers, "needs Scripts/test-peers"))
struct ScreenSnapshotTests {
    private typealias Sections = [(title: String, lines: [String])]
    /// The empty prompt, with the cursor behind it.
    private let prompt = "› \r\u{1B}[2C"
    private let table = """
        The two largest states:

        | State | Capital | Area |
        |:--|:--|--:|
        | Alaska | Juneau | 1,723,337 |
        | Texas | Austin | 695,662 |

        That is *all*.
        """

    init() async throws { try await ParleyProcess.buildCatalogues() }

    private func chat(_ width: Int, _ language: String) async throws -> Sections {
        let parley = try ParleyProcess()
        let terminal = try EmulatedTerminal(
            ["chat", "--offline"], environment: parley.environment.merging(["PARLEY_LANGUAGE": language]) { $1 },
            columns: width, rows: 30)
        try await terminal.run.shows(prompt)
        try await terminal.type("capital of Texas\r", until: "Austin")
        try await terminal.run.shows(prompt)
        try await terminal.type("How is the weather?\r", until: prompt)
        try await terminal.type("/mdoel\r", until: "/model")
        try await terminal.run.shows(prompt)
        try terminal.run.type("\u{4}")
        #expect(await terminal.run.code() == 0, "\(terminal.run.text)")
        return [("\(width) \(language) chat", try await terminal.screen())]
    }

    /// The window gets narrower in the middle of a table.
    private func resized() async throws -> Sections {
        let slow = Scenario.Turn(.message("Before it.\n\n" + table), faults: [.stall(afterEvents: 20, .seconds(5))])
        var sections: Sections = []
        try await ChatFixture.using([.init(.message(table)), slow]) { chat in
            let terminal = try EmulatedTerminal(
                ["chat"], environment: chat.parley.environment.merging(chat.environment) { $1 }, columns: 80, rows: 40)
            try await terminal.run.shows(prompt)
            try await terminal.type("The first\r", until: prompt)
            sections.append(("80 en a table", try await terminal.screen()))
            try await terminal.type("The second\r", until: "Before it.")
            terminal.resize(columns: 24, rows: 40)
            try await terminal.run.shows(prompt)
            sections.append(("80 en narrower in the middle of a table", try await terminal.screen()))
            try terminal.run.type("\u{4}")
            #expect(await terminal.run.code() == 0, "\(terminal.run.text)")
        }
        return sections
    }

    private func editing() async throws -> Sections {
        let parley = try ParleyProcess()
        let terminal = try EmulatedTerminal(
            ["chat", "--offline"], environment: parley.environment, columns: 24, rows: 12)
        var sections: Sections = []
        func look(_ title: String) async throws {
            // Behind the text comes the column of the cursor.
            try await terminal.run.shows("C")
            sections.append(("24 en \(title)", try await terminal.screen()))
        }
        try await terminal.run.shows(prompt)
        try await terminal.type("capital of 東京 and of New Mexico", until: "New Mexico")
        try await look("a line that is too long")
        try await terminal.type("\u{1B}[D\u{1B}[D\u{1B}[D!", until: "Mex!ico")
        try await look("typed in the middle")
        try await terminal.type("\u{1}the \u{5}?", until: "ico?")
        terminal.resize(columns: 16, rows: 12)
        try await terminal.type("\u{7F}.", until: "ico.")
        try await look("at the beginning, at the end, narrower")
        try await terminal.type("\u{15}Ohio\u{1B}\rand 漢字", until: "漢字")
        try await look("two lines")
        try await terminal.type("\u{3}", until: "again")
        try terminal.run.type("\u{4}")
        #expect(await terminal.run.code() == 0, "\(terminal.run.text)")
        return sections
    }

    /// Nothing fits, and nothing traps.
    private func narrowest() async throws -> Sections {
        let parley = try ParleyProcess()
        let terminal = try EmulatedTerminal(
            ["chat", "--offline"], environment: parley.environment, columns: 1, rows: 20)
        try await terminal.run.shows(prompt)
        try await terminal.type("Texas capital\r", until: "Austin")
        try await terminal.run.shows(prompt)
        try terminal.run.type("\u{4}")
        #expect(await terminal.run.code() == 0)
        return [("1 en chat", try await terminal.screen())]
    }

    /// A cue is read from a file, heard and kept. What is waited for are the keys at the start of the status line, and its end.
    private func practice(_ width: Int, _ language: String) async throws -> Sections {
        let parley = try ParleyProcess()
        let sound = try SoundFixtures(folder: parley.folder).speech("Good morning! How are you?")
        let terminal = try EmulatedTerminal(
            ["practice", "--language", "en", "--input", sound],
            environment: parley.environment.merging(["PARLEY_LANGUAGE": language]) { $1 }, columns: width, rows: 20)
        var sections: Sections = []
        func look(_ title: String) async throws {
            try await terminal.run.shows("\u{1B}[K")
            sections.append(("\(width) \(language) \(title)", try await terminal.screen()))
        }
        try await terminal.run.shows("\rEnter ")
        try await look("a cue")
        try await terminal.type("\r", until: "\rEnter ")
        try await terminal.run.shows("\rp ")
        try await look("recorded")
        try await terminal.type("\r", until: "\rEnter ")
        try await look("kept")
        try terminal.run.type("q")
        #expect(await terminal.run.code() == 0, "\(terminal.run.text)")
        return sections
    }

    @Test func `sessions look as they did`() async throws {
        var chats: Sections = []
        for width in [40, 80, 120] {
            for language in CommandSnapshotTests.languages { chats += try await chat(width, language) }
        }
        var practices: Sections = []
        for width in [40, 80] {
            for language in CommandSnapshotTests.languages { practices += try await practice(width, language) }
        }
        let texts = [
            "chat": SnapshotFolder.text(chats), "resize": SnapshotFolder.text(try await resized()),
            "editing": SnapshotFolder.text(try await editing()),
            "narrowest": SnapshotFolder.text(try await narrowest()),
            "practice": SnapshotFolder.text(practices),
        ]
        let found = try SnapshotFolder("Tests/EndToEndTests/Snapshots/screens").differences(from: texts)
        #expect(found.isEmpty, "\(found)")
    }
}
