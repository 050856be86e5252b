// SPDX-License-Identifier: MIT

/// The check words of a recovery phrase: a Reed–Solomon code over GF(2¹¹) with two check symbols, so that any two phrases
/// differ in three words or more.
///
/// The field is GF(2)[x] ∕ (x¹¹ + x² + 1), whose element α = x is primitive. A phrase w₀ … w₁₃ is valid if Σ wᵢ = 0 and
/// Σ wᵢ·αⁱ = 0. The first sum does not depend on the order of the words: words that changed places are told from a wrong
/// one.
enum PhraseCode {
    static let dataCount = 12
    static let count = dataCount + 2

    /// The errors in a phrase, as far as two check symbols tell.
    enum Finding: Hashable {
        case valid
        /// One symbol is wrong, and is this one instead. Two wrong ones look so in 1 of 146 cases.
        case wrong(position: Int, right: Int)
        /// Two symbols have changed places.
        case swapped(Int, Int)
        /// All symbols may be right, and their order is not.
        case outOfOrder
        case several
    }

    /// The two symbols that follow these twelve.
    static func check(for data: [Int]) -> [Int] {
        let sums = sums(data)
        // c₀ + c₁ = Σ wᵢ and c₀·α¹² + c₁·α¹³ = Σ wᵢ·αⁱ.
        let divisor = power(dataCount) ^ power(dataCount + 1)
        let second = product(sums.weighted ^ product(sums.plain, power(dataCount)), inverse(divisor))
        return [sums.plain ^ second, second]
    }

    static func find(in symbols: [Int]) -> Finding {
        let sums = sums(symbols)
        if sums == (0, 0) { return .valid }
        if sums.plain != 0 {
            let ratio = product(sums.weighted, inverse(sums.plain))
            guard let position = symbols.indices.first(where: { power($0) == ratio }) else { return .several }
            return .wrong(position: position, right: symbols[position] ^ sums.plain)
        }
        var swaps: [(Int, Int)] = []
        for first in symbols.indices {
            for second in symbols.indices.dropFirst(first + 1) {
                let change = product(symbols[first] ^ symbols[second], power(first) ^ power(second))
                if change == sums.weighted { swaps.append((first, second)) }
            }
        }
        // Of several swaps that explain it, one of neighbours is the likely one.
        let neighbours = swaps.filter { $0.1 == $0.0 + 1 }
        if neighbours.count == 1 { swaps = neighbours }
        return swaps.count == 1 ? .swapped(swaps[0].0, swaps[0].1) : .outOfOrder
    }

    private static func sums(_ symbols: [Int]) -> (plain: Int, weighted: Int) {
        symbols.enumerated().reduce((0, 0)) { ($0.0 ^ $1.element, $0.1 ^ product($1.element, power($1.offset))) }
    }

    // MARK: The field

    static let polynomial = 1 << 11 | 1 << 2 | 1

    static func product(_ left: Int, _ right: Int) -> Int {
        var (result, factor) = (0, left)
        for bit in 0..<11 {
            if right >> bit & 1 == 1 { result ^= factor }
            factor <<= 1
            if factor >> 11 & 1 == 1 { factor ^= polynomial }
        }
        return result
    }

    /// α to the power of an exponent.
    static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in product(power, 2) } }

    /// The inverse of anything but zero: its power of 2¹¹ − 2.
    static func inverse(_ element: Int) -> Int {
        var (result, square) = (1, element)
        for _ in 1..<11 {
            square = product(square, square)
            result = product(result, square)
        }
        return result
    }
}
