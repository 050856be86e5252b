// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// PocketSphinx is declared by hand in `shim.h`; a C compiler has to find that the same as the library's own headers.
@Suite struct HeaderAgreementTests {
    @Test func theDeclarationsAgreeWithTheLibrarysOwn() throws {
        let shim = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CPocketSphinx/shim.h").path()
        #expect(
            try compiles([
                "-include", "pocketsphinx.h", "-include", "sphinxbase/fe.h", "-include", "sphinxbase/ngram_model.h",
                "-include", shim,
            ]))
    }

    @Test func aWrongDeclarationIsFound() throws {
        let wrong = FileManager.default.temporaryDirectory.appending(path: "wrong-\(UUID()).h")
        defer { try? FileManager.default.removeItem(at: wrong) }
        try "long ps_end_utt(ps_decoder_t *decoder, int flag);\n".write(to: wrong, atomically: true, encoding: .utf8)
        #expect(try !compiles(["-include", "pocketsphinx.h", "-include", wrong.path()]))
    }

    private func compiles(_ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let base = "/usr/include"
        let triples = try FileManager.default.contentsOfDirectory(atPath: base).filter { $0.hasSuffix("-linux-gnu") }
        let folders = ([base] + triples.map { "\(base)/\($0)" }).flatMap { ["\($0)/pocketsphinx", "\($0)/sphinxbase"] }
        process.arguments =
            ["clang", "-fsyntax-only", "-x", "c"] + folders.map { "-I\($0)" } + arguments + ["/dev/null"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
