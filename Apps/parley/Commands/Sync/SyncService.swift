// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import DataSync
import Domain
import FoundationEssentials
import Glibc
import Persistence
import Sync
import TerminalKit

/// Keeps the person's devices in step while `parley service` runs, whatever becomes of the settings meanwhile.
struct SyncService: Sendable {
    let app: CompositionRoot

    /// The state of sync on this machine.
    private enum State: Equatable {
        case notSetUp
        case paused
        /// The app lock is closed; a service asks nobody for the passphrase.
        case locked
        /// The settings cannot be read.
        case broken(Sentence)
        /// The place, and the file of sync's database: leaving and joining again makes another one.
        case ready(SyncSettings, file: UInt)
    }

    /// The settings changed, or what made the exchanges fail may be gone.
    private struct Over: Error {}

    private static let retryPause = Duration.seconds(55)

    private var files: [String] {
        [app.paths.syncSettings, app.paths.sync, app.paths.appLock, app.paths.account, app.paths.secrets]
    }

    /// Runs until the task is cancelled.
    func run() async {
        var (said, saidFailure): (State?, Sentence?)
        while !Task.isCancelled {
            let watch = FilesWatch(files)
            defer { watch.close() }
            let state = await state()
            if state != said { say(state) }
            said = state
            guard case .ready = state else {
                await wait(while: state)
                continue
            }
            do {
                try await exchange(while: state, watch)
                // Another device removed this one: only other settings help.
                await wait(while: state)
            } catch is Over {
                saidFailure = nil
            } catch {
                guard !Task.isCancelled else { return }
                let message = ErrorReport(error)?.sentence
                if let message, message != saidFailure { app.console.progress("Sync waits: \(message)") }
                saidFailure = message
                await waitAfterFailure()
            }
        }
    }

    private func wait(while state: State) async {
        let watch = FilesWatch(files)
        defer { watch.close() }
        var changes = watch.changes.makeAsyncIterator()
        while await self.state() == state, await next(&changes) {}
    }

    /// Returns after about a minute, or when one of the files changed.
    private func waitAfterFailure() async {
        let watch = FilesWatch(files)
        defer { watch.close() }
        let (before, start) = (files.map(FileIdentity.init), ContinuousClock.now)
        var changes = watch.changes.makeAsyncIterator()
        while files.map(FileIdentity.init) == before, ContinuousClock.now - start < Self.retryPause,
            await next(&changes)
        {}
    }

    /// Waits for a change; false once the task is cancelled.
    private func next(_ changes: inout AsyncStream<Void>.Iterator) async -> Bool {
        if await changes.next() != nil { return true }
        // Without a thread to watch, look once in a while.
        try? await Task.sleep(for: Self.retryPause)
        return !Task.isCancelled
    }

    private func state() async -> State {
        do {
            guard let settings = try SyncSettings.load(from: app.paths.syncSettings) else { return .notSetUp }
            if settings.isPaused { return .paused }
            if try await app.sealedData.isLocked() { return .locked }
            return .ready(settings, file: FileIdentity(app.paths.sync).inode)
        } catch { return .broken(Sentence(error)) }
    }

    private func say(_ state: State) {
        let console = app.console
        switch state {
        case .notSetUp: break
        case .paused: console.progress("Sync is paused until parley sync resume.")
        case .locked: console.progress("The app lock is closed: sync waits until it is open.")
        case .broken(let message): console.progress("Sync waits: \(message)")
        case .ready(let settings, _):
            console.progress("Keeping your devices in step at \(settings.place.text.printable).")
        }
    }

    // MARK: Exchanges

    private func exchange(while state: State, _ watch: FilesWatch) async throws {
        let isFailing = Guarded(false)
        let findings = Guarded<Set<Sentence>>([])
        try await app.withSync { sync in
            let ports = AutomaticSync.Ports(
                exchange: { extent in
                    guard let report = try await sync.exchange(extent) else { return .nothingWaits }
                    return try await sync.device.status().isMember == false ? .removed : .exchanged(report)
                },
                news: { sync.transport.changes() },
                sources: sync.records.data.newestChanges().map { changes in
                    { note in
                        var newest: Int64 = 0
                        for try await number in changes {
                            if number > newest { note(.changed) }
                            newest = max(newest, number)
                        }
                    }
                } + [
                    { note in await NetworkReturns.forEach { note(.available) } },
                    { _ in try await noticeChanges(from: state, watch) { isFailing.withLock(\.self) } },
                ])
            try await AutomaticSync(ports)(report: { event in
                switch event {
                case .failed: isFailing.withLock { $0 = true }
                case .recovered: isFailing.withLock { $0 = false }
                case .exchanged(let report):
                    let new = report.findings.map(\.sentence).filter { text in
                        findings.withLock { $0.insert(text).inserted }
                    }
                    for text in new { app.console.warn(text) }
                case .removed: break
                }
                show(event)
            })
        }
    }

    /// Throws ``Over`` once the settings are others, or the account or a password changed while exchanges fail.
    private func noticeChanges(
        from state: State, _ watch: FilesWatch, _ isFailing: @Sendable () -> Bool
    ) async throws {
        let files = [app.paths.account, app.paths.secrets]
        let before = files.map(FileIdentity.init)
        for await _ in watch.changes {
            guard await self.state() == state else { throw Over() }
            if isFailing(), files.map(FileIdentity.init) != before { throw Over() }
        }
    }

    private func show(_ event: AutomaticSync.Event) {
        let console = app.console
        switch event {
        case .exchanged(let report):
            guard report.readCount + report.writtenCount > 0 else { return }
            try? console.emit(
                SyncServiceEvent(event: "exchanged", read: report.readCount, written: report.writtenCount))
        case .failed(let error):
            guard let report = ErrorReport(error) else { return }
            console.progress("Sync waits: \(report.sentence)")
            try? console.emit(SyncServiceEvent(event: "syncWaits", reason: report.message))
        case .recovered:
            console.progress("Sync goes on.")
            try? console.emit(SyncServiceEvent(event: "syncGoesOn"))
        case .removed:
            console.warn("Another device removed this one. parley sync leave, and join again.")
            try? console.emit(SyncServiceEvent(event: "removed"))
        }
    }
}

/// A step of the service in JSON.
private struct SyncServiceEvent: Encodable {
    let event: String
    var read: Int?
    var written: Int?
    var reason: String?
}

/// The identity and the time of a file, by which another program's change shows; zero for a missing file.
private struct FileIdentity: Hashable, Sendable {
    var inode: UInt = 0
    private var seconds = 0
    private var nanoseconds = 0

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        (inode, seconds, nanoseconds) = (UInt(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
