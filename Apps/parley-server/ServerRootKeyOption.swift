// SPDX-License-Identifier: MIT

import CommandLineArguments
import ParleyServer

/// `--key-file`.
enum ServerRootKeyOption {
    static let option = ValueOption<String>(
        "key-file", placeholder: "FILE",
        help: "The keys that all instances share, 64 hexadecimal digits a line, the newest first, mode 0600 or 0640; "
            + "SIGHUP reads it again (default: the setting root_key, else a key in the home)",
        completion: .files)

    /// The key that the option or the setting names; nil for the home's own.
    ///
    /// - Throws: `SettingError`.
    static func key(_ invocation: Invocation, _ settings: ServerConfiguration) throws -> ServerRootKey? {
        if let file = invocation[option] { return try ServerRootKey(file: file) }
        return try settings.text("root_key").map { try ServerRootKey($0, at: "root_key") }
    }
}
