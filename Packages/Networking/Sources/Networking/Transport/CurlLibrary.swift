// SPDX-License-Identifier: MIT

import CCurl
import CCurlCalls
import Digests
import Glibc

/// libcurl, which a process loads and sets up once: with the first transport.
enum CurlLibrary {
    // A constant of a type is made once, by the first caller; the others wait.
    private static let result = {
        // Before curl: connections that are closed while the process exits still need libcrypto. Without it, curl says so.
        try? LibCrypto.load()
        return ccurl_global_init()
    }()

    /// - Throws: `NetworkError` with the code `libraryMissing`.
    static func start() throws(NetworkError) {
        if let reason = ccurl_load() { throw NetworkError(code: .libraryMissing, message: String(cString: reason)) }
        _ = result
    }
}

/// SIGPIPE, which OpenSSL causes by writing to a socket that the peer has closed.
enum BrokenPipeSignal {
    /// Runs `body` with the signal blocked in this thread. A signal that arrives meanwhile is dropped: it would end the
    /// process, and the error of the write reports the same.
    static func blocked<Result>(_ body: () -> Result) -> Result {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let result = body()
        guard sigismember(&before, SIGPIPE) == 0 else { return result }
        var pending = sigset_t()
        if sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1 {
            var none = timespec()
            sigtimedwait(&signals, nil, &none)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return result
    }
}
