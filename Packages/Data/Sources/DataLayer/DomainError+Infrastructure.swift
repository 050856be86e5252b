// SPDX-License-Identifier: MIT

import Auth
public import Domain
import DurableFiles
import Networking
import Persistence
import PracticeWire
import Security

extension DomainError {
    /// Translates an error of the infrastructure; its message already says what to do.
    ///
    /// Errors of sound and speech are translated only where `DataVoice` is linked, which alone can throw them.
    public init(translating error: any Error) {
        switch error {
        case let error as DomainError: self = error
        case let error as any TranslatedError: self = error.domainError
        case let error as DatabaseError: self = .storage(error.sentence)
        case let error as NetworkError: self = .init(error)
        case let error as AuthError: self = .init(error)
        case let error as SecurityError: self = .init(error)
        case let error as SecretStoreError: self = .init(error)
        case let error as FileError:
            self = error.isDenied ? .file(error.sentence) : .storage(error.sentence)
        case let error as MappingFailure:
            self = .server("The server's answer cannot be read: \(error) It may speak a newer version.")
        default: self = .generationFailed("\(error)")
        }
    }
}

/// An error of infrastructure that this module does not link; the module that does translates it.
package protocol TranslatedError: Error {
    /// The error for a person.
    var domainError: DomainError { get }
}

/// Runs `body` and translates the infrastructure's errors; `CancellationError` passes untouched.
///
/// - Parameter damage: Makes what a damaged database means of the database's own words; nil for no more than those.
package func domainErrors<Value>(
    damage: ((String) -> UnusableData)? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
) async throws -> Value {
    do {
        return try await body()
    } catch is CancellationError {
        throw CancellationError()
    } catch {
        if let damage, let error = error as? DatabaseError, error.code == .damaged {
            throw DomainError.unusable(damage(error.message))
        }
        throw DomainError(translating: error)
    }
}
