// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Adds the access token, and on 401 refreshes it once for all waiting requests and sends each of them once more.
final class TokenTransport: HTTPTransport {
    private typealias Machine = TokenRefreshStateMachine<Promise<AccessToken>>

    private struct State {
        var machine = Machine()
        var refreshes: [AccessToken: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let next: any HTTPTransport
    private let provider: any AccessTokenProvider
    private let clock: ClientClock
    private let state = Guarded(State())

    /// The stage in front of `next`.
    init(next: any HTTPTransport, provider: any AccessTokenProvider, clock: ClientClock = .system) {
        self.next = next
        self.provider = provider
        self.clock = clock
    }

    /// Cancels a refresh that is under way, and starts no more: waiting requests get the code `closed`.
    func close() {
        let refreshes = state.withLock { state in
            state.isClosed = true
            return state.refreshes.values
        }
        for refresh in refreshes { refresh.cancel() }
    }

    /// Sends the request with the session's token, unless it has an `Authorization` of its own.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.options.isAuthorized, !request.headers.contains(name: "Authorization"),
            let token = await provider.token()
        else { return try await next.send(request) }
        let response = try await next.send(authorized(request, token))
        guard response.status == 401, request.body.isRepeatable else { return response }
        await response.discard()
        return try await next.send(authorized(request, fresh(after: token)))
    }

    /// The number of requests that wait for a refresh.
    var waiterCount: Int { state.withLock { $0.machine.waiterCount } }

    private func authorized(_ request: HTTPRequest, _ token: AccessToken) -> HTTPRequest {
        var request = request
        request.headers["Authorization"] = "Bearer \(token.value)"
        return request
    }

    private func fresh(after used: AccessToken) async throws -> AccessToken {
        let current = await provider.token()
        let promise = Promise<AccessToken>()
        let action = state.withLock { state -> Machine.Action in
            guard !state.isClosed else { return .fail(.clientClosed) }
            let action = state.machine.refused(used: used, current: current, waiter: promise, now: clock.now())
            // The task outlives the request that started it, since others wait for it, too, and the token that it
            // fetches is the only one that the server accepts from now on. It ends by itself, or `close` cancels it.
            if case .start = action { state.refreshes[used] = Task { await refresh(used) } }
            return action
        }
        switch action {
        case .replay(let token): return token
        case .fail(let error): throw error
        case .start, .join: return try await promise.valueOrGivingUp()
        }
    }

    private func refresh(_ expired: AccessToken) async {
        let result: Result<AccessToken, any Error>
        do {
            let fresh = try await provider.refresh(expired)
            let isKept = await provider.replace(expired, with: fresh)
            result = isKept ? .success(fresh) : .failure(NetworkError.sessionChanged)
        } catch {
            // The waiting requests were not cancelled themselves.
            result = .failure(error is CancellationError ? NetworkError.clientClosed : error)
        }
        let waiters = state.withLock { state in
            state.refreshes[expired] = nil
            return state.machine.finished(expired, fresh: try? result.get())
        }
        for waiter in waiters { waiter.resolve(result) }
    }
}

extension NetworkError {
    fileprivate static var clientClosed: NetworkError {
        NetworkError(code: .closed, message: "The client was closed and refreshes no token any more. Make a new one.")
    }
}
