// SPDX-License-Identifier: MIT

import CCurl

/// libcurl's own set-up, which a process needs once.
enum CurlLibrary {
    // A constant of a type is made once, by whoever comes first; the others wait.
    private static let result = ccurl_global_init()

    static func start() {
        _ = result
    }
}
