// SPDX-License-Identifier: MIT

import Sync
import SyncWire

extension SyncTransportContract {
    /// Promises about listings.
    static let listings: [Check] = [
        Check(description: "an empty place has nothing to list") { subject in
            let place = try await subject.device()
            let listing = try await place.list(after: nil)
            try require(listing.objects.isEmpty && listing.isWhole && !listing.hasMore, "\(listing)")
            try await require(listed(place, after: listing.cursor).sizes.isEmpty, "something after nothing")
        },
        Check(description: "what follows a cursor is what was created since") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            try await place.create(name(1), [1])
            let first = try await listed(other)
            try require(first.sizes == [name(1): 1] && first.isWhole, "not the first one: \(first)")
            try await place.create(name(2), [2, 2])
            try await place.create(name(3), [3, 3, 3])
            // The device is started anew.
            let later = try await listed(subject.device(), after: first.cursor)
            guard let cursor = later.cursor else {
                return try require(later.sizes == [name(1): 1, name(2): 2, name(3): 3], "not everything: \(later)")
            }
            try require(later.sizes == [name(2): 2, name(3): 3] && !later.isWhole, "not what was new: \(later)")
            let last = try await listed(other, after: cursor)
            try require(last.sizes.isEmpty && !last.isWhole, "something new after the last one: \(last)")
        },
        Check(description: "a cursor that the place does not know gives everything") { subject in
            let place = try await subject.device()
            try await place.create(name(1), [1])
            for text in ["", "9999999999999999999999", "another place's", "-1"] {
                let listing = try await listed(place, after: SyncCursor(text))
                try require(listing.sizes == [name(1): 1] && listing.isWhole, "after '\(text)': \(listing)")
            }
        },
        Check(description: "more objects than one listing may name are all listed") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            let count = SyncLimit.listingCount + 3
            for number in 1...count {
                if let plant = subject.plant, number > 3 {
                    try await plant(name(number).text, [1, 2])
                } else {
                    try await place.create(name(number), [1, 2])
                }
            }
            let listing = try await listed(other)
            let wanted = Dictionary(uniqueKeysWithValues: (1...count).map { (name($0), 2) })
            try require(listing.sizes == wanted && listing.isWhole, "\(listing.sizes.count) of \(count)")
        },
        Check(description: "files that are no objects are left out") { subject in
            guard let plant = subject.plant else { return }
            let place = try await subject.device()
            try await place.create(name(1), [1])
            let text = name(2).text
            let others = [
                "\(text).sync-conflict-20261127-061040-ABCDEFG", ".stfolder", ".syncthing.\(text).tmp",
                "~syncthing~\(text).tmp", ".\(text)", "\(text).tmp", "\(text)~", "\(text) (1)", text.uppercased(),
                "README.txt", "m-00", "l-a0-1-2", "p-\(text)", String(repeating: "m", count: 200),
            ]
            for other in others { try await plant(other, [1, 2, 3]) }
            try await require(listed(place).sizes == [name(1): 1], "something else is an object")
            try await place.create(name(2), [2])
            try await require(place.read(name(2)) == [2], "not the object")
        },
    ]
}
