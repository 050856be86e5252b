// SPDX-License-Identifier: MIT

import CommandLineArguments
import Diagnostics
import Foundation
import TerminalKit
import TestKit
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
    @Test func `playing that was cancelled draws nothing`() async throws {
        let folder = try TemporaryFolder()
        let sample = URL(filePath: #filePath).appending(path: "../../../../Apps/parley/Samples/capital-of-texas.wav")
        let command = try PlayCommand(
            invocation([
                "play", sample.standardized.path, "--picture", folder.file("p.svg"), "--output", folder.file("p.wav"),
            ]))
        let console = Console(
            output: OutputStream(descriptor: 1), errors: OutputStream(descriptor: 2), isJSON: true,
            traits: TerminalTraits(environment: [:], isTerminal: false))
        let app = CompositionRoot(
            paths: try AppPaths(environment: ["PARLEY_HOME": folder.path, "HOME": folder.path]), logger: .disabled,
            console: console, environment: [:])
        let playing = Task { try await command.run(in: app, console: console) }
        playing.cancel()
        await #expect(throws: CancellationError.self) { try await playing.value }
        #expect(!FileManager.default.fileExists(atPath: folder.file("p.svg")))
    }
}
