// SPDX-License-Identifier: MIT

/// Shell completion, written from the specifications.
public enum CompletionScript: String, Sendable, CaseIterable {
    /// The Bourne-again shell, with its programmable completion.
    case bash
    /// The Z shell, with compsys.
    case zsh
    /// The friendly interactive shell.
    case fish

    /// The script that the shell sources.
    public func text(_ words: CompletionWords) -> String {
        switch self {
        case .bash: Self.bash(words)
        case .zsh: Self.zsh(words)
        case .fish: Self.fish(words)
        }
    }

    /// Words are separated by line feeds, since a state's name may have a space; readline escapes it.
    private static func bash(_ words: CompletionWords) -> String {
        let cases = words.paths.map { name in
            let files = words.takesFiles(name) ? " files=yes" : ""
            return "    '\(name)') words=\(lines(words.arguments(of: name) + words.options(of: name)))\(files) ;;"
        }
        let followers = words.paths.flatMap { name in
            words.followers(of: name).map { "    '\(name) \($0.word)') words+=\(lines([""] + $0.words)) ;;" }
        }
        let values = words.paths.flatMap { name in
            words.valueOptions(of: name).map { option in
                let forms = (["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])).map { "'\(name) \($0)'" }
                let offer =
                    switch option.completion {
                    case .files: "files=yes"
                    case .nothing: ":"
                    default: "words=\(lines(words.words(option.completion)))"
                    }
                return "    \(forms.joined(separator: "|"))) \(offer); _\(words.program)_offer; return ;;"
            }
        }
        return """
            # \(words.program) completion for bash: source <(\(words.program) completion bash)
            _\(words.program)_offer() {
              COMPREPLY=($(compgen -W "$words" -- "$cur"))
              case $cur in -*) ;; *) [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$cur")) ;; esac
            }
            _\(words.program)() {
              local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= files= at= word IFS=$'\\n'
              cur=${cur//\\\\/}
              COMPREPLY=()
              for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case "${at:+$at }$word" in
                  help|\(alternatives(words))) at="${at:+$at }$word" ;;
                  *) break ;;
                esac
              done
              case "$at $prev" in
            \(values.joined(separator: "\n"))
              esac
              case "$at" in
                '') [ "$COMP_CWORD" -gt 1 ] || words=\(lines(words.names + ["help", "--help", "--version"])) ;;
            \(cases.joined(separator: "\n"))
                help) words=\(lines(words.names)) ;;
              esac
              case "$at $prev" in
            \(followers.joined(separator: "\n"))
              esac
              _\(words.program)_offer
            }
            complete -o filenames -F _\(words.program) \(words.program)

            """
    }

    private static func zsh(_ words: CompletionWords) -> String {
        let list = words.names.map { "    '\($0):\(quoted(words.summary(of: $0)))'" }
        let followers = words.paths.flatMap { name in
            words.followers(of: name).map { "    '\(name) \($0.word)') compadd -- \(zshList($0.words)) ;;" }
        }
        let cases = words.paths.map { name in
            let options = words.allOptions(of: name).map { zshOption($0, words) }
            let arguments = words.arguments(of: name)
            let rest =
                switch (arguments.isEmpty, words.takesFiles(name)) {
                case (false, _): "'*:word:(\(zshList(arguments)))'"
                case (true, true): "'*:file:_files'"
                case (true, false): "'*:word: '"
                }
            return "    '\(name)') _arguments \((options + [rest]).joined(separator: " ")) ;;"
        }
        return """
            #compdef \(words.program)
            # \(words.program) completion for zsh: \(words.program) completion zsh > ~/.zfunc/_\(words.program)
            _\(words.program)() {
              local -a commands=(
            \(list.joined(separator: "\n"))
              )
              if (( CURRENT == 2 )); then
                _describe command commands
                return
              fi
              local at=
              while (( CURRENT > 2 )); do
                case "${at:+$at }$words[2]" in
                  \(alternatives(words))) at="${at:+$at }$words[2]"; shift words; (( CURRENT-- )) ;;
                  *) break ;;
                esac
              done
              case "$at $words[CURRENT-1]" in
            \(followers.joined(separator: "\n"))
              esac
              case $at in
            \(cases.joined(separator: "\n"))
              esac
            }
            compdef _\(words.program) \(words.program)

            """
    }

    private static func fish(_ words: CompletionWords) -> String {
        let at = "__\(words.program)_at"
        var lines = [
            """
            # \(words.program) completion for fish: \(words.program) completion fish | source
            function \(at)
                set -l at
                set -l words (commandline -opc)
                set -e words[1]
                for word in $words
                    set -l next (string join -- ' ' $at $word)
                    contains -- $next \(words.paths.map { "'\($0)'" }.joined(separator: " ")); or break
                    set at $next
                end
                test "$at" = "$argv[1]"; and begin
                    test (count $argv) -eq 1; or test "$words[-1]" = "$argv[2]"
                end
            end
            """
        ]
        for name in words.names {
            lines.append(
                "complete -c \(words.program) -n __fish_use_subcommand -f -a \(name) -d '\(quoted(words.summary(of: name)))'"
            )
        }
        for name in words.paths {
            let seen = "-n '\(at) \"\(name)\"'"
            let arguments = words.arguments(of: name)
            if !arguments.isEmpty {
                lines.append("complete -c \(words.program) \(seen) -f -a '\(fishList(arguments))'")
            }
            for (word, offered) in words.followers(of: name) {
                lines.append(
                    "complete -c \(words.program) -n '\(at) \"\(name)\" \(word)' -f -a '\(fishList(offered))'")
            }
            if arguments.isEmpty, !words.takesFiles(name) { lines.append("complete -c \(words.program) \(seen) -f") }
            for option in words.allOptions(of: name) {
                var line = "complete -c \(words.program) \(seen) -l \(option.name)"
                if let short = option.short { line += " -s \(short)" }
                if option.placeholder != nil { line += option.completion == .files ? " -r -F" : " -x" }
                let offered = words.words(option.completion)
                if !offered.isEmpty { line += " -a '\(fishList(offered))'" }
                lines.append(line + " -d '\(quoted(option.help))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The commands and groups as a pattern of `case`.
    private static func alternatives(_ words: CompletionWords) -> String {
        words.paths.map { "'\($0)'" }.joined(separator: "|")
    }

    private static func zshOption(_ option: OptionSpecification, _ words: CompletionWords) -> String {
        var text = "--\(option.name)"
        if option.placeholder != nil { text += "=" }
        text += "[\(quoted(option.help))]"
        if let value = option.placeholder {
            switch option.completion {
            case .files: text += ":\(value):_files"
            case .nothing: text += ":\(value): "
            default: text += ":\(value):(\(zshList(words.words(option.completion))))"
            }
        }
        return "'\(text)'"
    }

    private static func zshList(_ words: [String]) -> String {
        words.map { $0.replacing(" ", with: "\\ ") }.joined(separator: " ")
    }

    private static func fishList(_ words: [String]) -> String {
        words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
    }

    /// A word of bash with one line for each of the words.
    private static func lines(_ words: [String]) -> String { "$'\(words.joined(separator: "\\n"))'" }

    /// A text escaped for single quotes and for brackets of zsh.
    private static func quoted(_ text: String) -> String {
        text.filter { $0 != "'" && $0 != "[" && $0 != "]" && $0 != ":" }
    }
}
