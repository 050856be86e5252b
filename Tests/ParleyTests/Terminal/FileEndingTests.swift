// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@testable import parley

@Suite struct FileEndingTests {
    @Test(arguments: [
        ("a.mp3", "mp3"), ("x/y.tar.GZ", "gz"), ("/dev/full", nil), (".hidden", nil), ("x.d/file", nil), ("end.", nil),
        ("-", nil), (".a.wav", "wav"),
    ])
    func `an ending is what follows the last dot`(_ path: String, _ ending: String?) {
        #expect(FileEnding(of: path)?.text == ending)
    }

    @Test(arguments: ["out.mp3", "picture.png", "-"])
    func `sound is not written under a wrong name`(_ name: String) throws {
        let words = try invocation(["talk", "--output", name])
        #expect(throws: UsageError.self) { _ = try TalkCommand(words) }
    }

    @Test(arguments: ["out.wav", "out.FLAC", "out.ogg", "out.opus", "out", "/dev/null"])
    func `sound is written under a fitting name`(_ name: String) throws {
        #expect(throws: Never.self) { _ = try TalkCommand(invocation(["talk", "--output", name])) }
    }
}
