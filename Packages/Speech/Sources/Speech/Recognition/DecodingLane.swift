// SPDX-License-Identifier: MIT

import Dispatch

/// A decoder on a queue of its own, to which an utterance's frames come in pieces, while other lanes decode the same ones.
///
/// Calls are performed in their order. Those that return something wait until everything before them is done.
final class DecodingLane: Sendable {
    private let decoder: PocketSphinxDecoder
    private let queue: DispatchQueue

    /// A lane for a decoder that nobody else uses.
    init(_ decoder: PocketSphinxDecoder, label: String) {
        self.decoder = decoder
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    /// Begins an utterance; drops an unfinished one.
    func begin() { queue.async { [decoder] in _ = decoder.begin() } }

    /// Takes the next normalised frames. If the library fails, the utterance has no path.
    func feed(_ cepstra: Cepstra) { queue.async { [decoder] in if !decoder.process(cepstra) { decoder.end() } } }

    /// The best path so far, with fillers.
    func segments() -> [PocketSphinxDecoder.Segment] { queue.sync { decoder.segments() } }

    /// Ends the utterance; see `PocketSphinxDecoder.end()`.
    func end() -> [PocketSphinxDecoder.Segment]? { queue.sync { decoder.end() } }

    /// See `PocketSphinxDecoder.paths(_:within:)`.
    func paths(_ count: Int, within distance: Double) -> [[PocketSphinxDecoder.Segment]] {
        queue.sync { decoder.paths(count, within: distance) }
    }
}
