// SPDX-License-Identifier: MIT

import Foundation
import Networking

/// Sends a binary message and waits for its echo, so many times.
func roundTrips(
    to url: URL, size: Int, count: Int, configuration: CurlTransport.Configuration
) async throws -> Measurement {
    let transport = try CurlTransport(configuration: configuration)
    let connection = try await WebSocketConnection.open(WebSocketRequest(url), over: transport)
    let message = [UInt8](repeating: 7, count: size)
    let result = try await Measurement.run(count: count, concurrency: 1) {
        try await connection.send(message)
        guard case .binary(let echo) = try await connection.receive(), echo.count == size else { throw Failure() }
    }
    await connection.close()
    return result
}

/// Masks 64 KB over and over, beside copying them.
func mask() -> Measurement {
    let size = 64 << 10
    let rounds = 20_000
    var bytes = [UInt8](repeating: 7, count: size)
    var copy = bytes
    let clock = ContinuousClock()
    let masking = clock.measure {
        for round in 0..<rounds {
            bytes.withUnsafeMutableBytes {
                WebSocketMask.apply(0x9E37_79B9 &+ UInt32(truncatingIfNeeded: round), to: $0, offset: 0)
            }
        }
    }
    let copying = clock.measure {
        for round in 0..<rounds {
            bytes[round % size] &+= 1
            copy.withUnsafeMutableBytes { target in bytes.withUnsafeBytes { target.copyMemory(from: $0) } }
        }
    }
    // So that neither loop can be left out.
    precondition(copy == bytes)
    let total = Double(size * rounds) / 1e9
    return Measurement([
        "gb_per_second": total / masking.seconds, "copy_gb_per_second": total / copying.seconds,
    ])
}
