// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import HTTPServer
import Networking
import PracticeWire

/// The rights of access, portability and erasure (GDPR articles 15, 17 and 20): exports and deletes all data of an
/// account, and deletes the account itself.
struct DataRightsEndpoints: Sendable {
    let export: AccountExport
    let deletion: DataDeletion
    let erasure: AccountErasure
    let service: AuthService
    let audit: AuditLog

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        router.member(.get, "/account/export", access) { member, _ in
            audit.record(.exported(account: member.account))
            return export.answer(member)
        }
        router.member(.delete, "/account/data", access) { member, _ in
            let receipt = try await deletion.run(for: member.account)
            audit.record(.deleted(what: "data", account: member.account, receipt: receipt.id))
            return try .json(DeletionReceiptDTO(receipt))
        }
        // In a repetition the session is gone, and the token still gets the receipt.
        router.on(
            .delete, "/account",
            handler: access.tokenHandler { token, _ in
                try await access.limits.count(service.subject(accessToken: token))
                let receipt = try await erasure.run(token, service)
                audit.record(.deleted(what: "account", account: nil, receipt: receipt.id))
                return try .json(DeletionReceiptDTO(receipt))
            })
    }
}
