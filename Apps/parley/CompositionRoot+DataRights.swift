// SPDX-License-Identifier: MIT

import Auth
import DataLayer
import Domain
import FoundationEssentials
import Networking
import SecuritySecretService

extension CompositionRoot {
    /// Writes all data of the person, here and at the server, into one archive; returns the number of items of each
    /// kind.
    func exportEverything(_ practice: Practice, to path: String) async throws -> [String: Int] {
        let conversations = try await conversations()
        var sources: [any PersonalDataSource] = [
            DeviceExport(
                results: practice.storage.results, recordings: practice.storage.recordings,
                evaluations: practice.storage.evaluations, conversations: conversations, wording: \.message),
            MeasurementExport(conversations),
            PromptHistory(path: paths.chatInputs, seal: try await dataSeal()), try await settingsFile(),
            alarmFile,
        ]
        if !AppPaths.isMissing(paths.answers) {
            sources.append(KeptAnswerExport(try await answerStore(answerCacheLimit())))
        }
        sources.append(ContextChoiceExport(path: paths.context))
        sources.append(TraceExport(file: paths.traces))
        if let account = practice.session.account {
            sources.append(
                ConsentExport(account: account.id, server: account.server, store: practice.session.consents))
        }
        if let sync = practice.sync { sources.append(RemoteExport(sync.rights, waitingIn: paths.data)) }
        let file = try ArchiveFile(path)
        let archive = TarWriter(modifiedAt: Int64(Date().timeIntervalSince1970)) { try await file.write($0) }
        let counts = try await ExportEverything(sources)(to: archive)
        try await file.finish()
        return counts
    }

    /// The account's rights at its server; uses nothing on this device except the session.
    func rights(of account: Account) throws -> RemoteDataRights {
        var configuration = HTTPClient.Configuration()
        configuration.tokens = account.controller
        configuration.log = networkLog { _ in }
        let client = HTTPClient(transport: try transport(to: account.server), configuration: configuration)
        return RemoteDataRights(PracticeServer(address: account.server, client: client))
    }

    /// Deletes all data of the person: the server's, unless `isOffline`, and everything on this device.
    func eraseEverything(_ options: AccountOptions, isOffline: Bool) async throws -> ErasePersonalData.Outcome {
        guard !isOffline, try options.knownSettings(in: self) != nil else {
            return try await ErasePersonalData(server: nil, places: personalPlaces)()
        }
        do {
            return try await withAccount(options) { account in
                try await account.controller.start()
                guard await account.controller.isSignedIn else {
                    return try await ErasePersonalData(server: nil, places: personalPlaces)()
                }
                let rights = try rights(of: account)
                let outcome = try await ErasePersonalData(
                    server: {
                        let receipt = try await rights.delete()
                        // The server's deletion ends the session; if the server does not learn of it, the session
                        // expires.
                        try? await account.controller.signOut(.local)
                        return receipt
                    }, places: personalPlaces)()
                return outcome
            }
        } catch let error as AuthError where error.code == .storage {
            throw DomainError.storage(
                "Your session cannot be read, so the server cannot be asked. \(Sentence(error)) To delete what is on this device "
                    + "alone: parley data delete --offline")
        }
    }

    /// The places on this device with personal data: first sound, then rows, then every other file, the secrets last.
    private var personalPlaces: [any PersonalDataStore] {
        // The app lock is deleted, too: nothing that it opens is left.
        let personalSettings: Set<String> = ["account.json", "context.json", "secrets.key", "app-lock"]
        return [
            // First of all, so that no program hands the deletion on to other devices.
            PersonalFolder(path: paths.configuration, count: "files") { $0 == "sync.json" },
            PersonalFolder(path: paths.data, count: "files") { $0.hasPrefix("sync.sqlite") },
            PersonalFolder(path: paths.recordings, count: "sounds"),
            StoredRows.practice(path: paths.practice), StoredRows.conversations(path: paths.conversations),
            // Lock files are empty and stay: a program that waits for one would not see a new file.
            PersonalFolder(path: paths.data, count: "files") { !$0.hasSuffix(".lock") },
            StoredSecrets(SecretServiceStore(allowsPrompt: InputStream().isTerminal)),
            PersonalFolder(path: paths.configuration, count: "files") { name in
                personalSettings.contains { name == $0 || name.hasPrefix($0 + ".") }
            },
        ]
    }
}

extension PromptHistory: PersonalDataSource {
    /// See `PersonalDataSource`.
    func export(to archive: any ExportArchive) async throws -> [String: Int] {
        let inputs = try content()
        guard !inputs.isEmpty else { return [:] }
        try await archive.add("chat-inputs.jsonl", inputs)
        return ["chatInputs": try load().count]
    }
}

/// A file for its owner alone, written away from the thread that asks for it; in place of what may be there once it is finished.
private actor ArchiveFile {
    private let file: OutputFile
    init(_ path: String) throws { file = try OutputFile(path, mode: 0o600) }
    func write(_ bytes: [UInt8]) throws { try file.write(bytes) }
    func finish() throws { try file.finish() }
}
