import type { CompletedOption, Place } from './words.ts';

/** Shells for which `prime completion` has a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of these shells, by the name of its program. */
export type Shell = (typeof shells)[number];

/** In single quotes, in which a shell reads nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** fish reads two escapes in single quotes. */
const quotedFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Places that offer the same, together: most commands share no words, but many share nothing else. */
function byOffer(
  places: readonly Place[],
  offerOf: (place: Place) => readonly string[],
): [string[], readonly string[]][] {
  const groups = new Map<string, [string[], readonly string[]]>();
  for (const place of places) {
    const offer = offerOf(place);
    const key = offer.join('\n');
    const group = groups.get(key) ?? [[], offer];
    group[0].push(place.path);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Text and its meaning, with a tab between them. */
const wordLines = ({ words }: Place): string[] => words.map(({ text, about }) => `${text}\t${about}`);
const optionLines = ({ options }: Place): string[] => options.map(({ text, about }) => `${text}\t${about}`);

/** A function of sh that prints the offer at the path that it is given. */
function offerFunction(name: string, places: readonly Place[], offerOf: (place: Place) => readonly string[]): string[] {
  const cases = byOffer(places, offerOf)
    .filter(([, offer]) => offer.length > 0)
    .map(([paths, offer]) => `    ${paths.map(quoted).join('|')}) printf '%s\\n' ${offer.map(quoted).join(' ')} ;;`);
  return [`${name}() {`, '  case "$1" in', ...cases, '  esac', '}'];
}

/** Options with a value, each with its choices; several of one name have the choices of all. */
function valued(places: readonly Place[]): readonly (readonly [string, readonly string[]])[] {
  const options = new Map<string, Set<string>>();
  const all: readonly CompletedOption[] = places.flatMap((place) => place.options);
  for (const { text, choices } of all.filter(({ takesValue }) => takesValue)) {
    const known = options.get(text) ?? new Set();
    for (const choice of choices) known.add(choice);
    options.set(text, known);
  }
  return [...options].map(([text, choices]) => [text, [...choices]]);
}

/** A function of sh: prints the choices of an option, and fails for an option without a value. */
const valueFunction = (places: readonly Place[]): string[] => [
  '_prime_values() {',
  '  case "$1" in',
  ...valued(places).map(([text, choices]) =>
    choices.length === 0 ? `    ${text}) ;;` : `    ${text}) printf '%s\\n' ${choices.map(quoted).join(' ')} ;;`,
  ),
  '    *) return 1 ;;',
  '  esac',
  '}',
];

/** A function of sh: whether a path is one. */
const pathFunction = (places: readonly Place[]): string[] => [
  '_prime_is_place() {',
  '  case "$1" in',
  `    ${places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|')}) return 0 ;;`,
  '  esac',
  '  return 1',
  '}',
];

const shared = (places: readonly Place[]): string[] => [
  ...offerFunction('_prime_words', places, wordLines),
  ...offerFunction('_prime_options', places, optionLines),
  ...valueFunction(places),
  ...pathFunction(places),
];

const bash = (places: readonly Place[]): string[] => [
  '# Completion of prime for bash: source <(prime completion bash)',
  ...shared(places),
  '_prime() {',
  '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" place="" next word index offer',
  '  for (( index = 1; index < COMP_CWORD; index++ )); do',
  '    next="${place:+$place }${COMP_WORDS[index]}"',
  '    _prime_is_place "$next" && place="$next"',
  '  done',
  '  COMPREPLY=()',
  '  if offer="$(_prime_values "$previous")"; then :',
  '  elif [[ "$current" == -* ]]; then offer="$(_prime_options "$place")"',
  '  else offer="$(_prime_words "$place")"',
  '  fi',
  "  while IFS=$'\\t' read -r word _; do",
  '    [[ -n "$word" && "$word" == "$current"* ]] && COMPREPLY+=("$word")',
  '  done <<< "$offer"',
  '}',
  'complete -o default -F _prime prime',
];

const zsh = (places: readonly Place[]): string[] => [
  '#compdef prime',
  '# Completion of prime for zsh: source <(prime completion zsh)',
  ...shared(places),
  '_prime() {',
  '  local place="" next word offer',
  '  local -a entries',
  '  for word in "${(@)words[2,CURRENT-1]}"; do',
  '    next="${place:+$place }$word"',
  '    _prime_is_place "$next" && place="$next"',
  '  done',
  '  if offer="$(_prime_values "${words[CURRENT-1]}")"; then :',
  '  elif [[ "${words[CURRENT]}" == -* ]]; then offer="$(_prime_options "$place")"',
  '  else offer="$(_prime_words "$place")"',
  '  fi',
  '  if [[ -z "$offer" ]]; then _files; return; fi',
  '  # _describe wants a colon between a word and its meaning.',
  "  while IFS=$'\\t' read -r word next; do",
  '    entries+=("${word//:/\\\\:}${next:+:$next}")',
  '  done <<< "$offer"',
  '  _describe -t prime prime entries',
  '}',
  '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }',
  'compdef _prime prime',
];

function fish(places: readonly Place[]): string[] {
  const cases = (offerOf: (place: Place) => readonly string[]): string[] =>
    byOffer(places, offerOf)
      .filter(([, offer]) => offer.length > 0)
      .flatMap(([paths, offer]) => [
        `    case ${paths.map(quotedFish).join(' ')}`,
        `      printf '%s\\n' ${offer.map(quotedFish).join(' ')}`,
      ]);
  return [
    '# Completion of prime for fish: prime completion fish | source',
    'function __prime_place',
    `  set -l places ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => quotedFish(path))
      .join(' ')}`,
    "  set -l place ''",
    '  for word in (commandline -opc)[2..]',
    '    set -l next (string trim -- "$place $word")',
    '    contains -- $next $places; and set place $next',
    '  end',
    '  echo $place',
    'end',
    'function __prime_offer',
    '  set -l place (__prime_place)',
    '  switch (commandline -opc)[-1]',
    ...valued(places).flatMap(([text, choices]) =>
      choices.length === 0
        ? [`    case ${text}`, '      __fish_complete_path (commandline -ct)', '      return']
        : [`    case ${text}`, `      printf '%s\\n' ${choices.map(quotedFish).join(' ')}`, '      return'],
    ),
    '  end',
    '  if string match -q -- "-*" (commandline -ct)',
    '    switch "$place"',
    ...cases(optionLines).map((line) => `  ${line}`),
    '    end',
    '    return',
    '  end',
    '  switch "$place"',
    ...cases(wordLines),
    '    case "*"',
    '      __fish_complete_path (commandline -ct)',
    '  end',
    'end',
    "complete -c prime -f -a '(__prime_offer)'",
  ];
}

const writers: Readonly<Record<Shell, (places: readonly Place[]) => string[]>> = { bash, zsh, fish };

/** The script that a shell reads to complete `prime`. Nothing of it runs prime: a key press must not wait for a program to start. */
export const completionScript = (shell: Shell, places: readonly Place[]): string =>
  `${writers[shell](places).join('\n')}\n`;
