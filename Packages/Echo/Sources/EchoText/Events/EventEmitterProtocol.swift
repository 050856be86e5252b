// SPDX-License-Identifier: MIT

/// Takes the events of a conversation: an ``EventEmitter``, or in a test something that keeps them.
///
/// A type whose `emit` is synchronous conforms as well, be it a class or an actor.
public protocol EventEmitterProtocol: Sendable {
    /// Receives an event. A conversation waits for it, so it must not wait itself.
    func emit(_ event: ConversationEvent) async
}
