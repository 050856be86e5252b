// SPDX-License-Identifier: MIT

/// Reads the kernel's reports about sound cards in `/proc`. Pure functions over its texts, and walks over its folders.
enum KernelSound {
    /// A line of `/proc/asound/cards`.
    struct Card: Hashable {
        let number: Int
        let id: String
        let name: String
    }

    /// Reads `/proc/asound/cards`: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`, each with a second line.
    static func cards(_ text: String) -> [Card] {
        text.split(separator: "\n").compactMap { line in
            guard let open = line.firstIndex(of: "["), let shut = line.firstIndex(of: "]"), open < shut,
                let number = Int(line[..<open].filter { $0 != " " })
            else { return nil }
            let id = String(line[line.index(after: open)..<shut].prefix { $0 != " " })
            let rest = line[line.index(after: shut)...]
            let name = rest.drop { $0 == ":" || $0 == " " }
            guard !id.isEmpty else { return nil }
            guard let dash = dash(in: name) else { return Card(number: number, id: id, name: String(name)) }
            return Card(number: number, id: id, name: String(name[dash...].dropFirst(3)))
        }
    }

    /// Reads a `/proc/asound/card0/pcm0p/sub0/status`: the process that holds the stream; nil if it is closed.
    static func owner(_ status: String) -> Int? {
        for line in status.split(separator: "\n") where line.hasPrefix("owner_pid") {
            return line.split(separator: ":").last.flatMap { Int($0.filter { $0 != " " }) }
        }
        return nil
    }

    /// The card, by number or id, and the device in a PCM's name, such as "plughw:CARD=PCH,DEV=3" or "hw:1,0"; nil for
    /// names without a card.
    static func card(ofName name: String) -> (card: String, device: Int?)? {
        guard let colon = name.firstIndex(of: ":"), !name.hasPrefix("pulse:") else { return nil }
        var card: String?
        var device: Int?
        for (place, word) in name[name.index(after: colon)...].split(separator: ",").enumerated() {
            if word.hasPrefix("CARD=") {
                card = String(word.dropFirst(5))
            } else if word.hasPrefix("DEV=") {
                device = Int(word.dropFirst(4))
            } else if place == 0, !word.contains("=") {
                card = String(word)
            } else if place == 1, !word.contains("=") {
                device = Int(word)
            }
        }
        return card.flatMap { $0.isEmpty ? nil : ($0, device) }
    }

    /// The programs that hold a card's streams of one direction, or any card's: first as the streams report them, then
    /// by the open descriptors of processes.
    static func holders(
        _ files: SystemFiles, card: Int?, device: Int?, _ direction: AudioDirection
    ) -> [AudioDiagnosis.Holder] {
        let letter = direction == .capture ? "c" : "p"
        func isMeant(_ number: Int, _ pcm: Int) -> Bool {
            (card == nil || card == number) && (device == nil || device == pcm)
        }
        var processes: [Int] = []
        for folder in files.names(in: "/proc/asound") where folder.hasPrefix("card") {
            guard let number = Int(folder.dropFirst(4)) else { continue }
            for stream in files.names(in: "/proc/asound/\(folder)") where stream.hasPrefix("pcm") {
                guard stream.hasSuffix(letter), let pcm = Int(stream.dropFirst(3).dropLast()), isMeant(number, pcm)
                else { continue }
                let path = "/proc/asound/\(folder)/\(stream)"
                for sub in files.names(in: path) where sub.hasPrefix("sub") {
                    if let owner = files.text("\(path)/\(sub)/status").flatMap(owner) { processes.append(owner) }
                }
            }
        }
        for process in files.names(in: "/proc").compactMap({ Int($0) }).sorted() {
            let path = "/proc/\(process)/fd"
            let holds = files.names(in: path).contains { number in
                guard let node = files.link("\(path)/\(number)").flatMap(Self.node) else { return false }
                return node.letter == letter && isMeant(node.card, node.device)
            }
            if holds { processes.append(process) }
        }
        var seen: Set<Int> = []
        return processes.filter { seen.insert($0).inserted }.map { process in
            let name = files.text("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
            return AudioDiagnosis.Holder(process: process, name: name ?? "?")
        }
    }

    /// The card, the device and the letter of a node such as `/dev/snd/pcmC0D3p`.
    static func node(_ path: String) -> (card: Int, device: Int, letter: String)? {
        guard let start = path.range(ofPrefix: "/dev/snd/pcmC"), let last = path.last, last == "c" || last == "p"
        else { return nil }
        let numbers = path[start...].dropLast().split(separator: "D")
        guard numbers.count == 2, let card = Int(numbers[0]), let device = Int(numbers[1]) else { return nil }
        return (card, device, String(last))
    }

    private static func dash(in text: Substring) -> Substring.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix(" - ") { return index }
            index = text.index(after: index)
        }
        return nil
    }
}

extension String {
    /// The index after `prefix`; nil if the string does not begin with it.
    fileprivate func range(ofPrefix prefix: String) -> Index? {
        hasPrefix(prefix) ? index(startIndex, offsetBy: prefix.count) : nil
    }
}
