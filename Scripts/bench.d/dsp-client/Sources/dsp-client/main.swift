// SPDX-License-Identifier: MIT
import Glibc

let measurement = Measurement(rounds: CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 21 : 21)
measureTransforms(measurement)
measureSamples(measurement)
measureFilters(measurement)
