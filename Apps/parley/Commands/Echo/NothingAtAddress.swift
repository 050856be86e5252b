// SPDX-License-Identifier: MIT

import Echo

/// The server has nothing at the address, which lacks the version that base URLs usually end in.
struct NothingAtAddress: Error {
    let address: String
    let answer: String

    /// Nil where the address is not what is wrong.
    init?(_ error: any Error, at endpoint: EchoEndpoint, path: String) {
        guard case .notFound(let failure)? = error as? EchoError,
            endpoint.baseURL.firstMatch(of: /\/v[0-9][0-9a-z]*$/) == nil
        else { return nil }
        address = "\(endpoint.baseURL)/\(path)"
        answer = failure.description
    }

    var message: String {
        "Nothing at \(address). Base URLs usually end in /v1. The server says: \(ModelText.short(answer, limit: 200))"
    }
}
