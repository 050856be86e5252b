// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@testable import parley

@Suite struct PictureFileTests {
    private func file(_ path: String?) throws -> PictureFile? {
        try invocation(["play", "file"] + (path.map { ["--picture", $0] } ?? []))[PictureFile.option]
    }

    @Test(arguments: [("a.png", "png"), ("/x.y/a b.PNG", "png"), ("a.wav.svg", "svg"), ("./é.Svg", "svg")])
    func theEndingOfTheNameSaysTheFormat(path: String, format: String) throws {
        let file = try #require(try file(path))
        #expect(file.path == path && file.format.rawValue == format)
        #expect(try self.file(nil) == nil)
    }

    @Test(arguments: ["a", "a.jpg", "a.png/", "png", "x.png/a", "a.svg.gz", "."])
    func anotherEndingIsRefusedWithThoseThatWork(path: String) throws {
        let error = #expect(throws: UsageError.self) { try file(path) }
        #expect(error?.message == "--picture takes the name of a file that ends in .png or .svg, not \"\(path)\".")
        #expect(error?.command == "play")
    }
}
