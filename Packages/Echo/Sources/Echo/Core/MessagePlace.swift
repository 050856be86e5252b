// SPDX-License-Identifier: MIT

/// The position of a message.
///
/// A voice session gives each item's predecessor (`previous_item_id`), since items may be announced later than their
/// successors. Released messages stay: a message that belongs among released ones becomes the next.
public enum MessagePlace: Sendable, Hashable {
    /// After all items.
    case end
    /// Before all items that were not released.
    case beginning
    /// Right after the message or item with that id; at the end, if no item has it.
    case after(String)
}
