// SPDX-License-Identifier: MIT

import CCurl
import CLibCrypto

/// libcurl's own set-up, which a process needs once.
enum CurlLibrary {
    // A constant of a type is made once, by whoever comes first; the others wait.
    private static let result = {
        // Connections that are closed while the process exits still need libcrypto.
        _ = clibcrypto_stay_until_exit()
        return ccurl_global_init()
    }()

    static func start() {
        _ = result
    }
}
