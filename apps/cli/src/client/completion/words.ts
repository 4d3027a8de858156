import type { Command, Option } from 'commander';

/** What can be typed at one place of the command line. */
export interface Place {
  /** Words so far, as `order place`; empty behind `prime` itself. */
  readonly path: string;
  /** Subcommands, or the values that the first argument takes. */
  readonly words: readonly Word[];
  readonly options: readonly CompletedOption[];
}

/** Something that may be typed, and what a shell shows beside it. */
export interface Word {
  readonly text: string;
  /** One line. */
  readonly about: string;
}

/** An option of a command as completion needs it. */
export interface CompletedOption extends Word {
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** Values that it takes; empty for any. */
  readonly choices: readonly string[];
}

const help: CompletedOption = { text: '--help', about: 'what it does, with examples', takesValue: false, choices: [] };

const optionOf = (option: Option): CompletedOption => ({
  text: option.long ?? option.short ?? '',
  about: oneLine(option.description),
  takesValue: option.required || option.optional,
  choices: option.argChoices ?? [],
});

/** The first sentence: a list of words has no room for more. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replace(/\. .*$/, '');

/**
 * Every place of a program.
 *
 * @param firstArguments words that the first argument of a command takes besides its own choices, by the command's path
 */
export function placesOf(
  program: Command,
  firstArguments: Readonly<Record<string, readonly Word[]>> = {},
  path: readonly string[] = [],
): Place[] {
  const options = [...program.options.filter(({ hidden }) => !hidden).map(optionOf), help];
  const own = path.join(' ');
  const choices = program.registeredArguments[0]?.argChoices ?? [];
  const words = [
    ...program.commands.map((command) => ({ text: command.name(), about: oneLine(command.description()) })),
    ...choices.map((text) => ({ text, about: '' })),
    ...(firstArguments[own] ?? []).map(({ text, about }) => ({ text, about: oneLine(about) })),
  ];
  const inside = program.commands.flatMap((command) => placesOf(command, firstArguments, [...path, command.name()]));
  // Behind such a word the command's options go on, and its words do not.
  const behind = [...choices, ...(firstArguments[own] ?? []).map(({ text }) => text)].map((text) => ({
    path: own === '' ? text : `${own} ${text}`,
    words: [],
    options,
  }));
  return [{ path: own, words, options }, ...inside, ...behind];
}
