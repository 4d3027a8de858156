/** Colours of a terminal, or none. */
export interface Paint {
  readonly ask: (text: string) => string;
  readonly bid: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const as =
  (code: number) =>
  (text: string): string =>
    text.trim() === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string): string => text;

/** For a terminal: ANSI colours, red for asks and green for bids. */
export const colored: Paint = { ask: as(31), bid: as(32), strong: as(1), faint: as(2) };

/** For pipes and terminals without colours: text goes through as it is. */
export const colorless: Paint = { ask: plain, bid: plain, strong: plain, faint: plain };

/** Digits behind the point that a column shows at most; more would push everything else off the screen. */
const fractionMax = 8;

/** Cut off, never rounded up: a book is not deeper than it is. */
function cut(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length <= fractionMax) return text;
  const kept = fraction.slice(0, fractionMax);
  if (/^0*$/.test(whole + kept)) return `<0.${'1'.padStart(fractionMax, '0')}`;
  return `${whole}.${kept}`;
}

/**
 * A title and a number for each item below it, all of one width, with their points below each other.
 *
 * @param least digits behind the point, also where no number has so many
 */
export function column<item>(title: string, items: readonly item[], text: (item: item) => string, least = 0): string[] {
  const shown = items.map((item) => cut(text(item)));
  const places = Math.max(least, ...shown.map((text) => text.split('.')[1]?.length ?? 0));
  const aligned = shown.map((text) => {
    if (places === 0) return text;
    const [whole, fraction = ''] = text.split('.');
    return `${whole}.${fraction.padEnd(places, '0')}`;
  });
  const width = Math.max(title.length, ...aligned.map((text) => text.length));
  return [title, ...aligned].map((text) => text.padStart(width));
}
