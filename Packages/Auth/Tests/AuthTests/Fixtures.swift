// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Networking
import NetworkingTestSupport
import Security

@testable import Auth

let base = URL(string: "https://project.example/auth/v1")

/// An answer with a JSON body.
func answer(
    _ status: Int, _ body: String, _ headers: HTTPHeaders = [:]
) -> @Sendable (HTTPRequest) async throws -> HTTPResponse {
    { request in
        HTTPResponse(status: status, headers: headers, url: request.url, body: HTTPResponseBody(Array(body.utf8)))
    }
}

extension HTTPRequest {
    /// The JSON that it carries, members in order.
    var json: String {
        guard case .bytes(let bytes) = body,
            let value = try? JSONDecoder().decode([String: Member].self, from: Data(bytes))
        else { return "" }
        return value.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
    }

    private struct Member: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try (try? value.decode(String.self)) ?? String(value.decode(Bool.self))
        }
    }
}

extension Sensitive<String> {
    var exposed: String { withExposed { $0 } }
}

/// The error of an operation; nil if it has none.
func failure(_ operation: () async throws -> some Any) async -> AuthError? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error as? AuthError
    }
}

/// What GoTrue answers to a sign-in, by its published description; no server was asked.
enum Published {
    static func tokens(
        access: String = "eyJhbGciOiJIUzI1NiJ9.eyJzZXNzaW9uX2lkIjoicyJ9.c2ln", refresh: String = "r1",
        expiresIn: String = "3600"
    ) -> String {
        """
        {"access_token":"\(access)","token_type":"bearer","expires_in":\(expiresIn),"expires_at":1767229200,
        "refresh_token":"\(refresh)","weak_password":null,"user":\(user)}
        """
    }

    static let user = """
        {"id":"0b7fd1ac-5b7e-4a1c-9a0e-2f7d1f3a9f10","aud":"authenticated","role":"authenticated",
        "email":"ada@example.org","email_confirmed_at":"2026-01-01T00:00:00.000000Z","phone":"",
        "confirmed_at":"2026-01-01T00:00:00.000000Z","last_sign_in_at":"2026-01-01T00:00:00.000000Z",
        "app_metadata":{"provider":"email","providers":["email"]},"user_metadata":{},
        "identities":[{"identity_id":"a","id":"b","provider":"email","identity_data":{"sub":"b"}}],
        "created_at":"2026-01-01T00:00:00.000000Z","updated_at":"2026-01-01T00:00:00.000000Z","is_anonymous":false}
        """
}
