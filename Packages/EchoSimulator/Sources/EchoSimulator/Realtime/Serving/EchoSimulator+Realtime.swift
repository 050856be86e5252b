// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import StructuredJSON

extension EchoSimulator {
    /// The number of open sessions of `/v1/realtime`.
    public var sessionCount: Int { core.sessions.withLock { $0.count } }

    /// Closes every open session of `/v1/realtime`, after the frames that are on their way.
    ///
    /// - Parameters:
    ///   - code: A code of RFC 6455 §7.4; 1005 for a close frame without one, and with 1006 and 1015, which no frame
    ///     can have, the connection is cut.
    ///   - reason: At most 123 bytes of UTF-8.
    public func closeSessions(code: Int, reason: String = "") async {
        for peer in core.sessions.withLock({ $0 }) {
            await peer.interject(.close(code: code, reason: reason))
        }
    }

    /// Lets every open session of `/v1/realtime` expire now.
    public func expireSessions() async {
        for peer in core.sessions.withLock({ $0 }) { await peer.interject(.expire) }
    }

    /// Sends an event to the open sessions of `/v1/realtime`; `event_id` is added.
    ///
    /// - Parameter index: The only session that gets it, in the order of their opening; `nil` for all.
    public func sendToSessions(_ event: JSONValue, only index: Int? = nil) async {
        let peers = core.sessions.withLock { $0 }
        for (place, peer) in peers.enumerated() where index == nil || index == place {
            await peer.interject(.event(event))
        }
    }
}
