const bash = `# phaseout in bash: source <(phaseout completion bash)
_phaseout() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() given word meaning
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  # Readline replaces only what stands behind the last sign that ends a word for it, as = does.
  given=\${words[-1]}
  given=\${given%"\${COMP_WORDS[COMP_CWORD]#[=:]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word meaning; do
    case $word in
      :0) ;;
      :*) compopt +o default ;;
      *) COMPREPLY+=("\${word#"$given"}") ;;
    esac
  done < <(phaseout completion -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _phaseout phaseout
`;

const zsh = `#compdef phaseout
# phaseout in zsh: source <(phaseout completion zsh)
_phaseout() {
  local line
  local -a found
  for line in "\${(@f)$(phaseout completion -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :0) _files ;;
      :*) ;;
      *) found+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  (( $#found )) && _describe phaseout found
}
if [[ $funcstack[1] == _phaseout ]]; then _phaseout "$@"; else compdef _phaseout phaseout; fi
`;

const fish = `# phaseout in fish: phaseout completion fish | source
function __phaseout_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l last (commandline -ct)
    for line in (phaseout completion -- $words "$last" 2>/dev/null)
        switch $line
            case ':0'
                __fish_complete_path "$last"
            case ':*'
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c phaseout -f -a '(__phaseout_complete)'
`;

/** The scripts by the names of the shells. Each asks phaseout itself, so one place judges the typed words. */
export const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
