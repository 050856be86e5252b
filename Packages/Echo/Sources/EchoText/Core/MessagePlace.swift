// SPDX-License-Identifier: MIT

/// The place of a message among the others.
///
/// A voice session says which item each item follows (`previous_item_id`), since items may be announced later than what
/// follows them. What has been released stays: a message that belongs among released ones becomes the next.
public enum MessagePlace: Sendable, Hashable {
    /// After all items.
    case end
    /// Before all items that were not released.
    case beginning
    /// Right after the message or item with that id; at the end, if no item has it.
    case after(String)
}
