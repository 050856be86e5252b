// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import Security

/// The operator's hook over HTTP: asked about each sign-up, and told of each sign-in by a queue that survives a restart.
struct HTTPHook: AuthHook {
    /// An event that waits for the hook.
    private struct Notification: Codable {
        let body: Data
        let expiresAt: AuthTime
    }

    private struct Newcomer: Encodable {
        let email: String
    }

    private struct SignIn: Encodable {
        struct User: Encodable {
            let id: String
            let email: String
            let createdAt: String

            enum CodingKeys: String, CodingKey {
                case id, email
                case createdAt = "created_at"
            }
        }

        let user: User
        let sessionID: String
        let device: String

        enum CodingKeys: String, CodingKey {
            case user, device
            case sessionID = "session_id"
        }
    }

    /// An event is tried for so long.
    private static let lifetime: Duration = .seconds(3 * 86_400)
    /// Nobody waits for an event, and a hook that is away may be so for hours.
    static let backoff = Backoff(first: .seconds(5), longest: .seconds(3_600))
    /// The most events that wait.
    static let capacity = 100_000
    private static let messageLimit = 300

    private let client: HookClient
    private let whenAway: HookOptions.WhenAway
    private let store: DeliveryStore
    private let queue: DeliveryQueue
    private let seal: DeliverySeal
    private let clock: AuthClock
    private let logger: Logger

    /// - Parameter seal: Seals the events that wait.
    init(
        _ client: HookClient, whenAway: HookOptions.WhenAway, _ store: DeliveryStore, seal: DeliverySeal,
        clock: AuthClock, logger: Logger
    ) {
        (self.client, self.whenAway, self.store, self.seal) = (client, whenAway, store, seal)
        (self.clock, self.logger) = (clock, logger)
        queue = DeliveryQueue(store, name: "notifications", logger: logger) { delivery in
            await Self.deliver(delivery, client, seal, clock, logger)
        }
    }

    func willSignUp(_ event: SignUpEvent) async throws {
        let message = HookMessage("user.signing_up", at: event.at, Newcomer(email: event.address.value))
        let answer: (status: Int, body: [UInt8])
        do {
            answer = try await client.post(message.json(), id: try Self.newID())
        } catch {
            try Task.checkCancellation()
            return try away(String(describing: error))
        }
        switch answer.status {
        case 200...299: return
        case 403: throw AuthServerError(.hookRefused, Self.message(in: answer.body))
        default: return try away("it answered with the status \(answer.status)")
        }
    }

    func signedIn(_ event: SignInEvent) async {
        let account = event.account
        let message = HookMessage(
            "user.signed_in", at: event.at,
            SignIn(
                user: .init(
                    id: account.id, email: account.address.value,
                    createdAt: HookMessage<SignIn>.text(of: account.createdAt)),
                sessionID: event.session, device: event.device))
        do {
            let id = try Self.newID()
            let notification = Notification(body: Data(try message.json()), expiresAt: event.at + Self.lifetime)
            guard try await store.add(id, seal.seal(notification, id: id)) else {
                logger.error("the hook is not told of a sign-in: the queue is full")
                return
            }
            queue.ring()
        } catch {
            logger.error("the hook is not told of a sign-in: \(String(describing: error), privacy: .public)")
        }
    }

    /// Tells the hook of sign-ins until ``finish()`` or cancellation.
    func run() async { await queue.run() }

    /// Ends the waiting: ``run()`` tries once what is due, and returns.
    func finish() { queue.finish() }

    private func away(_ reason: String) throws {
        logger.error("the hook did not decide about a sign-up: \(reason, privacy: .public)")
        guard whenAway == .refuse else { return }
        throw AuthServerError(
            .hookAway, "New accounts cannot be made just now. Try again in a minute.",
            retryAfter: clock.now() + .seconds(60))
    }

    private static func deliver(
        _ delivery: DeliveryStore.Delivery, _ client: HookClient, _ seal: DeliverySeal, _ clock: AuthClock,
        _ logger: Logger
    ) async -> DeliveryQueue.Outcome {
        guard let event = seal.open(delivery.content, id: delivery.id, as: Notification.self) else {
            return .unreadable
        }
        guard clock.now() < event.expiresAt else {
            logger.error("a notification was not taken in three days, and is dropped")
            return .done
        }
        do {
            let status = try await client.post([UInt8](event.body), id: delivery.id).status
            switch status {
            case 200...299: return .done
            case 410:
                logger.error("the hook takes no notifications (410); one is dropped")
                return .done
            default: return .failed("status \(status)")
            }
        } catch is CancellationError {
            return .failed(nil)
        } catch {
            logger.warning("a notification is tried again: \(String(describing: error), privacy: .public)")
            return .failed((error as? NetworkError)?.code.rawValue ?? "the hook could not be called")
        }
    }

    /// `msg_` and random characters, as Standard Webhooks advises.
    private static func newID() throws -> String { "msg_" + (try SecureRandom.token(byteCount: 16)) }

    /// The hook's words for the person, without control characters.
    private static func message(in body: [UInt8]) -> String {
        struct Refusal: Decodable {
            let message: String
        }
        let text = (try? JSONDecoder().decode(Refusal.self, from: Data(body)))?.message ?? ""
        let shown = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
        ).prefix(messageLimit)
        return shown.isEmpty ? "The server's operator does not let this address in." : String(shown)
    }
}
