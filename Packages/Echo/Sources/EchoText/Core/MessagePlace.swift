// SPDX-License-Identifier: MIT

/// The place of a message among the others.
///
/// A voice session says which item each item follows (`previous_item_id`), since items may be announced later than what
/// follows them. What has been released stays: a message that belongs among released ones becomes the next.
public enum MessagePlace: Sendable, Hashable {
    /// After all there are.
    case end
    /// Before all that have not been released.
    case beginning
    /// Right after that message or item; at the end, where there is none of that name.
    case after(String)
}
