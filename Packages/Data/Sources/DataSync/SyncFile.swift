// SPDX-License-Identifier: MIT

public import DataLayer
public import Diagnostics
package import Domain
public import Persistence
package import Sync

/// The database of sync on this machine.
public enum SyncFile {
    /// Opens the file, or makes it (mode 0600), and brings its tables up to date. The caller closes it.
    ///
    /// - Parameter seal: The key that the file is sealed with while the app lock is set.
    /// - Throws: `DomainError.storage`.
    public static func open(_ path: String, seal: DataSeal?, logger: Logger = .disabled) async throws -> Database {
        try await domainErrors {
            let database = try await Database.opened(at: path, seal: seal, logger: logger)
            do {
                try await database.migrate([SyncJournal.migration] + SyncDevice.migrations)
                return database
            } catch {
                await database.close()
                throw error
            }
        }
    }
}

extension SyncError: TranslatedError {
    /// The error for a person.
    package var domainError: DomainError {
        let message = sentence
        return switch code {
        case .unreachable: .offline(message)
        case .refused, .invalidAnswer, .exists, .declined, .expired: .server(message)
        case .full, .readOnly, .tooLarge: .overLimit(message)
        case .notFound: .invalidInput(message)
        case .mistyped, .notMember, .newer, .noKey: .invalidInput(message)
        case .store: .storage(message)
        default: .damaged(message)
        }
    }
}
