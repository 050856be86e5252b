// SPDX-License-Identifier: MIT

// The steps for sizes that are no power of two.
extension FFTButterflies {
    static func radix3(
        _ source: SplitComplex, _ target: SplitComplex, _ stage: FFTStages.Stage, _ roots: UnsafePointer<Float>
    ) {
        // sin 60°
        let sine: Float = 0.866_025_4
        let (points, span) = (stage.points, stage.span)
        for point in 0..<points {
            var index = 0
            while index < span {
                let a = Complex4(source, point * span + index)
                let b = Complex4(source, (point + points) * span + index)
                let c = Complex4(source, (point + 2 * points) * span + index)
                let sum = b + c
                let middle = a - 0.5 * sum
                let turned = sine * (b - c).turnedBack
                let to = 3 * point * span + index
                (a + sum).store(target, to)
                if point == 0 {
                    (middle + turned).store(target, to + span)
                    (middle - turned).store(target, to + 2 * span)
                } else {
                    let root = roots + 4 * (point - 1)
                    (middle + turned).times(root).store(target, to + span)
                    (middle - turned).times(root + 2).store(target, to + 2 * span)
                }
                index += 4
            }
        }
    }

    static func radix5(
        _ source: SplitComplex, _ target: SplitComplex, _ stage: FFTStages.Stage, _ roots: UnsafePointer<Float>
    ) {
        // cos and sin of 72° and 144°
        let (c1, c2): (Float, Float) = (0.309_017, -0.809_017)
        let (s1, s2): (Float, Float) = (0.951_056_5, 0.587_785_25)
        let (points, span) = (stage.points, stage.span)
        for point in 0..<points {
            var index = 0
            while index < span {
                let a = Complex4(source, point * span + index)
                let b = Complex4(source, (point + points) * span + index)
                let c = Complex4(source, (point + 2 * points) * span + index)
                let d = Complex4(source, (point + 3 * points) * span + index)
                let e = Complex4(source, (point + 4 * points) * span + index)
                let (outer, inner) = (b + e, c + d)
                let (outerTurn, innerTurn) = ((b - e).turnedBack, (c - d).turnedBack)
                let near = a + c1 * outer + c2 * inner
                let far = a + c2 * outer + c1 * inner
                let nearTurn = s1 * outerTurn + s2 * innerTurn
                let farTurn = s2 * outerTurn - s1 * innerTurn
                let to = 5 * point * span + index
                (a + outer + inner).store(target, to)
                if point == 0 {
                    (near + nearTurn).store(target, to + span)
                    (far + farTurn).store(target, to + 2 * span)
                    (far - farTurn).store(target, to + 3 * span)
                    (near - nearTurn).store(target, to + 4 * span)
                } else {
                    let root = roots + 8 * (point - 1)
                    (near + nearTurn).times(root).store(target, to + span)
                    (far + farTurn).times(root + 2).store(target, to + 2 * span)
                    (far - farTurn).times(root + 4).store(target, to + 3 * span)
                    (near - nearTurn).times(root + 6).store(target, to + 4 * span)
                }
                index += 4
            }
        }
    }
}
