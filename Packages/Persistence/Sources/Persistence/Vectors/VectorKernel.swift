// SPDX-License-Identifier: MIT

import CSQLite

/// Dot products of many rows with one query, on the widest registers that the processor has.
enum VectorKernel: CaseIterable {
    case portable
    #if arch(x86_64)
        case avx2
        case avx512
    #endif

    /// The kernels that this processor can run.
    static var supported: [VectorKernel] { allCases.filter(\.isSupported) }

    static let best = supported.last ?? .portable

    private var isSupported: Bool {
        switch self {
        case .portable: true
        #if arch(x86_64)
            case .avx2: csqlite_has_avx2() != 0
            case .avx512: csqlite_has_avx512() != 0
        #endif
        }
    }

    /// Computes the products.
    ///
    /// - Parameters:
    ///   - rows: The rows, one after another.
    ///   - width: A row's length, a multiple of 16.
    ///   - count: The number of rows, a multiple of 4.
    ///   - query: As long as a row.
    ///   - products: Room for one number a row.
    func dotProducts(
        of rows: UnsafePointer<Float>, width: Int, count: Int, with query: UnsafePointer<Float>,
        into products: UnsafeMutablePointer<Float>
    ) {
        switch self {
        case .portable: Self.portable(rows, width, count, query, products)
        #if arch(x86_64)
            case .avx2: csqlite_dot_products_avx2(rows, width, count, query, products)
            case .avx512: csqlite_dot_products_avx512(rows, width, count, query, products)
        #endif
        }
    }

    /// Computes the products of rows of one byte a component; as ``dotProducts(of:width:count:with:into:)``.
    func codeProducts(
        of rows: UnsafePointer<Int8>, width: Int, count: Int, with query: UnsafePointer<Float>,
        into products: UnsafeMutablePointer<Float>
    ) {
        switch self {
        case .portable:
            let query = UnsafeRawPointer(query)
            for row in 0..<count {
                let start = UnsafeRawPointer(rows + row * width)
                var sum = SIMD16<Float>.zero
                for column in stride(from: 0, to: width, by: 16) {
                    let codes = start.loadUnaligned(fromByteOffset: column, as: SIMD16<Int8>.self)
                    let right = query.loadUnaligned(fromByteOffset: column * 4, as: SIMD16<Float>.self)
                    sum += SIMD16<Float>(codes) * right
                }
                products[row] = sum.sum()
            }
        #if arch(x86_64)
            case .avx2: csqlite_code_products_avx2(rows, width, count, query, products)
            case .avx512: csqlite_code_products_avx512(rows, width, count, query, products)
        #endif
        }
    }

    private static func portable(
        _ rows: UnsafePointer<Float>, _ width: Int, _ count: Int, _ query: UnsafePointer<Float>,
        _ products: UnsafeMutablePointer<Float>
    ) {
        let query = UnsafeRawPointer(query)
        for row in 0..<count {
            let start = UnsafeRawPointer(rows + row * width)
            var sum = SIMD16<Float>.zero
            for offset in stride(from: 0, to: width * 4, by: 64) {
                let (left, right) = (
                    start.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self),
                    query.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
                )
                #if arch(x86_64)
                    // Without FMA in the target, `addProduct` calls a function for each lane.
                    sum += left * right
                #else
                    sum.addProduct(left, right)
                #endif
            }
            products[row] = sum.sum()
        }
    }
}
