// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with.
let package = Package(
    name: "networking-client",
    dependencies: [.package(path: "../../../Packages/Networking")],
    targets: [
        .executableTarget(
            name: "networking-client", dependencies: [.product(name: "Networking", package: "Networking")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "blocking-client", linkerSettings: [.linkedLibrary("curl")]),
    ],
    swiftLanguageModes: [.v6]
)
