// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import HTTPServer
import Networking

/// What is kept of a person: all of it to take along, all of it gone, and the account gone with it.
struct DataRightsEndpoints: Sendable {
    let export: AccountExport
    let deletion: DataDeletion
    let erasure: AccountErasure
    let service: AuthService

    func add(to router: inout Router, _ door: MemberDoor) {
        router.member(.get, "/account/export", door) { member, _ in export.answer(member) }
        router.member(.delete, "/account/data", door) { member, _ in
            try .json(DeletionReceiptDTO(await deletion.run(for: member.account)))
        }
        // Asked again, the session is gone, and the token still gets the receipt.
        router.on(
            .delete, "/account",
            handler: door.tokenHandler { token, _ in
                try .json(DeletionReceiptDTO(await erasure.run(token, service)))
            })
    }
}
