// SPDX-License-Identifier: MIT

import CCurl
import CCurlCalls
import Digests

/// libcurl, which a process loads and sets up once: with the first transport.
enum CurlLibrary {
    // A constant of a type is made once, by whoever comes first; the others wait.
    private static let result = {
        // Connections that are closed while the process exits still need libcrypto.
        LibCrypto.stayUntilExit()
        return ccurl_global_init()
    }()

    /// - Throws: `NetworkError` with the code `libraryMissing`.
    static func start() throws(NetworkError) {
        if let reason = ccurl_load() { throw NetworkError(code: .libraryMissing, message: String(cString: reason)) }
        _ = result
    }
}
