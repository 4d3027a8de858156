import { keccak256 } from '@prime/crypto';
import {
  type Address,
  bytesToAddress,
  bytesToBigint,
  bytesToHex,
  concatBytes,
  type Hex,
  utf8ToBytes,
} from '@prime/primitives';

/** Calls to the precompile at 0x…0101, which answers the reads of 0x…0100: what they ask, and how answers are written (Solidity ABI). */

/** Gas of a read, whatever it answers; {@link readByteGas} comes on top. */
export const readBaseGas = 2000n;
/** Gas per byte of the answer, or of the reason of a refusal. */
export const readByteGas = 65n;

/** Most levels of a side that one call shows. */
export const bookDepthMax = 100;

/**
 * A read of the order book, by the name of its Solidity function and with its arguments. Prices and sizes are in the
 * answer alone.
 */
export type OrderQuery =
  | { readonly view: 'markets' | 'insuranceFund' }
  | { readonly view: 'market'; readonly marketId: number }
  | { readonly view: 'bestPrices'; readonly marketId: number }
  | { readonly view: 'book'; readonly marketId: number; readonly depth: number }
  | { readonly view: 'position'; readonly owner: Address; readonly marketId: number }
  | { readonly view: 'account' | 'isLiquidatable'; readonly owner: Address }
  | { readonly view: 'order'; readonly orderId: bigint }
  | { readonly view: 'orderByClientId'; readonly owner: Address; readonly clientId: Hex };

type View = OrderQuery['view'];
type Argument = readonly [name: string, type: 'address' | 'number' | 'uint64' | 'clientId', bits: number];

const marketId: Argument = ['marketId', 'number', 32];
const owner: Argument = ['owner', 'address', 160];
const functions: Readonly<Record<View, readonly [signature: string, ...Argument[]]>> = {
  markets: ['markets()'],
  market: ['market(uint32)', marketId],
  bestPrices: ['bestPrices(uint32)', marketId],
  book: ['book(uint32,uint16)', marketId, ['depth', 'number', 16]],
  position: ['position(address,uint32)', owner, marketId],
  account: ['account(address)', owner],
  isLiquidatable: ['isLiquidatable(address)', owner],
  order: ['order(uint64)', ['orderId', 'uint64', 64]],
  orderByClientId: ['orderByClientId(address,uint128)', owner, ['clientId', 'clientId', 128]],
  insuranceFund: ['insuranceFund()'],
};

const selectorBytes = 4;
const wordBytes = 32;

const selectorOf = (signature: string): Hex => bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, selectorBytes));
const viewOf = new Map<Hex, View>(
  (Object.keys(functions) as View[]).map((view) => [selectorOf(functions[view][0]), view]),
);

/** What calldata ask for. @returns the reason instead when nobody can tell */
export function parseOrderQuery(input: Uint8Array): OrderQuery | { readonly refused: string } {
  const view = viewOf.get(bytesToHex(input.subarray(0, selectorBytes)));
  if (view === undefined) return { refused: 'unknown read of the order book' };
  const [signature, ...args] = functions[view];
  if (input.length < selectorBytes + args.length * wordBytes) return { refused: `${signature}: arguments are missing` };
  const query: Record<string, unknown> = { view };
  for (const [index, [name, type, bits]] of args.entries()) {
    const word = input.slice(selectorBytes + index * wordBytes, selectorBytes + (index + 1) * wordBytes);
    const value = bytesToBigint(word);
    if (value >= 1n << BigInt(bits)) return { refused: `${signature}: ${name} has more than ${bits} bits` };
    if (type === 'address') query[name] = bytesToAddress(word.subarray(12));
    else if (type === 'clientId') query[name] = bytesToHex(word.subarray(16));
    else query[name] = type === 'number' ? Number(value) : value;
  }
  return query as unknown as OrderQuery;
}

/** A value of an answer: a word, or the encoding of something of any length. */
export type AbiValue = bigint | Uint8Array;

const word = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(wordBytes);
  let rest = BigInt.asUintN(256, value);
  for (let index = wordBytes - 1; rest > 0n; index--) {
    bytes[index] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
};

/** Values one after another; those of any length stand behind the words. Negative words are in two's complement. */
export function encodeAbi(values: readonly AbiValue[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = values.length * wordBytes;
  for (const value of values) {
    if (typeof value === 'bigint') heads.push(word(value));
    else {
      heads.push(word(BigInt(offset)));
      tails.push(value);
      offset += value.length;
    }
  }
  return concatBytes(...heads, ...tails);
}

/** A `string`. */
export function abiText(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  const padded = new Uint8Array(Math.ceil(bytes.length / wordBytes) * wordBytes);
  padded.set(bytes);
  return concatBytes(word(BigInt(bytes.length)), padded);
}

/** A list of words, or of structs of so many words. */
export const abiList = (words: readonly bigint[], wordsPerItem = 1): Uint8Array =>
  concatBytes(word(BigInt(words.length / wordsPerItem)), ...words.map(word));

/** Revert data of `Error(string)`. */
export const abiError = (reason: string): Uint8Array => concatBytes(errorSelector, encodeAbi([abiText(reason)]));
const errorSelector = keccak256(utf8ToBytes('Error(string)')).subarray(0, selectorBytes);
