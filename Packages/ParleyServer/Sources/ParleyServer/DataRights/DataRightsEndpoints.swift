// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import HTTPServer
import Networking
import PracticeWire

/// The rights of access, portability and erasure (GDPR articles 15, 17 and 20): exports and deletes all data of an account, and
/// deletes the account itself.
struct DataRightsEndpoints: Sendable {
    let export: AccountExport
    let deletion: DataDeletion
    let erasure: AccountErasure
    let service: AuthService
    let audit: AuditLog

    func add(to router: inout Router, _ door: MemberDoor) {
        router.member(.get, "/account/export", door) { member, _ in
            audit.record(.exported(account: member.account))
            return export.answer(member)
        }
        router.member(.delete, "/account/data", door) { member, _ in
            let receipt = try await deletion.run(for: member.account)
            audit.record(.deleted(what: "data", account: member.account, receipt: receipt.id))
            return try .json(DeletionReceiptDTO(receipt))
        }
        // Asked again, the session is gone, and the token still gets the receipt.
        router.on(
            .delete, "/account",
            handler: door.tokenHandler { token, _ in
                let receipt = try await erasure.run(token, service)
                audit.record(.deleted(what: "account", account: nil, receipt: receipt.id))
                return try .json(DeletionReceiptDTO(receipt))
            })
    }
}
