import { createClientId, toClientId } from '@prime/sdk';
import { Option } from 'commander';
import type { Hex } from 'viem';
import { usageError } from '../errors.ts';

/** What comes behind SIDE of `prime order place`, as typed. */
export interface PlaceWords {
  readonly size: string;
  readonly market: string;
  readonly price: string;
}

/** Marks the price: `@ 3012.55`, `@3012.55`, or `at 3012.55`. */
const priceMarks = ['@', 'at'];

/** Words in which the price stands alone behind a mark; the mark is optional. */
function splitPrice(words: readonly string[]): { readonly before: readonly string[]; readonly price: string | null } {
  const at = words.findIndex((word) => priceMarks.includes(word) || word.startsWith('@'));
  if (at < 0) return { before: words, price: null };
  const mark = words[at]!;
  const behind = priceMarks.includes(mark) ? words.slice(at + 1) : [mark.slice(1), ...words.slice(at + 1)];
  const [price, ...more] = behind;
  if (price === undefined || more.length > 0)
    throw usageError(`one price is needed behind @, got ${behind.length === 0 ? 'none' : behind.join(' ')}`, 'PRICE');
  return { before: words.slice(0, at), price };
}

/** SIZE MARKET @ PRICE, in which the @ may be left out. @throws CliError `CLI_USAGE` */
export function parsePlaceWords(words: readonly string[]): PlaceWords {
  const { before, price } = splitPrice(words);
  const [size, market, unmarked, ...more] = before;
  if (size === undefined || market === undefined)
    throw usageError('give SIZE, MARKET and PRICE, as in: prime order place buy 0.25 ETH-USD @ 3012.55', 'SIZE');
  const only = price ?? unmarked;
  if (only === undefined)
    throw usageError(
      `a price is needed: ${size} ${market} @ PRICE. To trade at once, give the worst price that is good enough with --tif ioc`,
      'PRICE',
    );
  if (more.length > 0 || (price !== null && unmarked !== undefined))
    throw usageError(`too many words: give SIZE MARKET @ PRICE, got ${words.join(' ')}`, 'PRICE');
  return { size, market, price: only };
}

/** [SIZE] [@ PRICE], at least one of them. @throws CliError `CLI_USAGE` */
export function parseModifyWords(words: readonly string[]): {
  readonly size: string | null;
  readonly price: string | null;
} {
  const { before, price } = splitPrice(words);
  const [size, unmarked, ...more] = before;
  if ((size === undefined && price === null) || more.length > 0 || (price !== null && unmarked !== undefined))
    throw usageError('give a new SIZE, a new price as @ PRICE, or both: prime order modify 17 0.5 @ 3010', 'SIZE');
  return { size: size ?? null, price: price ?? unmarked ?? null };
}

/** An order's number. @throws CliError `CLI_USAGE` */
export function parseOrderId(text: string): number {
  const id = Number(text);
  if (/^\d{1,15}$/.test(text) && id > 0) return id;
  throw usageError(`an order is named by its number, as prime order list shows it, got ${text}`, 'ORDER');
}

/** `--round`. */
export const roundOption = (): Option =>
  new Option('--round <way>', 'what to do with a price or size between two steps (default: refuse it)').choices([
    'down',
    'up',
    'nearest',
  ]);

const clientIdBytes = 16;

/** The value of `--client-id`. @throws CliError `CLI_USAGE` */
export function parseClientId(text: string): Hex {
  if (text === 'new') return createClientId();
  if (/^0x[0-9a-fA-F]{32}$/.test(text)) return text.toLowerCase() as Hex;
  const bytes = Buffer.byteLength(text);
  if (!text.startsWith('0x') && bytes >= 1 && bytes <= clientIdBytes) return toClientId(text);
  throw usageError(
    `--client-id must be 1 to ${clientIdBytes} bytes of text, or 0x and 32 hex digits, got ${text}`,
    '--client-id',
  );
}
