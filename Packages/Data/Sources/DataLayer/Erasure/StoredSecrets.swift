// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
public import Security

/// The secrets of a person in a store: keys, sessions, and secrets that the person set. Deleting needs no key.
public struct StoredSecrets: PersonalDataStore {
    private let store: any SecretStore

    /// The secrets of a store.
    public init(_ store: any SecretStore) { self.store = store }

    /// See `PersonalDataStore`. A missing store has no secrets.
    public func erase() async throws -> [String: Int] {
        do {
            var count = 0
            for name in try await store.names(service: nil) where try await store.delete(name) { count += 1 }
            return count > 0 ? ["secrets": count] : [:]
        } catch let error as SecretStoreError where error.code == .unavailable {
            return [:]
        } catch let error as SecretStoreError where error.code == .locked {
            throw DomainError.unusable(.lockedKeyring)
        } catch let error as SecretStoreError {
            throw DomainError(translating: error)
        }
    }
}
