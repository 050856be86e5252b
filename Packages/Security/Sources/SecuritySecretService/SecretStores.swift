// SPDX-License-Identifier: MIT

public import Security

/// Chooses the store of secrets for this machine.
public enum SecretStores {
    /// The desktop's keyring if it exists, or else a `FileSecretStore` in a folder: the file `secrets`, which the key
    /// file `secrets.key` beside it opens.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; it is made if need be, and only without a keyring.
    ///   - allowsPrompt: True if a locked keyring may ask the person for its password.
    /// - Throws: `SecretStoreError`: the errors of ``SecretServiceStore/probe()``, except `unavailable`, and those of
    ///   `FileSecretStore.open(_:protection:)`. A locked keyring is an error and not a reason to use the file:
    ///   secrets would be in two places.
    public static func best(in folder: String, allowsPrompt: Bool = false) async throws -> any SecretStore {
        if try await hasKeyring(allowsPrompt: allowsPrompt) { return SecretServiceStore(allowsPrompt: allowsPrompt) }
        return try await FileSecretStore.open(folder + "/secrets", protection: .keyFile(folder + "/secrets.key"))
    }

    /// True if this session has a usable keyring.
    ///
    /// - Throws: `SecretStoreError`, as ``SecretServiceStore/probe()``, except `unavailable`.
    public static func hasKeyring(allowsPrompt: Bool = false) async throws -> Bool {
        do {
            try await SecretServiceStore(allowsPrompt: allowsPrompt).probe()
            return true
        } catch let error as SecretStoreError where error.code == .unavailable {
            return false
        }
    }
}
