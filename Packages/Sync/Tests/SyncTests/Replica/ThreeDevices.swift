// SPDX-License-Identifier: MIT

import SyncWire
import Testing

@testable import Sync

/// A laptop that began a group, and a phone and a tablet that it added, at an honest place.
struct ThreeDevices {
    let place = SimulatedPlace()
    let laptop: SimulatedDevice
    let phone: SimulatedDevice
    let tablet: SimulatedDevice

    init() async throws {
        func device(_ name: String) throws -> SimulatedDevice {
            try SimulatedDevice(name: name, clock: 1_700_000_000_000)
        }
        (laptop, phone, tablet) = (try device("laptop"), try device("phone"), try device("tablet"))
        let (keys, recovery) = (laptop.keys, try SecretKeys().publicKeys)
        try await laptop.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
        }
        for device in [phone, tablet] { try await add(device, by: laptop) }
    }

    func add(_ device: SimulatedDevice, by member: SimulatedDevice) async throws {
        let keys = device.keys.publicKeys
        let (group, founding) = try await member.replica.write { replica, tables in
            try replica.change(.addition(keys, name: "device"), tables)
            return (replica.group, replica.roster.graph.records[replica.group]?.bytes ?? [])
        }
        try await device.storage.write(isDurable: true) { try Replica.join(group: group, founding: founding, $0) }
    }

    func remove(_ device: SimulatedDevice, by member: SimulatedDevice) async throws {
        let id = device.id
        try await member.replica.write { try $0.change(.revocation(id), $1) }
    }

    func exchange(_ devices: [SimulatedDevice], times: Int = 1) async throws {
        for _ in 0..<times {
            for device in devices {
                let view = SimulatedPlace.View(place: place, reader: device.id) {
                } weather: {
                    SimulatedPlace.Weather()
                }
                let findings = try await device.round(view, isWhole: true).findings
                #expect(findings.isEmpty)
            }
        }
    }
}
