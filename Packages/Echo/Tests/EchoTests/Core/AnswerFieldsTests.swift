// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import EchoText

@Suite struct AnswerFieldsTests {
    private static let wholes: [(String, String)] = [
        (#"{"answer":"Montevideo.","lasts":true}"#, "Montevideo."),
        (#" { "lasts" : true , "answer" : "a \"b\" \\ \/ \n\t" } "#, "a \"b\" \\ / \n\t"),
        (
            #"{"answer":"\u00e9 \ud83d\ude00 \ud83d x \ude00 \ud83d\n \ud83d\u0041","lasts":false}"#,
            "é 😀 \u{FFFD} x \u{FFFD} \u{FFFD}\n \u{FFFD}A"
        ),
        (#"{"note":{"answer":"inner","x":["answer",":"]},"answer":"outer ü","lasts":true}"#, "outer ü"),
        (#"{"note":"answer","answer":"","lasts":true}"#, ""),
        ("Plain words {with} \"braces\".", "Plain words {with} \"braces\"."),
    ]

    @Test(arguments: wholes) func `every way to cut an answer gives its text`(whole: String, text: String) {
        let scalars = Array(whole.unicodeScalars)
        for length in 1...scalars.count {
            var reader = AnswerTextReader()
            let read = stride(from: 0, to: scalars.count, by: length).map { from in
                reader.feed(String(String.UnicodeScalarView(scalars[from..<min(from + length, scalars.count)])))
            }
            #expect(read.joined() == text, "pieces of \(length)")
        }
    }

    @Test func `a whole answer has its text and its fields`() {
        let (text, fields) = AnswerFields.parts(of: #"{"answer":"Yes.","lasts":true}"#, read: "Yes.")
        #expect(text == "Yes." && fields == ["lasts": true])
    }

    @Test(arguments: ["Yes.", #"{"lasts":true}"#, #"{"answer":7}"#, "[]", ""])
    func `what has no fields is the text`(whole: String) {
        var reader = AnswerTextReader()
        _ = reader.feed(whole)
        let (text, fields) = AnswerFields.parts(of: whole, read: reader.text)
        #expect(text == whole && fields == nil)
    }

    @Test func `an answer that is cut off has its text and no fields`() {
        var reader = AnswerTextReader()
        _ = reader.feed(#"{"answer":"Once upon a\u0020ti"#)
        let (text, fields) = AnswerFields.parts(of: #"{"answer":"Once upon a\u0020ti"#, read: reader.text)
        #expect(text == "Once upon a ti" && fields == nil)
    }

    @Test func `the schema requires every field, and the answer comes first`() {
        let format = AnswerFields(["lasts": ["type": "boolean"]]).format
        guard case .jsonSchema(_, let schema, _, let isStrict) = format else { return #expect(Bool(false)) }
        #expect(isStrict && schema["required"] == ["answer", "lasts"])
        #expect(schema["properties"]?.object?.names == ["answer", "lasts"])
    }
}
