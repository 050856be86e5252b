// SPDX-License-Identifier: MIT

/// Four complex numbers.
struct Complex4 {
    var real: SIMD4<Float>
    var imaginary: SIMD4<Float>

    @inline(__always)
    init(_ real: SIMD4<Float>, _ imaginary: SIMD4<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    @inline(__always)
    init(_ memory: SplitComplex, _ index: Int) {
        self.init(memory.real.vector(index), memory.imaginary.vector(index))
    }

    @inline(__always)
    func store(_ memory: SplitComplex, _ index: Int) {
        memory.real.store(real, index)
        memory.imaginary.store(imaginary, index)
    }

    @inline(__always)
    static func + (a: Complex4, b: Complex4) -> Complex4 { Complex4(a.real + b.real, a.imaginary + b.imaginary) }

    @inline(__always)
    static func - (a: Complex4, b: Complex4) -> Complex4 { Complex4(a.real - b.real, a.imaginary - b.imaginary) }

    @inline(__always)
    static func * (a: Complex4, b: Complex4) -> Complex4 {
        Complex4(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }

    @inline(__always)
    static func * (scale: Float, a: Complex4) -> Complex4 { Complex4(a.real * scale, a.imaginary * scale) }

    /// The product with −i: a quarter turn back.
    @inline(__always)
    var turnedBack: Complex4 { Complex4(imaginary, -real) }

    /// The product with the root of unity at `roots[0]` and `roots[1]`.
    @inline(__always)
    func times(_ roots: UnsafePointer<Float>) -> Complex4 {
        self * Complex4(SIMD4(repeating: roots[0]), SIMD4(repeating: roots[1]))
    }
}

/// The inner loops of `FFTStages`.
enum FFTButterflies {
    /// The first step, from pairs: four neighbouring points at once, whose results are then put in order.
    static func first(
        _ packed: UnsafePointer<Float>, _ target: SplitComplex, points: Int, _ roots: UnsafePointer<Float>
    ) {
        guard points >= 4 else { return firstScalar(packed, target, points: points, roots) }
        var point = 0
        while point < points {
            // The last four overlap the ones before when `points` is no multiple of 4.
            if point > points - 4 { point = points - 4 }
            let (a, b) = (pairs(packed, point), pairs(packed, point + points))
            let (c, d) = (pairs(packed, point + 2 * points), pairs(packed, point + 3 * points))
            let (sum, difference) = (a + c, a - c)
            let (otherSum, turned) = (b + d, (b - d).turnedBack)
            let root = roots + point
            let y0 = sum + otherSum
            let y1 = (difference + turned) * Complex4(root.vector(0), root.vector(points))
            let y2 = (sum - otherSum) * Complex4(root.vector(2 * points), root.vector(3 * points))
            let y3 = (difference - turned) * Complex4(root.vector(4 * points), root.vector(5 * points))
            storeTransposed(y0.real, y1.real, y2.real, y3.real, target.real + 4 * point)
            storeTransposed(y0.imaginary, y1.imaginary, y2.imaginary, y3.imaginary, target.imaginary + 4 * point)
            point += 4
        }
    }

    @inline(__always)
    private static func pairs(_ packed: UnsafePointer<Float>, _ point: Int) -> Complex4 {
        let both = packed.vector8(2 * point)
        return Complex4(both.evenHalf, both.oddHalf)
    }

    @inline(__always)
    private static func storeTransposed(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>,
        _ target: UnsafeMutablePointer<Float>
    ) {
        target.store(SIMD4(a[0], b[0], c[0], d[0]), 0)
        target.store(SIMD4(a[1], b[1], c[1], d[1]), 4)
        target.store(SIMD4(a[2], b[2], c[2], d[2]), 8)
        target.store(SIMD4(a[3], b[3], c[3], d[3]), 12)
    }

    /// For fewer than four points.
    private static func firstScalar(
        _ packed: UnsafePointer<Float>, _ target: SplitComplex, points: Int, _ roots: UnsafePointer<Float>
    ) {
        for point in 0..<points {
            func value(_ index: Int) -> Complex4 {
                Complex4(
                    SIMD4(repeating: packed[2 * (point + index * points)]),
                    SIMD4(repeating: packed[2 * (point + index * points) + 1]))
            }
            func root(_ power: Int) -> Complex4 {
                Complex4(
                    SIMD4(repeating: roots[(2 * power - 2) * points + point]),
                    SIMD4(repeating: roots[(2 * power - 1) * points + point]))
            }
            let (sum, difference) = (value(0) + value(2), value(0) - value(2))
            let (otherSum, turned) = (value(1) + value(3), (value(1) - value(3)).turnedBack)
            let results = [
                sum + otherSum, (difference + turned) * root(1), (sum - otherSum) * root(2),
                (difference - turned) * root(3),
            ]
            for (index, result) in results.enumerated() {
                target.real[4 * point + index] = result.real[0]
                target.imaginary[4 * point + index] = result.imaginary[0]
            }
        }
    }

    static func radix4(
        _ source: SplitComplex, _ target: SplitComplex, _ stage: FFTStages.Stage, _ roots: UnsafePointer<Float>
    ) {
        let (points, span) = (stage.points, stage.span)
        var point = 0
        var root = roots
        while point < points {
            let from = point * span
            let to = 4 * from
            var index = 0
            while index < span {
                let a = Complex4(source, from + index)
                let b = Complex4(source, from + index + span * points)
                let c = Complex4(source, from + index + 2 * span * points)
                let d = Complex4(source, from + index + 3 * span * points)
                let (sum, difference) = (a + c, a - c)
                let (otherSum, turned) = (b + d, (b - d).turnedBack)
                (sum + otherSum).store(target, to + index)
                if point == 0 {
                    (difference + turned).store(target, to + index + span)
                    (sum - otherSum).store(target, to + index + 2 * span)
                    (difference - turned).store(target, to + index + 3 * span)
                } else {
                    (difference + turned).times(root).store(target, to + index + span)
                    (sum - otherSum).times(root + 2).store(target, to + index + 2 * span)
                    (difference - turned).times(root + 4).store(target, to + index + 3 * span)
                }
                index += 4
            }
            if point > 0 { root += 6 }
            point += 1
        }
    }

    static func radix2(
        _ source: SplitComplex, _ target: SplitComplex, _ stage: FFTStages.Stage, _ roots: UnsafePointer<Float>
    ) {
        let (points, span) = (stage.points, stage.span)
        for point in 0..<points {
            var index = 0
            while index < span {
                let a = Complex4(source, point * span + index)
                let b = Complex4(source, (point + points) * span + index)
                (a + b).store(target, 2 * point * span + index)
                let difference = point == 0 ? a - b : (a - b).times(roots + 2 * (point - 1))
                difference.store(target, (2 * point + 1) * span + index)
                index += 4
            }
        }
    }
}
