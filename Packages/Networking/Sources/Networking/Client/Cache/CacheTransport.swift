// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials

/// Answers from stored responses where the rules allow it (RFC 9111, private cache), and stores new responses.
final class CacheTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let store: any HTTPCacheStore
    private let policy: CachePolicy
    private let clock: ClientClock
    private let partition: @Sendable () async -> String
    private let maximumEntryBytes: Int
    private static let maximumVariants = 8

    /// The stage in front of `next`.
    ///
    /// - Parameters:
    ///   - store: Keeps responses.
    ///   - staleIfError: The time past its freshness in which a response may answer for a failing server, unless the
    ///     response itself says; for offline use.
    ///   - maximumEntryBytes: Longer bodies are not stored.
    ///   - partition: The present session: one session never sees another's stored responses.
    init(
        next: any HTTPTransport, store: any HTTPCacheStore, staleIfError: Duration = .zero,
        maximumEntryBytes: Int = 4 << 20, clock: ClientClock = .system,
        partition: @escaping @Sendable () async -> String = { "" }
    ) {
        self.next = next
        self.store = store
        self.clock = clock
        self.partition = partition
        self.maximumEntryBytes = maximumEntryBytes
        policy = CachePolicy(defaultStaleIfError: staleIfError.inSeconds)
    }

    /// Answers from the store, or sends the request.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.options.caching != .none else { return try await next.send(request) }
        guard request.method == .get else { return try await sendAndInvalidate(request) }
        let key = await key(request.url)
        // The caller's own condition is for the caller's own copy.
        let isConditional = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range"].contains
        {
            request.headers.contains(name: $0)
        }
        guard !isConditional else { return try await next.send(request) }
        let variants = await store.variants(for: key)
        let stored = variants.first { policy.matches($0, request) }
        if request.options.caching == .onlyIfCached || CacheControl(request.headers).has("only-if-cached") {
            guard let stored else {
                throw NetworkError(code: .notCached, message: "Nothing is stored for this request. Go online first.")
            }
            return response(from: stored, .stored)
        }
        guard let stored else { return try await fetch(request, key: key, variants: variants) }
        switch policy.decide(stored, for: request, now: clock.date()) {
        case .use: return response(from: stored, .stored)
        case .validate(let staleIfError):
            return try await validate(
                request, key: key, stored: stored, variants: variants, staleIfError: staleIfError)
        }
    }

    private func validate(
        _ request: HTTPRequest, key: String, stored: CachedResponse, variants: [CachedResponse], staleIfError: Bool
    ) async throws -> HTTPResponse {
        let requested = clock.date()
        let answer: HTTPResponse
        do {
            answer = try await next.send(policy.conditional(request, stored))
        } catch let error as NetworkError where staleIfError && error.isTransient {
            return response(from: stored, .stale)
        }
        if answer.status == 304 {
            await answer.discard()
            let fresh = policy.freshened(
                stored, by: answer.headers, requested: requested, responded: clock.date())
            await store.store([fresh] + variants.filter { $0.varying != stored.varying }, for: key)
            return response(from: fresh, .validated)
        }
        if answer.isServerFault, staleIfError {
            await answer.discard()
            return response(from: stored, .stale)
        }
        return storing(answer, request, key: key, variants: variants, requested: requested)
    }

    private func fetch(_ request: HTTPRequest, key: String, variants: [CachedResponse]) async throws -> HTTPResponse {
        let requested = clock.date()
        return storing(
            try await next.send(request), request, key: key, variants: variants, requested: requested)
    }

    private func storing(
        _ response: HTTPResponse, _ request: HTTPRequest, key: String, variants: [CachedResponse], requested: Date
    ) -> HTTPResponse {
        guard policy.isStorable(request: request, status: response.status, headers: response.headers) else {
            return response
        }
        let varying = policy.varying(request, response.headers)
        let entry = CachedResponse(
            status: response.status,
            headers: policy.storedHeaders(
                response.headers, isDecoded: !request.headers.contains(name: "Accept-Encoding")),
            url: response.url, varying: varying, requested: requested, responded: clock.date(), body: [])
        let others = variants.filter { $0.varying != varying }.prefix(Self.maximumVariants - 1)
        var response = response
        response.body = HTTPResponseBody(
            source: CachingBody(response.body, limit: maximumEntryBytes) { [store] body in
                var entry = entry
                entry.body = body
                await store.store([entry] + others, for: key)
            })
        return response
    }

    // A change of a resource makes its stored responses doubtful (RFC 9111 §4.4).
    private func sendAndInvalidate(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await next.send(request)
        guard !request.method.isSafe, (200...399).contains(response.status) else { return response }
        var urls = [request.url]
        for name in ["Location", "Content-Location"] {
            if let text = response.headers[name], let url = URL(string: text, relativeTo: request.url)?.absoluteURL,
                Origin(url) == Origin(request.url)
            {
                urls.append(url)
            }
        }
        for url in urls { await store.remove(await key(url)) }
        return response
    }

    private func response(from stored: CachedResponse, _ source: HTTPResponse.Source) -> HTTPResponse {
        var headers = stored.headers
        headers["Age"] = String(Int(policy.age(of: stored, now: clock.date())))
        var response = HTTPResponse(
            status: stored.status, headers: headers, url: stored.url, body: HTTPResponseBody(stored.body))
        response.source = source
        return response
    }

    private func key(_ url: URL) async -> String {
        let text = url.absoluteString
        // A fragment is the reader's matter and no part of the resource's id.
        return await partition() + " " + (text.split(separator: "#", maxSplits: 1).first.map(String.init) ?? text)
    }
}

/// A body that keeps a copy of itself, and stores it when it was read to its end.
final class CachingBody: HTTPBodySource {
    private let source: HTTPResponseBody
    private let limit: Int
    private let complete: @Sendable ([UInt8]) async -> Void
    private let copy = Guarded<[UInt8]?>([])

    init(_ source: HTTPResponseBody, limit: Int, complete: @escaping @Sendable ([UInt8]) async -> Void) {
        self.source = source
        self.limit = limit
        self.complete = complete
    }

    var summary: HTTPTransferSummary { source.summary }

    func next() async throws -> [UInt8]? {
        var iterator = source.makeAsyncIterator()
        if let chunk = try await iterator.next() {
            copy.withLock { copy in
                guard let count = copy?.count else { return }
                if count + chunk.count > limit { copy = nil } else { copy?.append(contentsOf: chunk) }
            }
            return chunk
        }
        let whole = copy.withLock { $0.take() }
        if let whole { await complete(whole) }
        return nil
    }
}
