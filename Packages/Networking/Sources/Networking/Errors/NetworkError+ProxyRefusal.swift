// SPDX-License-Identifier: MIT

extension NetworkError {
    /// Whether a proxy refuses by its rules: a ban, or a user name and password that it does not take. That stays so until a
    /// person changes something, so what opens connections again and again gives up. A proxy that is not there, or
    /// that cannot reach the server, is a fault of the network like any other (`connect`, `resolve`), and one that
    /// names a passing reason is worth waiting for.
    var isProxyRefusal: Bool {
        guard code == .proxy else { return false }
        return status.map { ![408, 425, 429].contains($0) && $0 < 500 } ?? true
    }
}
