// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
public import Networking
public import Security

/// Signs in and out at one server, keeps the session, and provides its access token to requests.
///
/// It is Networking's `AccessTokenProvider`. The refresh token is in a `SecretStore`, the access token in memory only.
/// A refresh is done once for all waiting callers, and by one program at a time: under the ``SessionLock`` the store is
/// read again, so a token that another program has exchanged is never sent a second time. A fault of the network does
/// not sign out; only the server does, or another program that deleted the session here.
///
/// Times are those of a monotonic clock that counts while the machine sleeps; a token's lifetime is the server's value,
/// counted from before the request. So neither a change of the calendar nor a suspend makes an expired token pass as
/// valid.
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

    /// A controller, which is inactive before ``start()``.
    ///
    /// - Parameters:
    ///   - client: The server.
    ///   - store: Keeps the refresh token, and a sign-in that is not finished.
    ///   - lock: Excludes the other programs that share the store.
    ///   - resendCooldown: The shortest time between two mails.
    ///   - clock: Must count while the machine sleeps (`ContinuousClock` does).
    /// - Throws: `SecretStoreError` if the server's address is not a valid name of a secret.
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

    /// Reads the store, and fetches an access token in the background if there is a session; from then on before each
    /// expiry. Call it again when another program may have signed in or out.
    ///
    /// - Throws: ``AuthError`` with the code `storage`.
    public func start() async throws {
        let before = machine.session
        let record = try await records.session()
        let pending = try await records.pending()
        isRunning = true
        // A sign-in or sign-out while the store was read takes precedence.
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

    /// An id of the stored session, a new one after each sign-in; `nil` if no account is signed in. Makes no request
    /// and starts nothing: for callers that check whether another program has signed in or out.
    ///
    /// - Throws: ``AuthError`` with the code `storage`.
    public func storedSession() async throws -> String? { try await records.session()?.id }

    /// Ends the background work and all sequences of events. A running refresh is completed first, since its answer is
    /// the only valid token from then on. A program calls this before it ends.
    public func close() async {
        isRunning = false
        timer?.cancel()
        timer = nil
        _ = await refreshing?.task.result
        if let unsaved, unsaved.record.id == machine.session { await save(unsaved.record, replacing: unsaved.replaces) }
        listeners.close()
    }

    /// The state of sign-in.
    public var state: SessionState { machine.state(now: clock.now()) }

    /// The signed-in user, if the server has named it.
    public var currentUser: AuthUser? { machine.session == nil ? nil : user }

    /// The events from now on. Each call returns a separate sequence, which holds the newest 64 events: a slower
    /// listener loses the oldest, and never delays anything. Ends with ``close()``.
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
        // The task outlives its waiting callers: its answer is the only valid token from then on.
        refreshing = (attempt, Task { try await refresh(attempt, session) })
        arm()
    }

    private func timerFired() {
        guard isRunning, let time = machine.renewalTime else { return }
        if time <= clock.now() { beginRefresh() } else { arm() }
    }
}
