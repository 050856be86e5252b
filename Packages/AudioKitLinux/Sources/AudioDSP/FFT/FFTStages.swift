// SPDX-License-Identifier: MIT
internal import Glibc

/// Complex numbers as separate memory for real and imaginary parts.
struct SplitComplex {
    let real: UnsafeMutablePointer<Float>
    let imaginary: UnsafeMutablePointer<Float>

    init(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        self.real = real
        self.imaginary = imaginary
    }
}

/// A complex transform of `count` points as steps from one block of memory to another, sorted at the end.
///
/// A step of radix r turns `span` interleaved transforms of n points into r × `span` of n / r. The first step has radix
/// 4 and works on four neighbouring outputs; then `span` is a multiple of 4, and four transforms run side by side.
struct FFTStages: Sendable {
    struct Stage: Sendable {
        let radix: Int
        /// Points of each smaller transform.
        let points: Int
        /// Transforms side by side.
        let span: Int
        /// The index in `roots` of the step's first root of unity.
        let offset: Int
    }

    let stages: [Stage]
    /// For the first stage six runs of `points`: the real and imaginary parts of the first, second and third power.
    /// For each other stage, point after point from the second, the powers 1..<radix as real and imaginary part.
    let roots: [Float]

    /// True if the result is in the memory that held the packed input, when the other takes the first step's output.
    var endsWhereItBegan: Bool { stages.count % 2 == 0 }

    /// `count` is a multiple of 4 with factors 2, 3 and 5 only.
    init(count: Int) {
        var stages = [Stage(radix: 4, points: count / 4, span: 1, offset: 0)]
        var roots = [Float](repeating: 0, count: 6 * (count / 4))
        for power in 1...3 {
            for point in 0..<count / 4 {
                let root = Self.root(power * point, of: count)
                roots[(2 * power - 2) * (count / 4) + point] = root.real
                roots[(2 * power - 1) * (count / 4) + point] = root.imaginary
            }
        }
        var rest = count / 4
        var span = 4
        for radix in [4, 2, 3, 5] {
            while rest % radix == 0 {
                let points = rest / radix
                stages.append(Stage(radix: radix, points: points, span: span, offset: roots.count))
                for point in 1..<max(1, points) {
                    for power in 1..<radix {
                        let root = Self.root(power * point, of: rest)
                        roots.append(root.real)
                        roots.append(root.imaginary)
                    }
                }
                rest = points
                span *= radix
            }
        }
        self.stages = stages
        self.roots = roots
    }

    /// exp(−2πi·index/count), exact to the last bit of a float.
    static func root(_ index: Int, of count: Int) -> (real: Float, imaginary: Float) {
        // Kept within an eighth of a turn, where the functions are exact: 1 and 0 must be just that.
        let eighths = 8 * (index % count)
        let octant = eighths / count
        let within = Double(eighths % count) / Double(count)
        let angle = (octant % 2 == 0 ? within : 1 - within) * .pi / 4
        let (c, s) = (cos(angle), sin(angle))
        let (x, y) =
            switch octant {
            case 0: (c, s)
            case 1: (s, c)
            case 2: (-s, c)
            case 3: (-c, s)
            case 4: (-c, -s)
            case 5: (-s, -c)
            case 6: (s, -c)
            default: (c, -s)
            }
        return (Float(x), Float(-y))
    }

    /// Transforms `packed` (pairs of real and imaginary part) into `result`; the steps between use `other` as well.
    /// `packed` may be `other`'s memory when the number of steps is odd, or `result`'s when it is even.
    func run(_ packed: UnsafePointer<Float>, into result: SplitComplex, by other: SplitComplex) {
        roots.withUnsafeBufferPointer { roots in
            guard let roots = roots.baseAddress else { return }
            var target = stages.count % 2 == 1 ? result : other
            var source = stages.count % 2 == 1 ? other : result
            FFTButterflies.first(packed, target, points: stages[0].points, roots)
            var index = 1
            while index < stages.count {
                swap(&source, &target)
                let stage = stages[index]
                switch stage.radix {
                case 4: FFTButterflies.radix4(source, target, stage, roots + stage.offset)
                case 2: FFTButterflies.radix2(source, target, stage, roots + stage.offset)
                case 3: FFTButterflies.radix3(source, target, stage, roots + stage.offset)
                default: FFTButterflies.radix5(source, target, stage, roots + stage.offset)
                }
                index += 1
            }
        }
    }
}
