// SPDX-License-Identifier: MIT

import TestKit
import Testing

/// libsecret is declared by hand in `shim.h`; a C compiler has to find that the same as the libraries' own headers.
@Suite struct HeaderAgreementTests {
    private static let packages = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    private func agrees(_ assertions: [String]) throws -> Bool {
        let options = try HeaderAgreement.options(of: "libsecret-1")
        return try HeaderAgreement.holds(
            ["libsecret/secret.h", Self.packages + "/Security/Sources/CSecret/shim.h"],
            options: options + ["-I" + Self.packages + "/LazyLibraries/Sources/CLazyLibrary/include"],
            assertions: assertions)
    }

    @Test func `the declarations agree with the libraries' own`() throws {
        #expect(
            try agrees([
                "CSECRET_COLLECTION_NONE == SECRET_COLLECTION_NONE", "CSECRET_SEARCH_ALL == SECRET_SEARCH_ALL",
                "CSECRET_SEARCH_LOAD_SECRETS == SECRET_SEARCH_LOAD_SECRETS",
                "CSECRET_SERVICE_OPEN_SESSION == SECRET_SERVICE_OPEN_SESSION",
                "CSECRET_ERROR_IS_LOCKED == SECRET_ERROR_IS_LOCKED",
                "CSECRET_IO_ERROR_CANCELLED == G_IO_ERROR_CANCELLED", "SECRET_SCHEMA_NONE == 0",
                "SECRET_SCHEMA_ATTRIBUTE_STRING == 0",
            ]))
    }

    @Test func `a wrong number is found`() throws {
        #expect(try !agrees(["CSECRET_SEARCH_ALL == SECRET_SEARCH_LOAD_SECRETS"]))
    }
}
