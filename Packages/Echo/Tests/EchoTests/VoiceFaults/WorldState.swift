// SPDX-License-Identifier: MIT

import Networking

@testable import Echo

/// Where a conversation can be when something goes wrong.
enum WorldState: CaseIterable {
    case connecting, idle, userSpeaking, waiting, generating, playing, inDoubt, toolRunning, callPending, rollingOver,
        reconnecting

    /// A world in which it comes about.
    func plan(period: Int) -> WorldPlan {
        var plan = WorldPlan()
        plan.period = period
        plan.think = 400_000...400_000
        plan.answer = 2_500...2_500
        switch self {
        case .waiting: plan.up = 200_000...300_000
        case .generating: plan.speed = 1...1
        case .playing, .inDoubt: plan.speed = 20...20
        case .toolRunning, .callPending:
            plan.programRunsTools = self == .callPending
            plan.tools = 100
            plan.toolTime = 1_500_000...1_500_000
        case .rollingOver:
            plan.sessions.rollover = .seconds(3)
            plan.sessions.lastSwitch = .seconds(5)
            plan.expiry = 6_000_000
            plan.speed = 1...1
        default: break
        }
        return plan
    }

    private func isReached(_ world: VoiceWorld) -> Bool {
        let machine = world.machine
        let session = machine.lifecycle.session.flatMap { world.sessions[$0] }
        return switch self {
        case .connecting: world.now > 0 && machine.lifecycle.session == nil
        case .idle: session != nil
        case .userSpeaking: machine.turns.isUserSpeaking
        case .waiting: machine.gate.isBusy && session?.notes.active == nil
        case .generating:
            session?.notes.active != nil && machine.turns.isPlaying && machine.gate.activeResponseID != nil
        case .playing: machine.turns.isPlaying && machine.gate.activeResponseID == nil && !world.device.isSilent
        case .inDoubt: machine.turns.isPaused
        case .toolRunning: !machine.calls.running.isEmpty
        case .callPending: !machine.pendingCalls.isEmpty
        case .rollingOver: machine.lifecycle.spare != nil
        case .reconnecting: machine.lifecycle.retry != nil || session == nil && world.sessions.count == 1
        }
    }

    /// Lets the world come to it.
    func reach(_ world: VoiceWorld) {
        func wait(_ state: WorldState) { world.run(20_000_000) { !state.isReached(world) } }
        switch self {
        case .connecting: world.run(1_000)
        case .idle: wait(.idle)
        case .inDoubt:
            wait(.idle)
            world.speak(700)
            wait(.playing)
            world.speak(300, hasWords: false)
        case .rollingOver:
            wait(.idle)
            world.run(1_200_000)
            world.speak(700)
        case .reconnecting:
            wait(.idle)
            world.connectFaults = [.broken]
            world.speak(700)
            world.run(300_000)
            world.breakDown(world.machine.lifecycle.session.flatMap { world.sessions[$0] }, .abnormal)
        default:
            wait(.idle)
            world.speak(700)
        }
        wait(self)
        if !isReached(world) { world.fail("\(self) did not come about") }
    }
}
