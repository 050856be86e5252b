// SPDX-License-Identifier: MIT

public import AuthServer
import FoundationEssentials

/// GoTrue's administration over `AuthServer`, JSON in and JSON out. The caller has checked the service token.
public struct AdminEndpoints: Sendable {
    /// The addresses below the server's own.
    ///
    /// | route | call | does |
    /// |---|---|---|
    /// | ``list`` | `GET /admin/users?page=&per_page=&filter=` | a page of accounts, with `Link` and `X-Total-Count` |
    /// | ``create`` | `POST /admin/users` | makes an account |
    /// | ``show``, ``change`` | `GET`, `PUT /admin/users/{id}` | returns and changes one; `ban_duration` blocks it |
    /// | ``remove`` | `DELETE /admin/users/{id}` | deletes the account with all of its data |
    /// | ``invite`` | `POST /invite?redirect_to=` | makes an account, and mails its owner |
    /// | ``endSessions`` | `POST /admin/users/{id}/logout` | ends an account's sessions; not GoTrue's |
    public enum Route: String, Sendable, Hashable, CaseIterable {
        /// Returns a page of accounts.
        case list = "GET /admin/users"
        /// Makes an account.
        case create = "POST /admin/users"
        /// Returns an account.
        case show = "GET /admin/users/{id}"
        /// Changes an account.
        case change = "PUT /admin/users/{id}"
        /// Deletes an account.
        case remove = "DELETE /admin/users/{id}"
        /// Invites a person.
        case invite = "POST /invite"
        /// Ends an account's sessions.
        case endSessions = "POST /admin/users/{id}/logout"

        /// The method's name.
        public var method: String { String(rawValue.prefix { $0 != " " }) }

        /// The path, with `{id}` in place of a request's value.
        public var path: String { String(rawValue.drop { $0 != " " }.dropFirst()) }
    }

    /// The outcome of a call, with what the audit log needs.
    public struct Act: Sendable {
        /// The answer.
        public let answer: EndpointAnswer
        /// The account that the call was about; nil for several, and for a deleted one.
        public let account: String?
        /// The receipt of a deletion.
        public var receipt: String?
    }

    private static let longestPage = 1_000

    private let service: AuthService
    private let redirects: RedirectRule
    private let address: String
    private let erase: @Sendable (_ account: String) async throws -> String

    /// - Parameters:
    ///   - service: The rules.
    ///   - redirects: The addresses that a browser may be sent to after a link was used.
    ///   - address: The address below which the routes are, for `Link`.
    ///   - erase: Deletes an account with all of its data, and returns the receipt's id.
    public init(
        service: AuthService, redirects: RedirectRule = RedirectRule(), address: String,
        erase: @escaping @Sendable (_ account: String) async throws -> String
    ) {
        (self.service, self.redirects, self.address, self.erase) = (service, redirects, address, erase)
    }

    /// Answers a request.
    ///
    /// - Throws: `AuthServerError`, whose `status` is the answer's, and the store's errors.
    public func answer(_ route: Route, to request: EndpointRequest) async throws -> Act {
        let id = request.id ?? ""
        switch route {
        case .list: return Act(answer: try await list(request), account: nil)
        case .create: return try user(await create(request))
        case .show: return try user(await service.account(id: id))
        case .change: return try user(await change(id, request))
        case .remove:
            let receipt = try await remove(id, request)
            return Act(answer: try .json(["receipt": receipt]), account: nil, receipt: receipt)
        case .invite: return try user(await invite(request))
        case .endSessions:
            _ = try await service.signOut(account: id)
            return Act(answer: .noContent, account: id)
        }
    }

    private func user(_ account: Account) throws -> Act {
        Act(answer: try .json(UserMessage(account)), account: account.id)
    }

    private func list(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let page = try number(request[query: "page"], "page", in: 1...1_000_000) ?? 1
        let size = try number(request[query: "per_page"], "per_page", in: 1...Self.longestPage) ?? 50
        let filter = request[query: "filter"].flatMap { $0.isEmpty ? nil : $0 }
        let (accounts, total) = try await service.accounts(
            matching: filter, offset: (page - 1) * size, limit: size)
        var answer = try EndpointAnswer.json(UserListMessage(users: accounts.map { UserMessage($0) }))
        let last = max(1, (total + size - 1) / size)
        var links = [(last, "last")]
        if page < last { links.insert((page + 1, "next"), at: 0) }
        // The filter is left out: it may be a person's address, and headers are logged.
        answer.headers["Link"] = links.map { number, name in
            "<\(address)/admin/users?page=\(number)&per_page=\(size)>; rel=\"\(name)\""
        }.joined(separator: ", ")
        answer.headers["X-Total-Count"] = "\(total)"
        return answer
    }

    /// A number of the query; nil for a missing or empty one.
    private func number(_ text: String?, _ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text, !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw AuthServerError(
                .validationFailed, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private func create(_ request: EndpointRequest) async throws -> Account {
        let message = try request.read(AdminUserRequest.self)
        guard let email = message.email else { throw AuthServerError(.validationFailed, "Send email, the address.") }
        let account = try await service.create(
            EmailAddress(email), metadata: message.metadata ?? AccountMetadata(), isConfirmed: message.isConfirmed)
        guard let block = message.block else { return account }
        return try await service.change(account: account.id, block: block)
    }

    private func change(_ id: String, _ request: EndpointRequest) async throws -> Account {
        let message = try request.read(AdminUserRequest.self)
        if let email = message.email {
            guard try await service.account(id: id).address == EmailAddress(email) else {
                throw AuthServerError(.validationFailed, "An account's address cannot be changed.")
            }
        }
        return try await service.change(
            account: id, metadata: message.metadata, isConfirmed: message.isConfirmed, block: message.block)
    }

    private func remove(_ id: String, _ request: EndpointRequest) async throws -> String {
        if !request.body.isEmpty, try request.read(DeletionRequest.self).shouldSoftDelete == true {
            throw AuthServerError(
                .validationFailed, "An account is deleted with all of its data; leave should_soft_delete out.")
        }
        return try await erase(id)
    }

    private func invite(_ request: EndpointRequest) async throws -> Account {
        let message = try request.read(InviteRequest.self)
        return try await service.invite(
            EmailAddress(message.email), metadata: message.data ?? AccountMetadata(),
            redirect: redirects.check(request[query: "redirect_to"]))
    }
}
