// SPDX-License-Identifier: MIT

extension RealtimeHistory {
    /// The tokens of a second of the user's sound: the API counts one for a tenth.
    private static let tokensPerSecond = 10

    /// The items that do not fit ``contextLimit``: the same cut as in text, before a user's message, never between a
    /// call and its result.
    func itemsBeyondLimit() -> Set<String> {
        guard let contextLimit else { return [] }
        var ids: [String] = []
        var items: [ResponseItem] = []
        var costs: [Int] = []
        for id in order {
            guard let entry = entries[id], let item = item(of: entry, id) else { continue }
            ids.append(id)
            items.append(item)
            let seconds = (entry.audio.count + bytesPerSecond - 1) / bytesPerSecond
            costs.append(ContextBudget.cost(of: item) + seconds * Self.tokensPerSecond)
        }
        guard costs.reduce(0, +) > contextLimit else { return [] }
        let kept = Set(HistoryTruncation.newestIndices(items, costs: costs, within: contextLimit))
        // Sound without an id was committed last: the session has to get it.
        return Set(ids.indices.filter { !kept.contains($0) }.map { ids[$0] }).subtracting(unnamed)
    }

    /// The item in the form for another session; `nil` if a session is not given it.
    private func item(of entry: Entry, _ id: String) -> ResponseItem? {
        unnamed.contains(id) ? entry.item : Self.replayed(entry)
    }
}
