// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials

/// The place that the devices of a person share, as the command line and the settings name it. Nothing in it is secret.
enum SyncPlace: Codable, Sendable, Equatable {
    case folder(String)
    case webdav(url: String, user: String)
    case sftp(url: String, key: String?)
    case server

    static let folder = ValueOption<String>(
        "folder", placeholder: "DIR", help: "A folder that all devices see: Syncthing, NFS, a USB stick",
        completion: .files)
    static let webdav = ValueOption<String>(
        "webdav", placeholder: "URL", help: "A folder of a WebDAV server; its password is asked for")
    static let user = ValueOption<String>("user", placeholder: "NAME", help: "The account at the WebDAV server")
    static let sftp = ValueOption<String>(
        "sftp", placeholder: "URL",
        help: "A folder of an SSH server, below the home: sftp://ada@home.example/sync; //srv/sync from the root")
    static let key = ValueOption<String>(
        "key", placeholder: "FILE", help: "The private key for SFTP; without it the SSH agent's",
        completion: .files)
    static let relay = Flag("server", help: "The parley-server at which you are signed in")
    static let options: [any CommandOption] = [folder, relay, webdav, user, sftp, key]

    /// The place that the options name; nil for none.
    init?(_ invocation: Invocation) throws(UsageError) {
        let named = [invocation[Self.folder], invocation[Self.webdav], invocation[Self.sftp]].compactMap(\.self).count
        guard named + (invocation.has(Self.relay) ? 1 : 0) <= 1 else {
            throw invocation.error("Name one place: --folder, --server, --webdav or --sftp.")
        }
        if let path = invocation[Self.folder] {
            self = .folder(URL(filePath: path).standardizedFileURL.path(percentEncoded: false))
        } else if let url = invocation[Self.webdav] {
            guard let user = invocation[Self.user], !user.isEmpty else {
                throw invocation.error("--webdav needs --user NAME.")
            }
            self = .webdav(url: url, user: user)
        } else if let url = invocation[Self.sftp] {
            guard let parts = URL(string: url), parts.scheme == "sftp", parts.host() != nil, parts.user() != nil else {
                throw invocation.error("--sftp needs an address such as sftp://ada@home.example/sync.")
            }
            self = .sftp(url: url, key: invocation[Self.key])
        } else if invocation.has(Self.relay) {
            self = .server
        } else {
            return nil
        }
    }

    /// The place for a person.
    var sentence: Sentence {
        switch self {
        case .folder(let path): "the folder \(path)"
        case .webdav(let url, _), .sftp(let url, _): Sentence(verbatim: url)
        case .server: "your account's server"
        }
    }

    /// The place in English.
    var text: String { sentence.english }
}

/// Sync on this machine: `sync.json` in the configuration folder.
struct SyncSettings: OwnFileValue, Equatable {
    var version = 1
    var place: SyncPlace
    /// The store that has the device's keys.
    var store: SecretStoreChoice.Kind
    var isPaused = false
    /// The id of the account whose relay is the place; nil for another place.
    var account: String?

    static let remedy: Sentence = "Restore it from a backup."
    var isValid: Bool { version == 1 }
}
