// SPDX-License-Identifier: MIT

import Foundation
import ObjectStore
import ObjectStoreTestSupport
import ParleyServer
import TestKit

/// The places that a server can have recordings in.
enum SoundPlace: Sendable {
    case folder
    /// A bucket of moto, below a beginning of keys of the home's own.
    case bucket

    /// One server of S3 for all tests. It ends with this process, which holds its standard input.
    static let moto = Result { try MotoServer() }

    /// The option of a server with this home.
    func objects(of home: TemporaryFolder) throws -> ServerOptions.Objects {
        switch self {
        case .folder: .folder
        case .bucket: .bucket(try Self.configuration(of: home), .fixed(try Self.moto.get().owner))
        }
    }

    static func configuration(of home: TemporaryFolder) throws -> S3Configuration {
        try moto.get().configuration(prefix: prefix(of: home))
    }

    /// The bucket as a server with this home has it.
    static func bucket(of home: TemporaryFolder) throws -> S3ObjectStore {
        try moto.get().store(prefix: prefix(of: home))
    }

    /// The keys of the objects of a home.
    static func keys(of home: TemporaryFolder) async throws -> Set<String> {
        var keys: Set<String> = []
        for try await object in try bucket(of: home).objects(prefix: "") { keys.insert(object.key.text) }
        return keys
    }

    private static func prefix(of home: TemporaryFolder) -> String {
        String(home.path.split(separator: "/").last ?? "home")
    }
}
