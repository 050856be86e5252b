// SPDX-License-Identifier: MIT

public import Security

/// Finds out where this machine can keep secrets.
public enum SecretStores {
    /// The desktop's keyring if there is one, or else a `FileSecretStore` in a folder: the file `secrets`, which the key
    /// file `secrets.key` beside it opens.
    ///
    /// - Parameters:
    ///   - folder: For the file; it is made if need be, and only if there is no keyring.
    ///   - allowsPrompt: True if a locked keyring may ask the person for its password.
    /// - Throws: `SecretStoreError`: what ``SecretServiceStore/probe()`` throws, but `unavailable`, and what
    ///   `FileSecretStore.open(_:protection:)` throws. A locked keyring is an error and not a reason to use the file:
    ///   secrets would be in two places.
    public static func best(in folder: String, allowsPrompt: Bool = false) async throws -> any SecretStore {
        if try await hasKeyring(allowsPrompt: allowsPrompt) { return SecretServiceStore(allowsPrompt: allowsPrompt) }
        return try await FileSecretStore.open(folder + "/secrets", protection: .keyFile(folder + "/secrets.key"))
    }

    /// True if this session has a keyring that can be used.
    ///
    /// - Throws: `SecretStoreError`, as ``SecretServiceStore/probe()``, but `unavailable`.
    public static func hasKeyring(allowsPrompt: Bool = false) async throws -> Bool {
        do {
            try await SecretServiceStore(allowsPrompt: allowsPrompt).probe()
            return true
        } catch let error as SecretStoreError where error.code == .unavailable {
            return false
        }
    }
}
