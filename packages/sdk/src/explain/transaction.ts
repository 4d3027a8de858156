import { type Abi, decodeErrorResult } from 'viem';
import type { Hash, Hex } from '../types/primitives.ts';
import { explainWaiting, unknownTransactionText, type WaitingFacts } from './admission.ts';
import { bad, good, warn, type Explanation } from './explanation.ts';
import { explainRefusal, refusalMeaning, type ToldRefusal } from './refusal.ts';
import { countOf, formatInteger, type MarketWords, wordsOf } from './words.ts';

/** A refusal and the market that it is about. */
export interface RefusalIn {
  readonly refusal: ToldRefusal;
  /** Null where it is about none, or one that the node does not list. */
  readonly market: MarketWords | null;
}

/** What decides what became of a transaction or signed action. */
export type TransactionFacts =
  | { readonly stage: 'unknown'; readonly hash: Hash }
  | ({ readonly stage: 'pending'; readonly hash: Hash } & WaitingFacts)
  /** A transaction of the EVM in a block. */
  | {
      readonly stage: 'evm';
      readonly hash: Hash;
      readonly blockNumber: bigint;
      readonly isOk: boolean;
      readonly gas: bigint;
      readonly gasUsed: bigint;
      /** What it returned, or reverted with. */
      readonly output: Hex;
      /** What the order book refused of what contracts asked for, in the block after: kinds. */
      readonly refusedWrites: readonly string[];
    }
  /** A signed action in a block. */
  | {
      readonly stage: 'action';
      readonly hash: Hash;
      readonly blockNumber: bigint;
      /** `order`, `cancel` …; null where it can not be read. */
      readonly type: string | null;
      /** Null where it was carried out. */
      readonly refused: RefusalIn | null;
      /** Of a batch: items that were refused, by their place from 1 on. */
      readonly refusedItems: readonly (RefusalIn & { readonly item: number })[];
      /** Items of a batch; 0 for anything else. */
      readonly items: number;
      /** What became of an order that it made, in sentences; null where it made none. */
      readonly order: Explanation | null;
    };

/** What became of a transaction or signed action, and why. */
export function explainTransaction(facts: TransactionFacts): Explanation {
  switch (facts.stage) {
    case 'unknown':
      return warn('The node knows no transaction with this hash', unknownTransactionText);
    case 'pending':
      return warn('It waits for a block', explainWaiting(facts));
    case 'evm':
      return explainEvm(facts);
    case 'action':
      return explainAction(facts);
  }
}

type Of<stage extends TransactionFacts['stage']> = Extract<TransactionFacts, { readonly stage: stage }>;

function explainEvm(facts: Of<'evm'>): Explanation {
  const { blockNumber, isOk, refusedWrites } = facts;
  const place = `block ${formatInteger(blockNumber)}`;
  if (!isOk)
    return bad(
      'It reverted',
      `The reason: ${explainRevert(facts)}. Nothing of it counts, but ${place} took the gas: ${formatInteger(facts.gasUsed)} of ${formatInteger(facts.gas)}.`,
    );
  if (refusedWrites.length === 0)
    return good('It was carried out', `It is in ${place}, and used ${formatInteger(facts.gasUsed)} gas.`);
  const whys = refusedWrites.map((kind) => refusalMeaning(kind) ?? `${wordsOf(kind)}.`);
  return warn(
    'It was carried out, and the order book refused what it asked for',
    `${place[0]!.toUpperCase()}${place.slice(1)} carried it out. In the block after, the order book refused ${countOf(refusedWrites.length, 'write')} of its contracts: ${whys.join(' ')}`,
  );
}

function explainAction({ blockNumber, type, refused, refusedItems, items, order }: Of<'action'>): Explanation {
  const what = type === null ? 'The action' : `The ${type}`;
  const place = `block ${formatInteger(blockNumber)}`;
  if (refused !== null)
    return bad(
      `It was refused: ${refused.refusal.message}`,
      `${explainRefusal(refused.refusal, refused.market)} ${what} is in ${place} and changed nothing.`,
    );
  if (refusedItems.length > 0)
    return warn(
      `${refusedItems.length} of ${countOf(items, 'item')} were refused`,
      refusedItems.map(({ item, refusal, market }) => `Item ${item}: ${explainRefusal(refusal, market)}`).join(' '),
    );
  const done = `${what} is in ${place}.`;
  if (order !== null) return { tone: order.tone, title: order.title, text: `${done} ${order.text}` };
  return good('It was carried out', done);
}

/** Letters of a reason that a contract gives, which may be anything. */
const reasonLettersMax = 1_000;
const cut = (text: string): string => (text.length > reasonLettersMax ? `${text.slice(0, reasonLettersMax)}…` : text);

const panicWords: Readonly<Record<number, string>> = {
  0x01: 'an assertion of the contract failed',
  0x11: 'a number was too large or too small (overflow)',
  0x12: 'a division by zero',
  0x21: 'a value that its enumeration does not have',
  0x22: 'a byte array in storage that is damaged',
  0x31: 'taking from an empty array',
  0x32: 'an index beyond the end of an array',
  0x41: 'more memory than there is',
  0x51: 'a function that was never set',
};

/** What a contract reverted with, in words; null where it gave no reason. @param abis in which its errors are looked for */
export function revertReason(output: Hex, abis: readonly Abi[] = []): string | null {
  if (output.length < 10) return null;
  // Error(string) and Panic(uint256) are part of every ABI.
  for (const abi of [...abis, []]) {
    const found = decoded(output, abi);
    if (found !== null) return found;
  }
  return `an error that is not known here, ${cut(output)}`;
}

function decoded(output: Hex, abi: Abi): string | null {
  try {
    const { abiItem, errorName, args = [] } = decodeErrorResult({ abi, data: output });
    if (errorName === 'Error') return cut(String(args[0]));
    if (errorName === 'Panic') return panicWords[Number(args[0])] ?? `panic ${String(args[0])}`;
    const names = abiItem.type === 'error' ? abiItem.inputs.map(({ name = '' }) => name) : [];
    const values = args.map((value, index) => {
      const name = names[index] ?? '';
      return `${name === '' ? '' : `${name}: `}${cut(valueText(value))}`;
    });
    return `${errorName}(${values.join(', ')})`;
  } catch {
    return null;
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
  return String(value);
}

/** Gas of a transaction that reverted. */
export interface Reverted {
  readonly output: Hex;
  readonly gas: bigint;
  readonly gasUsed: bigint;
}

/** Why a transaction reverted, in words without a full stop. @param abis in which its errors are looked for */
export function explainRevert({ output, gas, gasUsed }: Reverted, abis?: readonly Abi[]): string {
  const reason = revertReason(output, abis);
  if (reason !== null) return reason;
  return gasUsed === gas ? `it used up all of its gas, ${formatInteger(gas)}` : 'the contract gave no reason';
}
