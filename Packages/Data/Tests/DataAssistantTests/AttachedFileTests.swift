// SPDX-License-Identifier: MIT

import Echo
import TestKit
import Testing

@testable import DataAssistant

@Suite struct AttachedFileTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    @Test(arguments: [
        (png, AttachedFile.Kind.image("image/png")), ([0xFF, 0xD8, 0xFF, 0xE0, 0], .image("image/jpeg")),
        (Array("GIF89a..".utf8), .image("image/gif")), (Array("GIF87a..".utf8), .image("image/gif")),
        (Array("RIFF....WEBPVP8 ".utf8), .image("image/webp")), (Array("%PDF-1.7".utf8), .pdf),
        (Array("Grüße\n".utf8), .text),
    ])
    func `a kind is known by its content`(_ bytes: [UInt8], _ kind: AttachedFile.Kind) throws {
        #expect(try AttachedFile(name: "a.bin", bytes: bytes).kind == kind)
    }

    @Test(
        arguments: [[], [0xC3, 0x28], Array("RIFF....WAVEfmt ".utf8) + [0], [0x7F, 0x45, 0x4C, 0x46, 0]] as [[UInt8]])
    func `anything else says what is possible`(_ bytes: [UInt8]) {
        let error = #expect(throws: AttachmentError.self) { try AttachedFile(name: "a.png", bytes: bytes) }
        #expect(error == .unknownKind("a.png"))
    }

    @Test func `sizes are limited by kind and together`() throws {
        #expect(throws: AttachmentError.tooLarge("a", limit: 1_000_000)) {
            try AttachedFile(name: "a", bytes: Array(repeating: 0x61, count: 1_000_001))
        }
        let large = try AttachedFile(name: "a", bytes: Self.png + Array(repeating: 0, count: 19_999_000))
        #expect(throws: AttachmentError.tooMuch(limit: 50_000_000)) {
            try [large, large, large].check(for: "some-model")
        }
    }

    @Test(arguments: [
        ("gpt-5", false), ("gpt-5-nano", true), ("gpt-3.5-turbo", true), ("llama3.2", true), ("llama3.2-vision", false),
        ("Qwen/Qwen2.5-7B-Instruct", true), ("Qwen/Qwen2.5-VL-7B-Instruct", false), ("unheard-of", false),
    ])
    func `a picture is refused for models that are known to read none`(_ model: String, _ isRefused: Bool) throws {
        let (picture, text) = (
            try AttachedFile(name: "a.png", bytes: Self.png), try AttachedFile(name: "a.txt", bytes: [0x61])
        )
        try [text].check(for: model)
        if isRefused {
            #expect(throws: AttachmentError.noImages("a.png", model: model)) { try [text, picture].check(for: model) }
        } else {
            try [text, picture].check(for: model)
        }
    }

    @Test func `each kind is a part of the message`() throws {
        let files = try [("a.txt", Array("hello".utf8)), ("b.png", Self.png), ("c.pdf", Array("%PDF-1".utf8))].map {
            try AttachedFile(name: $0, bytes: $1)
        }
        guard case .message(let message) = files.message else { throw NoMessage() }
        #expect(
            message.content == [
                .inputText("I attach a.txt (text, 5 bytes), b.png (image/png, 9 bytes), c.pdf (PDF, 6 bytes)."),
                .inputText("\n\nThe file a.txt:\n\nhello"), .inputImage(url: "data:image/png;base64,iVBORw0KGgoA"),
                .inputFile(name: "c.pdf", data: "data:application/pdf;base64,JVBERi0x", fileID: nil, url: nil),
            ])
    }

    private struct NoMessage: Error {}
}
