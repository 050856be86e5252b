// SPDX-License-Identifier: MIT

import Domain

/// The server of `parley sign-in`, for the other commands. Nothing in it is secret.
struct AccountSettings: OwnFileValue, Equatable {
    var version = 1
    /// The server's address.
    var server: String
    /// The name of the secret that is the server's API key; nil if the server needs none.
    var apiKey: String?
    /// The store that has the session.
    var store: SecretStoreChoice.Kind

    static let remedy: Sentence = "Remove it, and give --server URL once."
    var isValid: Bool { version == 1 }
}
