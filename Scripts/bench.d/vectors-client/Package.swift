// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with.
let package = Package(
    name: "vectors-client",
    dependencies: [.package(path: "../../../Packages/Persistence")],
    targets: [
        .executableTarget(
            name: "vectors-client", dependencies: [.product(name: "Persistence", package: "Persistence")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
