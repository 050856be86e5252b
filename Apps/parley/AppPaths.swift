// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc
import Persistence
import TerminalKit

/// The places of the program's state: `PARLEY_HOME` if it is set, else by the XDG Base Directory Specification 0.8.
struct AppPaths: Sendable, Equatable {
    /// The home folder of the user; the root if there is none.
    let home: String
    /// Conversations and sealed secrets.
    let data: String
    /// Settings and keys: apart from the data, so that a copy of those alone opens nothing.
    let configuration: String
    /// The folder of a user's own systemd units (systemd.unit(5)).
    let userUnits: String
    /// The folder of a user's own desktop entries (Desktop Menu Specification).
    let applications: String
    /// The file that says which program opens what (MIME Applications Specification).
    let mimeAssociations: String

    /// Reads the environment; relative paths in XDG variables are ignored, as the specification asks.
    ///
    /// - Parameter passwordHome: The home folder in the system's list of users, which is used without `HOME`.
    /// - Throws: `DomainError.file` if neither names a home folder: a folder that everybody can write to is never used.
    init(
        environment: [String: String], passwordHome: () -> String? = AppPaths.homeOfUser
    ) throws(DomainError) {
        func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = absolute(environment["HOME"]) ?? absolute(passwordHome())
        func base(_ variable: String, _ standard: String) throws(DomainError) -> String {
            if let base = absolute(environment[variable]) { return base }
            if let home { return home + standard }
            throw DomainError.file("There is no home folder. Set HOME to a folder of your own.")
        }
        self.home = home ?? "/"
        userUnits = try base("XDG_CONFIG_HOME", "/.config") + "/systemd/user"
        mimeAssociations = try base("XDG_CONFIG_HOME", "/.config") + "/mimeapps.list"
        applications = try base("XDG_DATA_HOME", "/.local/share") + "/applications"
        if let home = Self.home(environment) {
            data = home + "/data"
            configuration = home + "/config"
            return
        }
        data = try base("XDG_DATA_HOME", "/.local/share") + "/parley"
        configuration = try base("XDG_CONFIG_HOME", "/.config") + "/parley"
    }

    /// The absolute path of `PARLEY_HOME`; nil if it is not set.
    static func home(_ environment: [String: String]) -> String? {
        guard let home = environment["PARLEY_HOME"], !home.isEmpty else { return nil }
        return home.hasPrefix("/") ? home : "\(FileManager.default.currentDirectoryPath)/\(home)"
    }

    /// The home folder of the process's user (getpwuid_r(3)); nil if the system knows none.
    static func homeOfUser() -> String? {
        var buffer = [CChar](repeating: 0, count: 16_384)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, let home = found?.pointee.pw_dir else {
            return nil
        }
        return String(cString: home)
    }

    /// True if there is no such file, nor the recovered copy that takes its place when it is opened; false also if that
    /// cannot be determined, so that opening the file reports the reason.
    static func isMissing(_ path: String) -> Bool {
        for path in [path, path + Database.recoveredSuffix] where access(path, F_OK) == 0 || errno != ENOENT {
            return false
        }
        return true
    }

    /// Closes this user's folders to other users, since `mkdir` lets everybody read them.
    func closeFolders() {
        for folder in [data, configuration] {
            var status = stat()
            guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                status.st_mode & 0o077 != 0, status.st_mode & 0o022 == 0
            else { continue }
            chmod(folder, 0o700)
        }
    }

    /// Makes the configuration folder, for its owner alone, if it is missing.
    func makeConfigurationFolder() throws { try Self.makeFolder(configuration) }

    /// Makes the data folder, for its owner alone, if it is missing.
    func makeDataFolder() throws { try Self.makeFolder(data) }

    private static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DomainError.file(
                "The folder \(path.printable) cannot be created. Create it, or set PARLEY_HOME to another folder.")
        }
    }

    /// The database of conversations.
    var conversations: String { data + "/conversations.sqlite" }
    /// The database of cues, results, recordings and the items that wait to be sent.
    var practice: String { data + "/practice.sqlite" }
    /// The folder of the sealed recordings.
    var recordings: String { data + "/recordings" }
    /// The folder of the state of unfinished uploads.
    var uploads: String { data + "/uploads" }
    /// The cache of servers' answers.
    var httpCache: String { data + "/http-cache.sqlite" }
    /// Vectors of texts.
    var vectors: String { data + "/vectors.sqlite" }
    /// The sound of sentences that a voice elsewhere has spoken.
    var speechCache: String { data + "/speech-cache.sqlite" }
    /// Answers of models that are kept for the next time.
    var answers: String { data + "/answers.sqlite" }
    /// Settings, assistants, speech engines and system prompts.
    var settings: String { data + "/settings.sqlite" }
    /// Timers and alarms. The app lock does not seal them: they ring while nobody is there to give the passphrase.
    var alarms: String { data + "/alarms.sqlite" }
    /// The logs of this person's devices.
    var sync: String { data + "/sync.sqlite" }
    /// The lock of the programs that hand changes to sync.
    var syncLock: String { data + "/sync.lock" }
    /// The place that the devices share.
    var syncSettings: String { configuration + "/sync.json" }
    /// The lines that were typed in chats.
    var chatInputs: String { data + "/chat-inputs" }
    /// The sealed secrets, if there is no keyring.
    var secrets: String { data + "/secrets.sealed" }
    /// The key of the sealed secrets.
    var secretsKey: String { configuration + "/secrets.key" }
    /// The state of the app lock.
    var appLock: String { configuration + "/app-lock" }
    /// The folder of the reports of crashes; a crash makes it.
    var crashes: String { data + "/crashes" }
    /// The limits of the recordings that are kept.
    var recordingLimit: String { configuration + "/recordings.json" }
    /// The time by which recordings are too old.
    var retentionClock: String { data + "/recordings-clock.json" }
    /// The limit of kept answers.
    var answerCacheLimit: String { configuration + "/answers.json" }
    /// The parts of the person's situation that may be read.
    var context: String { configuration + "/context.json" }
    /// The server at which the person signs in.
    var account: String { configuration + "/account.json" }
    /// The lock of the programs that share a session.
    var sessionLock: String { data + "/session.lock" }
}
