// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// PocketSphinx is declared by hand in `shim.h`; a C compiler has to find that the same as the library's own headers.
@Suite struct HeaderAgreementTests {
    private static let packages = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    @Test func `the declarations agree with the library's own`() throws {
        let shim = Self.packages + "/Speech/Sources/CPocketSphinx/shim.h"
        #expect(try agree(["sphinxbase/fe.h", "sphinxbase/ngram_model.h", shim]))
    }

    @Test func `a wrong declaration is found`() throws {
        let folder = try TemporaryFolder()
        let wrong = try folder.write("long ps_end_utt(ps_decoder_t *decoder, int flag);\n", to: "wrong.h")
        #expect(try !agree([wrong]))
    }

    private func agree(_ headers: [String]) throws -> Bool {
        let base = "/usr/include"
        let triples = try FileManager.default.contentsOfDirectory(atPath: base).filter { $0.hasSuffix("-linux-gnu") }
        let folders = ([base] + triples.map { "\(base)/\($0)" }).flatMap { ["\($0)/pocketsphinx", "\($0)/sphinxbase"] }
        let own = Self.packages + "/LazyLibraries/Sources/CLazyLibrary/include"
        return try HeaderAgreement.holds(["pocketsphinx.h"] + headers, options: (folders + [own]).map { "-I\($0)" })
    }
}
