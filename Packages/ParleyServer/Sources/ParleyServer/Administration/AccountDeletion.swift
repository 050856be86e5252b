// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics

extension AccountErasure {
    /// The deletion of accounts by a process other than the server, over the same stores.
    init(_ stores: PracticeStores, accounts: any AuthStore, queue: DeletionQueue, clock: AuthClock, logger: Logger) {
        self.init(
            accounts: accounts, store: DeletionStore(database: stores.storage.recordings), practice: stores.practice,
            sync: stores.sync,
            sounds: SoundRemoval(recordings: stores.recordings, sounds: stores.sounds),
            queue: queue, clock: clock, logger: logger)
    }
}
