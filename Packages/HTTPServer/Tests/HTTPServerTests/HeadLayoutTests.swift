// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPServer

/// The lines of a head as two generations of libmicrohttpd leave them in their buffer; where one is installed, the other is
/// simulated here.
@Suite struct HeadLayoutTests {
    private static let start: UInt = 4_096

    /// A head of `GET / HTTP/1.1` and one field for each end of a line, after the first.
    private func layout(_ ends: [String], headEnd: String, valueSize: UInt = 1) -> HeadLayout {
        var bytes = Array("GET\0/\0HTTP/1.1\(ends[0])".utf8)
        var fields: [HeadLayout.Field] = []
        for end in ends.dropFirst() {
            let name = Self.start + UInt(bytes.count)
            fields.append(HeadLayout.Field(name: name, value: name + 3, valueSize: valueSize))
            bytes += Array("A\0 b\(end)".utf8)
        }
        bytes += Array(headEnd.utf8)
        return HeadLayout(
            start: Self.start, bytes: bytes, methodSize: 3, target: Self.start + 4, targetSize: 1,
            version: Self.start + 6, fields: fields)
    }

    @Test(arguments: [
        (["\0\0"], "\0\0"), (["\0\0", "\0\0", "\0\0"], "\0\0"), (["\0\n"], "\r\n"),
        (["\0\n", "\0\n", "\0\n"], "\r\n"), (["\0\n", "\0 \t\r\n", "\0\r\n"], "\r\n"),
        // The bytes behind the last value were used for the body.
        (["\0\n", "\0x"], "yz"),
    ]) func `whole lines pass in both layouts`(_ ends: [String], headEnd: String) {
        #expect(layout(ends, headEnd: headEnd).fault == nil)
    }

    @Test(arguments: [
        // One byte is a line that ended in LF alone.
        (["\0"], "\0\0"), (["\0\0", "\0", "\0\0"], "\0\0"), (["\0\0", "\0\0"], "\0"), (["\0\n", "\0", "\0\n"], "\r\n"),
        (["\0\n", "\0\t\n", "\0\n"], "\r\n"), (["\0\n", "\0\n"], "\n"),
        // More than the line's end is there.
        (["\0\0", "\0\0\0", "\0\0"], "\0\0"), (["\0\0", "\0\0"], "\0\0\0"), (["\0\n", "\0c\0\n", "\0\n"], "\r\n"),
        (["\0\n", "\0c\r\n", "\0\n"], "\r\n"), (["\0\n", "\0\n\0\n"], "\r\n"),
        // A layout that nobody knows.
        (["\r\n", "\r\n"], "\r\n"), (["\0\n", "\r\n", "\0\n"], "\r\n"), ([""], ""),
    ]) func `other gaps between lines are refused`(_ ends: [String], headEnd: String) {
        let layout = layout(ends, headEnd: headEnd)
        #expect(layout.fault != nil, "\(layout)")
    }

    @Test func `a field outside the head is refused`() {
        var folded = layout(["\0\n", "\0\n"], headEnd: "\r\n")
        for (name, value) in [(0, 3), (9_000, 9_003), (Self.start, Self.start + 3), (folded.fields[0].name, 9_003)] {
            folded.fields[0] = HeadLayout.Field(name: name, value: value, valueSize: 1)
            #expect(folded.fault == "A field is folded over several lines, which is obsolete.")
        }
    }

    @Test(arguments: [
        ("0.9.75", false), ("0.9.8", false), ("0.9.76", true), ("0.9.77", true), ("1.0.1", true), ("1.0.1-4", true),
    ])
    func `versions compare by their numbers`(_ version: String, isNewer: Bool) {
        #expect(Daemon.isNewer(version, than: [0, 9, 75]) == isNewer)
    }
}
