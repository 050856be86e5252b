// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct PictureFileTests {
    private func file(_ path: String?) throws -> PictureFile? {
        var invocation = Invocation(command: CommandSpecification(path: ["play"], summary: "Play"))
        invocation.values["picture"] = path
        return try PictureFile("picture", of: invocation)
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
