// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials

/// The course of one upload by tus 1.0.0 (tus.io/protocols/resumable-upload) without its I/O.
struct TusStateMachine {
    enum Action: Equatable {
        /// POST to the endpoint.
        case create
        /// HEAD, to learn the offset.
        case ask(URL)
        /// PATCH from an offset on.
        case send(URL, offset: Int)
        /// Remove the record, then do the next `action`.
        case forget
        /// Wait, then do the next `action`.
        case wait(Duration)
        /// The server has everything.
        case finish(URL)
        case fail(NetworkError.Code, String, status: Int?)
    }

    private(set) var action: Action
    /// The action after a wait.
    private var next: Action?
    /// The wait after the record is removed.
    private var delay: Duration?
    private let length: Int
    private let configuration: TusClient.Configuration
    private var failures = 0
    private var confirmed = 0
    /// The highest offset that the server confirmed in any upload of this content.
    private var furthest = 0
    private var url: URL?
    /// True for a stored record that the server has not confirmed yet. Servers delete expired uploads, so that its loss
    /// is no failure.
    private var isStored: Bool

    init(record: TusUploadRecord?, length: Int, configuration: TusClient.Configuration) {
        self.length = length
        self.configuration = configuration
        url = record?.url
        isStored = record != nil
        action = record.map { .ask($0.url) } ?? .create
    }

    mutating func waited() { action = next ?? .create }

    mutating func forgotten() {
        url = nil
        confirmed = 0
        action = delay.map { .wait($0) } ?? .create
        (next, delay) = (.create, nil)
    }

    mutating func created(at location: URL, offset: Int = 0) {
        url = location
        confirmed = (0...length).contains(offset) ? offset : 0
        action = confirmed == length ? .finish(location) : .send(location, offset: confirmed)
    }

    /// Handles the answer to a HEAD.
    ///
    /// - Parameter random: A number from 0 to 1, for the wait.
    mutating func told(offset: Int?, length serverLength: Int?, random: Double = 1) {
        guard let url else { return forgotten() }
        guard let offset, offset >= 0, offset <= length, serverLength.map({ $0 == length }) ?? true else {
            // It is not this file's upload: a new one is the only safe way.
            return startAnew(
                NetworkError(code: .invalidResponse, message: "The server's upload has another length or offset."),
                random: random)
        }
        isStored = false
        moved(to: offset, url)
    }

    /// Handles the answer 204 to a PATCH.
    mutating func sent(_ count: Int, from offset: Int, newOffset: Int?) {
        guard let url else { return forgotten() }
        guard let newOffset, newOffset > offset, newOffset <= offset + count else {
            return failed(
                NetworkError(code: .invalidResponse, message: "The server's Upload-Offset does not add up."), random: 1)
        }
        moved(to: newOffset, url)
    }

    private mutating func moved(to offset: Int, _ url: URL) {
        if offset > furthest { (failures, furthest) = (0, offset) }
        confirmed = offset
        action = offset == length ? .finish(url) : .send(url, offset: offset)
    }

    /// Handles a request's other statuses.
    ///
    /// - Parameters:
    ///   - retryAfter: The wait that the server asks for. The next attempt is no sooner; a wait above the
    ///     configuration's limit ends the upload.
    ///   - random: A number from 0 to 1, for the wait.
    mutating func refused(_ status: Int, retryAfter: Duration? = nil, random: Double) {
        defer {
            if let retryAfter, case .wait(let delay) = action {
                action =
                    retryAfter > configuration.maximumRetryAfter
                    ? .fail(.status, NetworkError.status(status).message, status: status)
                    : .wait(max(delay, retryAfter))
            }
        }
        switch (status, url) {
        // Gone for good, at least by this address.
        case (403, .some), (404, .some), (410, .some): startAnew(.status(status), random: random)
        // Another offset than ours: ask. A wrong checksum: the server dropped the chunk.
        case (409, let url?), (460, let url?): again(.ask(url), random, NetworkError.status(status))
        case (423, _): again(url.map { .ask($0) } ?? .create, random, NetworkError.status(status))
        case _ where NetworkError.isTransient(status: status): failed(.status(status), random: random)
        default: action = .fail(.status, NetworkError.status(status).message, status: status)
        }
    }

    /// Handles a request's failure without an answer.
    mutating func failed(_ error: NetworkError, random: Double) {
        guard error.isTransient else {
            return action = .fail(error.code, error.message, status: error.status)
        }
        again(url.map { .ask($0) } ?? .create, random, error)
    }

    /// Discards the upload's record and creates another upload. A stored record that the server does not confirm costs
    /// no wait.
    private mutating func startAnew(_ error: NetworkError, random: Double) {
        if isStored {
            isStored = false
            return action = .forget
        }
        guard let wait = countFailure(error, random) else { return }
        (action, delay) = (.forget, wait)
    }

    private mutating func again(_ following: Action, _ random: Double, _ error: NetworkError) {
        guard let wait = countFailure(error, random) else { return }
        (action, next) = (.wait(wait), following)
    }

    /// - Returns: The wait before the next attempt; nil if this failure is the last, and `action` has its error.
    private mutating func countFailure(_ error: NetworkError, _ random: Double) -> Duration? {
        failures += 1
        guard failures <= configuration.maximumFailures else {
            action = .fail(error.code, error.message, status: error.status)
            return nil
        }
        return Backoff(first: configuration.initialDelay, longest: configuration.maximumDelay)
            .delay(afterFailures: failures, chance: random)
    }
}

extension NetworkError {
    fileprivate static func status(_ status: Int) -> NetworkError {
        NetworkError(
            code: .status, message: "The upload server answered \(status). Check the address and credentials.",
            status: status)
    }
}
