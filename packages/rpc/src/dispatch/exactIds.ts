/** Ids of requests that are numbers with more digits than a number of this language holds. */

/** A number as the request wrote it. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Puts ids that parsing rounded back as they were written, since whoever asked looks for exactly that id in the answer.
 *
 * @param value what `body`, JSON, was parsed to; changed in place
 */
export function keepExactIds(value: unknown, body: string): void {
  const requests: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!requests.some(hasRoundedId)) return;
  const texts = Array.isArray(value) ? idTextsOfList(body) : [idTextOf(body, skipSpace(body, 0))];
  for (const [index, request] of requests.entries())
    if (hasRoundedId(request)) request.id = new ExactNumber(texts[index]!);
}

const hasRoundedId = (request: unknown): request is { id: unknown } =>
  typeof request === 'object' &&
  request !== null &&
  typeof (request as { id?: unknown }).id === 'number' &&
  !Number.isSafeInteger((request as { id: number }).id);

// The text below is known to be JSON: it has been parsed.

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text[next])) next++;
  return next;
}

/** @param at of the opening quote @returns behind the closing one */
function skipString(text: string, at: number): number {
  let next = at + 1;
  while (text[next] !== '"') next += text[next] === '\\' ? 2 : 1;
  return next + 1;
}

const scalar = /[^\s,\]}]*/y;

/** @returns behind the value that begins here */
function skipValue(text: string, at: number): number {
  let depth = 0;
  let next = at;
  do {
    const character = text[next]!;
    if (character === '"') next = skipString(text, next);
    else if (character === '{' || character === '[') {
      depth++;
      next++;
    } else if (character === '}' || character === ']') {
      depth--;
      next++;
    } else if (depth > 0) next++;
    else {
      scalar.lastIndex = next;
      next += scalar.exec(text)![0].length;
    }
  } while (depth > 0);
  return next;
}

/** The text of each item's id in a list; null for an item that has none. */
function idTextsOfList(text: string): (string | null)[] {
  const texts: (string | null)[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[at] !== ']') {
    texts.push(text[at] === '{' ? idTextOf(text, at) : null);
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return texts;
}

/** The text of the member `id` of the object that begins here; of several the last, as parsers take it. */
function idTextOf(text: string, start: number): string | null {
  let found: string | null = null;
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const nameEnd = skipString(text, at);
    const name: unknown = JSON.parse(text.slice(at, nameEnd));
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    if (name === 'id') found = text.slice(valueStart, valueEnd);
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}
