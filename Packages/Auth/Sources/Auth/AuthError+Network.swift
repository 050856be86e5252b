// SPDX-License-Identifier: MIT

import Networking

extension AuthError {
    /// The error of a sign-in for a transport's error.
    init(_ error: NetworkError) {
        let untrusted: Set<NetworkError.Code> = [.certificate, .secure, .pin, .insecure]
        let unreachable: Set<NetworkError.Code> = [
            .resolve, .connect, .proxy, .connectionLost, .connectTimeout, .firstByteTimeout, .idleTimeout, .timeout,
            .circuitOpen,
        ]
        if unreachable.contains(error.code) {
            self.init(
                .noNetwork, "The server cannot be reached. Check the network and try again.", underlying: error)
        } else if untrusted.contains(error.code) {
            self.init(
                .notTrusted, "The connection to the server is not safe, so nothing was sent: \(error.message)",
                underlying: error)
        } else {
            self.init(
                .server, "Talking to the server failed: \(error.message)", status: error.status, underlying: error)
        }
    }

    /// The error that `AccessTokenProvider` promises: `unauthorized` only if the server has ended the session.
    var asNetworkError: NetworkError {
        if endsSession { return NetworkError(code: .unauthorized, message: message, underlying: self, status: 401) }
        return underlying as? NetworkError ?? NetworkError(code: .other, message: message, underlying: self)
    }
}
