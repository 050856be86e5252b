// SPDX-License-Identifier: MIT

import DataLayer
import HTTPServer
import Networking

/// What is kept of a person: all of it to take along, and all of it gone.
struct DataRightsEndpoints: Sendable {
    let export: AccountExport
    let deletion: DataDeletion

    func add(to router: inout Router, _ door: MemberDoor) {
        router.member(.get, "/account/export", door) { member, _ in export.answer(member) }
        router.member(.delete, "/account/data", door) { member, _ in
            try .json(DeletionReceiptDTO(await deletion.run(for: member.account)))
        }
    }
}
