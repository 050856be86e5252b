// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests carry what only a benchmark needs.
let package = Package(
    name: "objects-client",
    dependencies: [.package(path: "../../../Packages/ObjectStore")],
    targets: [
        .executableTarget(
            name: "objects-client", dependencies: [.product(name: "ObjectStore", package: "ObjectStore")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
