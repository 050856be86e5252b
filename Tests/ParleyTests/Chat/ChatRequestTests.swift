// SPDX-License-Identifier: MIT

import Domain
import Testing

@testable import parley

@Suite struct ChatRequestTests {
    @Test(
        arguments: [
            ("", .nothing), ("  \n ", .nothing), ("hello", .question("hello")),
            (" two\nlines ", .question("two\nlines")),
            ("//etc/passwd?", .question("/etc/passwd?")), ("/help", .help), ("/quit", .quit), ("/exit", .quit),
            ("/clear", .clear), ("/tools", .tools), ("/cost", .cost), ("/model", .model(nil)),
            ("/model gpt-5-mini", .model("gpt-5-mini")), ("/save my chat.md", .save("my chat.md")),
            ("/voice", .voice), ("/text", .text), ("/mute", .mute),
        ] as [(String, ChatRequest)])
    func aLineAsksForOneThing(_ line: String, _ request: ChatRequest) { #expect(ChatRequest(line) == request) }

    @Test(arguments: [
        ("/mdel x", "/model"), ("/save", "Name a file"), ("/cost now", "takes nothing"), ("/voice x", "takes nothing"),
        ("/vioce", "/voice"), ("/ x", "/help"),
    ])
    func amistakeSaysWhatToDo(_ line: String, _ hint: String) {
        guard case .mistake(let text) = ChatRequest(line) else { Issue.record("no mistake: \(line)"); return }
        #expect(text.english.contains(hint), "\(text)")
    }
}
