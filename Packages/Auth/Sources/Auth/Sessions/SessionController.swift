// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
public import Networking
public import Security

/// Signs in and out at one server, keeps the session, and gives its access token to requests.
///
/// It is Networking's `AccessTokenProvider`. The refresh token lies in a `SecretStore`, the access token in memory alone.
/// A refresh is done once for all who wait, and by one program at a time: under the ``SessionLock`` the store is read
/// again, so a token that another program has exchanged is never shown a second time. A fault of the network signs nobody
/// out; only the server's word does, or another program that deleted the session here.
///
/// Time is a clock that never goes back and counts while the machine sleeps; how long a token lives is the server's word
/// counted from before it was asked. So neither a calendar that was set nor a suspend makes an old token pass for good.
public actor SessionController: AccessTokenProvider {
    let client: GoTrueClient
    let records: AuthRecords
    let lock: SessionLock
    let clock: ClientClock
    /// The shortest time between two mails, unless the server says more.
    public nonisolated let resendCooldown: Duration

    var machine = SessionStateMachine()
    var user: AuthUser?
    var refreshing: (attempt: Int, task: Task<AccessToken, any Error>)?
    var lastFailure: AuthError?
    /// The record that could not be stored, and the refresh token that it replaces.
    var unsaved: (record: SessionRecord, replaces: String)?
    var isRequestingMail = false
    private var timer: Task<Void, Never>?
    private var isRunning = false
    private let listeners = EventBroadcast()

    /// A controller, which does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - client: The server.
    ///   - store: Keeps the refresh token, and a sign-in that is not finished.
    ///   - lock: Excludes the other programs that share the store.
    ///   - resendCooldown: The shortest time between two mails.
    ///   - clock: Must count while the machine sleeps (`ContinuousClock` does).
    /// - Throws: `SecretStoreError` when the server's address is no name for a secret.
    public init(
        client: GoTrueClient, store: any SecretStore, lock: SessionLock, resendCooldown: Duration = .seconds(60),
        clock: ClientClock = .system
    ) throws {
        self.client = client
        self.lock = lock
        self.resendCooldown = resendCooldown
        self.clock = clock
        records = try AuthRecords(store: store, server: client.baseURL)
    }

    /// Reads the store, and fetches an access token behind the scenes if there is a session; from then on before each
    /// expiry. To be called again when another program may have signed in or out.
    ///
    /// - Throws: ``AuthError`` with the code `storage`.
    public func start() async throws {
        let before = machine.session
        let record = try await records.session()
        let pending = try await records.pending()
        isRunning = true
        // Whoever signed in or out while the store was read knows better.
        if machine.session == before, record?.id != before || before == nil {
            send(machine.restored(record?.id, isAwaitingProof: pending != nil))
            user = record?.user
        }
        if machine.session != nil, machine.goodToken(now: clock.now()) == nil { beginRefresh() }
        arm()
    }

    /// The stored session's user, without a request and without a start; nil if there is no session.
    ///
    /// - Throws: ``AuthError`` with the code `storage`.
    public func storedUser() async throws -> AuthUser? { try await records.session()?.user }

    /// A name for the stored session, another one after each sign-in; `nil` when nobody is signed in. Asks nobody and starts
    /// nothing: for whoever wants to know whether another program has signed in or out.
    ///
    /// - Throws: ``AuthError`` with the code `storage`.
    public func storedSession() async throws -> String? { try await records.session()?.id }

    /// Ends what runs behind the scenes and all sequences of events. A refresh that is under way goes on to its end, since
    /// its answer is the only good token from then on; this waits for it. So a program calls it before it ends.
    public func close() async {
        isRunning = false
        timer?.cancel()
        timer = nil
        _ = await refreshing?.task.result
        if let unsaved, unsaved.record.id == machine.session { await save(unsaved.record, replacing: unsaved.replaces) }
        listeners.close()
    }

    /// The state of signing in.
    public var state: SessionState { machine.state(now: clock.now()) }

    /// The signed-in user, as far as the server has named it.
    public var currentUser: AuthUser? { machine.session == nil ? nil : user }

    /// The events from now on. Each call gives a sequence of its own, which holds the newest 64 events: a listener that is
    /// slower loses the oldest, and never holds anything up. Ends with ``close()``.
    public func events() -> AsyncStream<AuthEvent> {
        listeners.listen()
    }

    func send(_ events: [AuthEvent]) {
        listeners.send(events)
        arm()
    }

    /// Sets the timer to the next refresh.
    func arm() {
        timer?.cancel()
        timer = nil
        guard isRunning, let time = machine.renewalTime else { return }
        let wait = max(.zero, time - clock.now())
        timer = Task { [weak self, clock] in
            guard (try? await clock.sleep(wait)) != nil, !Task.isCancelled else { return }
            await self?.timerFired()
        }
    }

    /// Begins a refresh unless one runs.
    func beginRefresh() {
        guard let session = machine.session, let attempt = machine.refreshBegan() else { return }
        // It outlives whoever waits for it: its answer is the only good token from then on.
        refreshing = (attempt, Task { try await refresh(attempt, session) })
        arm()
    }

    private func timerFired() {
        guard isRunning, let time = machine.renewalTime else { return }
        if time <= clock.now() { beginRefresh() } else { arm() }
    }
}
