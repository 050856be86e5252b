// SPDX-License-Identifier: MIT

/// Shell completion, written from the specifications.
enum CompletionScript: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script to be sourced by the shell.
    func text(for commands: [CommandSpecification]) -> String {
        switch self {
        case .bash: Self.bash(commands)
        case .zsh: Self.zsh(commands)
        case .fish: Self.fish(commands)
        }
    }

    private static func bash(_ commands: [CommandSpecification]) -> String {
        let names = topLevel(commands).map(\.name)
        let cases = names.map { name in
            let own = commands.filter { $0.path[0] == name }
            let options = Set(own.flatMap { $0.allOptions.map { "--" + $0.name } }).sorted()
            let words = own.flatMap { $0.path.dropFirst() } + own.flatMap { $0.positionals.flatMap(choices) }
            return "    \(name)) words=\"\((words + options).joined(separator: " "))\" ;;"
        }
        let values = valueOptions(commands).map { option in
            if case .choices(let choices) = option.completion {
                return
                    "    --\(option.name)) COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$cur\")); return ;;"
            }
            return "    --\(option.name)) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;"
        }
        return """
            # parley completion for bash: source <(parley completion bash)
            _parley() {
              local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
              COMPREPLY=()
              if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W "\(names.joined(separator: " ")) help --help --version" -- "$cur"))
                return
              fi
              case $prev in
            \(values.joined(separator: "\n"))
              esac
              case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                help) words="\(names.joined(separator: " "))" ;;
              esac
              COMPREPLY=($(compgen -W "$words" -- "$cur"))
              case $cur in -*) ;; *) COMPREPLY+=($(compgen -f -- "$cur")) ;; esac
            }
            complete -o filenames -F _parley parley

            """
    }

    private static func zsh(_ commands: [CommandSpecification]) -> String {
        let list = topLevel(commands).map { "    '\($0.name):\(quoted($0.summary))'" }
        let cases = topLevel(commands).map(\.name).map { name in
            let own = commands.filter { $0.path[0] == name }
            let options = unique(own.flatMap(\.allOptions)).map(zshOption)
            let words = own.flatMap { $0.path.dropFirst() } + own.flatMap { $0.positionals.flatMap(choices) }
            let rest = words.isEmpty ? "'*:file:_files'" : "'*:word:(\(words.joined(separator: " ")))'"
            return "    \(name)) _arguments \((options + [rest]).joined(separator: " ")) ;;"
        }
        return """
            #compdef parley
            # parley completion for zsh: parley completion zsh > ~/.zfunc/_parley
            _parley() {
              local -a commands=(
            \(list.joined(separator: "\n"))
              )
              if (( CURRENT == 2 )); then
                _describe command commands
                return
              fi
              local command=$words[2]
              shift words
              (( CURRENT-- ))
              case $command in
            \(cases.joined(separator: "\n"))
              esac
            }
            compdef _parley parley

            """
    }

    private static func fish(_ commands: [CommandSpecification]) -> String {
        var lines = ["# parley completion for fish: parley completion fish | source"]
        for (name, summary) in topLevel(commands) {
            lines.append("complete -c parley -n __fish_use_subcommand -f -a \(name) -d '\(quoted(summary))'")
        }
        for command in commands {
            let seen = "-n '__fish_seen_subcommand_from \(command.path[0])'"
            for word in command.path.dropFirst() { lines.append("complete -c parley \(seen) -f -a \(word)") }
            for word in command.positionals.flatMap(choices) {
                lines.append("complete -c parley \(seen) -f -a \(word)")
            }
            for option in command.allOptions {
                var line = "complete -c parley \(seen) -l \(option.name)"
                if let short = option.short { line += " -s \(short)" }
                if option.value != nil { line += " -r" }
                if case .choices(let choices) = option.completion {
                    line += " -f -a '\(choices.joined(separator: " "))'"
                }
                lines.append(line + " -d '\(quoted(option.help))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func zshOption(_ option: OptionSpecification) -> String {
        var text = "--\(option.name)"
        if option.value != nil { text += "=" }
        text += "[\(quoted(option.help))]"
        if let value = option.value {
            if case .choices(let choices) = option.completion {
                text += ":\(value):(\(choices.joined(separator: " ")))"
            } else {
                text += ":\(value):_files"
            }
        }
        return "'\(text)'"
    }

    /// The words that a command line begins with. One that is no command by itself is described by those behind it.
    private static func topLevel(_ commands: [CommandSpecification]) -> [(name: String, summary: String)] {
        var seen: Set<String> = []
        return commands.map { $0.path[0] }.filter { seen.insert($0).inserted }.map { name in
            let own = commands.filter { $0.path[0] == name }
            let summary = own.first { $0.path.count == 1 }?.summary
            return (name, summary ?? own.compactMap { $0.path.dropFirst().first }.joined(separator: ", "))
        }
    }

    private static func valueOptions(_ commands: [CommandSpecification]) -> [OptionSpecification] {
        unique(commands.flatMap(\.allOptions)).filter { $0.value != nil }
    }

    private static func unique(_ options: [OptionSpecification]) -> [OptionSpecification] {
        var seen: Set<String> = []
        return options.filter { seen.insert($0.name).inserted }
    }

    private static func choices(_ positional: PositionalSpecification) -> [String] {
        if case .choices(let choices) = positional.completion { return choices }
        return []
    }

    /// Without what would end a single-quoted word or a zsh description.
    private static func quoted(_ text: String) -> String {
        text.filter { !"'[]:".contains($0) }
    }
}
