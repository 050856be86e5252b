// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@Suite struct JSONTextTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "-0.0", "1e+100",
        #""""#, #""a\"b\\c\n\t\u0001é😀""#, "[]", "[1,[2,[]],{}]", #"{"b":1,"a":{"c":null}}"#,
    ])
    func writtenAsRead(text: String) throws {
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test(arguments: [
        ("{b", "unexpected “b”; expected a quoted name"), ("{\"a\" 1}", "unexpected “1”; expected a colon"),
        ("{\"a\": 1]", "unexpected “]”; expected a comma or }"), ("[1 2]", "unexpected “2”; expected a comma or ]"),
        ("[1,]", "unexpected “]”; expected a value"), ("-x", "unexpected “x”; expected a digit"),
        ("nil", "unexpected “i”; expected true, false or null"), ("[\u{1}]", "unexpected byte 1; expected a value"),
    ])
    func `an error names what is expected instead`(_ text: String, _ problem: String) throws {
        let error = try #require(throws: JSONParsingError.self) { try JSONValue(parsing: text) }
        #expect(error.problem == problem)
        #expect(error.description == "This is not JSON: \(problem) (at byte \(error.offset)).")
    }

    @Test(arguments: [
        ("", JSONParsingError.Reason.endOfInput, 0), ("tru", .endOfInput, 3), ("[1,]", .unexpectedByte(93), 3),
        ("01", .invalidNumber, 0), ("1.", .invalidNumber, 0), ("-", .endOfInput, 1), ("1e999", .invalidNumber, 0),
        ("\"a\nb\"", .invalidString, 2), (#""\x""#, .invalidString, 2), ("{\"a\" 1}", .unexpectedByte(49), 5),
        ("1 2", .trailingBytes, 2), ("[[[[", .tooDeep, 3), ("+1", .unexpectedByte(43), 0),
    ])
    func refused(text: String, reason: JSONParsingError.Reason, offset: Int) throws {
        let error = try #require(throws: JSONParsingError.self) { try JSONValue(parsing: text, maximumDepth: 2) }
        #expect(error.reason == reason && error.offset == offset, "\(error)")
    }

    @Test func bytesWhichAreNotUTF8AreRefused() throws {
        let error = try #require(throws: JSONParsingError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(error.reason == .invalidString)
    }

    @Test func surrogatesMakeOneCharacterAndHalfOfThemAReplacement() throws {
        #expect(try JSONValue(parsing: #""\ud83d\ude00""#) == "😀")
        #expect(try JSONValue(parsing: #""\ud83dx""#) == "\u{FFFD}x")
        #expect(try JSONValue(parsing: #""\ud83d\u0041""#) == "\u{FFFD}A")
        #expect(try JSONValue(parsing: #""\ude00""#) == "\u{FFFD}")
    }

    @Test func theLastOfTwoMembersWithOneNameWins() throws {
        let value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#)
        #expect(value.text == #"{"a":3,"b":2}"#)
        let many = "{" + (0..<100).map { "\"k\($0 % 50)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try JSONValue(parsing: many).object?.count == 50)
        #expect(try JSONValue(parsing: many)["k7"] == 57)
    }

    @Test func everyPrefixOfAnObjectIsRefused() throws {
        let text = #"{"a":[1,-2.5e3,"\u00e9\n"],"b":{"c":true,"d":null}}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: JSONParsingError.self) { try JSONValue(parsing: Array(bytes[..<length])) }
        }
        #expect(try JSONValue(parsing: bytes)["a"]?[1] == -2500)
    }
}
