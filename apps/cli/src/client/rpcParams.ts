import { usageError } from '../errors.ts';

/** The part of a JSON Schema that says which kinds of values a parameter takes. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
}

function takes(schema: Schema, kinds: readonly string[]): boolean {
  const { type = [], anyOf = [] } = schema;
  const own = typeof type === 'string' ? [type] : type;
  return own.some((kind) => kinds.includes(kind)) || anyOf.some((each) => takes(each, kinds));
}

/**
 * A parameter of a method, from a word of the command line: what looks like JSON is JSON, everything else is text. A whole number is the hex quantity that
 * most methods want, and a JSON number only where the method takes those alone or the method is unknown.
 *
 * @param schema of the parameter; null for a method that is not in the registry
 * @throws CliError `CLI_USAGE` for broken JSON
 */
export function toParameter(word: string, name: string, schema: object | null): unknown {
  if (/^[{["]/.test(word)) return parseJson(word, name);
  if (word === 'true' || word === 'false' || word === 'null') return JSON.parse(word);
  if (!/^\d+$/.test(word)) return word;
  const known = schema as Schema | null;
  if (known !== null && takes(known, ['number', 'integer'])) return Number(word);
  if (known === null && Number.isSafeInteger(Number(word))) return Number(word);
  return `0x${BigInt(word).toString(16)}`;
}

function parseJson(word: string, name: string): unknown {
  try {
    return JSON.parse(word);
  } catch (cause) {
    throw usageError(`${name} looks like JSON and is none: ${(cause as Error).message}`, name, { cause });
  }
}

/** How many letters have to be changed, added or taken away to make one word of the other. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const change = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      line.push(Math.min(change, above[column]! + 1, line[column - 1]! + 1));
    }
    above = line;
  }
  return above[other.length]!;
}

/** Names that a mistyped one may have meant: at most three, the nearest first. A name without its prefix finds the whole one. */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  const lower = typed.toLowerCase();
  const plain = (name: string): string => name.slice(name.indexOf('_') + 1).toLowerCase();
  return names
    .map((name) => ({ name, away: Math.min(distance(lower, name.toLowerCase()), distance(lower, plain(name))) }))
    .filter(({ name, away }) => away <= Math.max(2, Math.floor(name.length / 5)))
    .sort((one, other) => one.away - other.away || (one.name < other.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}
