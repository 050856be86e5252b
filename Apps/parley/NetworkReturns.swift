// SPDX-License-Identifier: MIT

import Networking

/// The moments at which the kernel reports a network that can be reached again.
enum NetworkReturns {
    /// Calls `body` at each of them until the task is cancelled. Where the kernel reports nothing it returns: pauses end by
    /// themselves.
    static func forEach(_ body: @Sendable () -> Void) async {
        var before: NetworkState?
        do {
            for try await state in Reachability() {
                if before != nil, state.isReachable { body() }
                before = state
            }
        } catch {}
    }
}
