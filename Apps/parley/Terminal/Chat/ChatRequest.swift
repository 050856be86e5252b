// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import TerminalKit

/// A request that is typed at the prompt of a chat.
enum ChatRequest: Equatable, Sendable {
    case nothing
    case question(String)
    case help
    case quit
    case clear
    case tools
    case cost
    case model(String?)
    case save(String)
    case attach(String)
    case voice
    case text
    case mute
    case later
    /// A request that cannot be carried out; the payload says what to do.
    case mistake(Sentence)

    private static let names = [
        "/help", "/quit", "/exit", "/clear", "/tools", "/cost", "/model", "/save", "/attach", "/voice", "/text",
        "/mute", "/later",
    ]

    /// Reads a line. Two slashes begin a question that begins with one.
    init(_ line: String) {
        let text = line.trimmed
        guard text.hasPrefix("/"), !text.hasPrefix("//") else {
            self = text.isEmpty ? .nothing : .question(text.hasPrefix("//") ? String(text.dropFirst()) : text)
            return
        }
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
        let argument = words.count > 1 ? words[1].trimmed : nil
        switch (words[0], argument) {
        case ("/help", nil), ("/?", nil): self = .help
        case ("/quit", nil), ("/exit", nil): self = .quit
        case ("/clear", nil): self = .clear
        case ("/tools", nil): self = .tools
        case ("/cost", nil): self = .cost
        case ("/voice", nil): self = .voice
        case ("/text", nil): self = .text
        case ("/mute", nil): self = .mute
        case ("/later", nil): self = .later
        case ("/model", let name): self = .model(name)
        case ("/save", let path?): self = .save(path)
        case ("/attach", let path?): self = .attach(path)
        case ("/attach", nil): self = .mistake("Name a file: /attach FILE. It goes with the next question.")
        case ("/save", nil): self = .mistake("Name a file: /save FILE.md, or FILE.json.")
        case (let name, _) where Self.names.contains(name): self = .mistake("\(name) takes nothing behind it.")
        case (let name, _):
            let start: Sentence = "There is no \(name.printable)."
            self = .mistake(
                "\(start.suggesting(name, among: Self.names)) /help lists what there is; a question that begins with a slash "
                    + "begins with two.")
        }
    }

    /// The text of `/help`.
    static let overview: Sentence = """
        /model [NAME]  show or change the model
        /tools         what the model may call
        /cost          tokens and money so far
        /voice         go on by voice
        /text          go on in text
        /mute          close the microphone, or open it again
        /later         keep the last question until the model is back
        /clear         forget what was said
        /attach FILE   give the next question a text, a picture or a PDF
        /save FILE     keep the chat, as Markdown or .json
        /quit          end (also Ctrl-D)
        Ctrl-C stops an answer. Alt-Enter begins another line; pasted lines stay together.
        """
}

extension String {
    /// The text without white space around it.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
