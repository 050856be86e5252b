// SPDX-License-Identifier: MIT

import CFlite
import CSpeechCalls
import Dispatch
internal import Glibc

/// Pronounces words that are missing in the dictionary, by flite's letter-to-sound rules for American English.
///
/// The rules are decision trees that were trained on the CMU dictionary (Black, Lenzo and Pagel, 1998). A word without
/// a vowel is spelled out.
enum LetterToSound {
    private static let file = "libflite_cmulex.so.1"
    private static let letters: [Character: String] = [
        "a": "EY", "b": "B IY", "c": "S IY", "d": "D IY", "e": "IY", "f": "EH F", "g": "JH IY", "h": "EY CH", "i": "AY",
        "j": "JH EY", "k": "K EY", "l": "EH L", "m": "EH M", "n": "EH N", "o": "OW", "p": "P IY", "q": "K Y UW",
        "r": "AA R", "s": "EH S", "t": "T IY", "u": "Y UW", "v": "V IY", "w": "D AH B AH L Y UW", "x": "EH K S",
        "y": "W AY", "z": "Z IY",
    ]

    /// The phones of `word` (lower-case letters a to z and apostrophes); nil if it has other characters, is longer than
    /// 40, or flite is not installed. Waits for flite's queue.
    static func phones(of word: String) -> Phones? {
        let spoken = word.filter { $0 != "'" }
        guard (1...40).contains(spoken.count), spoken.allSatisfy({ letters[$0] != nil }) else { return nil }
        guard spoken.contains(where: { "aeiouy".contains($0) }) else {
            return Phones(spoken.compactMap { letters[$0] }.joined(separator: " "))
        }
        return FliteQueue.queue.sync { looked(up: spoken) }
    }

    /// Runs on flite's queue only.
    private static func looked(up word: String) -> Phones? {
        guard cflite_load() == nil else { return nil }
        flite_init()
        guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL), let make = dlsym(handle, "cmu_lex_init"),
            let lexicon = parley_flite_lexicon(make), let list = lex_lookup(lexicon, word, nil, nil)
        else { return nil }
        defer { delete_val(list) }
        var names: [String] = []
        var cell: UnsafePointer<cst_val>? = UnsafePointer(list)
        while let current = cell {
            if let name = val_car(current).flatMap({ val_string($0) }) {
                names.append(phone(String(cString: name)))
            }
            cell = val_cdr(current)
        }
        return Phones(names.joined(separator: " "))
    }

    /// flite's phone in the notation of the acoustic model: without the digit of the stress, and with one schwa only.
    private static func phone(_ name: String) -> String {
        let plain = name.filter { !$0.isNumber }.uppercased()
        return plain == "AX" ? "AH" : plain
    }
}
