// SPDX-License-Identifier: MIT

/// The constant tensors of an ONNX file: `ModelProto.graph.initializer` of onnx.proto3 (ONNX IR version 10).
///
/// Only float32 tensors in `raw_data` (little-endian, row-major) are read; others are skipped by name and shape.
struct ONNXTensors {
    /// Numbers with their shape, the last index running fastest.
    struct Tensor: Equatable {
        let shape: [Int]
        let values: [Float]
    }

    private enum Field {
        static let graph = 7
        static let initializer = 5
        static let dims = 1
        static let dataType = 2
        static let name = 8
        static let rawData = 9
    }

    private static let float32 = 1
    /// The largest valid number of elements of a shape (64 million).
    private static let largest = 1 << 26

    private(set) var byName: [String: Tensor] = [:]

    /// Reads the whole file.
    init(_ file: [UInt8]) throws(ProtobufReader.Damage) {
        var model = ProtobufReader(file[...])
        while let (field, value) = try model.next() {
            guard field == Field.graph, case .bytes(let bytes) = value else { continue }
            var graph = ProtobufReader(bytes)
            while let (field, value) = try graph.next() {
                guard field == Field.initializer, case .bytes(let bytes) = value else { continue }
                try read(bytes)
            }
        }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(ProtobufReader.Damage) {
        var reader = ProtobufReader(bytes)
        var shape: [UInt64] = []
        var type = 0
        var name = ""
        var raw: ArraySlice<UInt8> = []
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (Field.dims, .number(let size)): shape.append(size)
            case (Field.dims, .bytes(let packed)): shape += try ProtobufReader.packedNumbers(packed)
            case (Field.dataType, .number(let number)): type = Int(truncatingIfNeeded: number)
            case (Field.name, .bytes(let text)): name = String(decoding: text, as: UTF8.self)
            case (Field.rawData, .bytes(let data)): raw = data
            default: break
            }
        }
        guard type == Self.float32 else { return }
        var count = 1
        for size in shape {
            guard size <= UInt64(Self.largest), count * Int(size) <= Self.largest else { return }
            count *= Int(size)
        }
        guard raw.count == 4 * count else { return }
        let values = raw.withUnsafeBytes { buffer in
            (0..<count).map { index in
                Float(
                    bitPattern: UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
            }
        }
        byName[name] = Tensor(shape: shape.map { Int($0) }, values: values)
    }
}
