/** Calls, logs and errors of contracts in words. Everything that needs viem is here, and this is loaded when it is needed. */
import { primeOrdersAbi, primeOrdersAddress } from '@prime/contracts';
import { explainRevert, type Reverted } from '@prime/sdk/explain';
import { type Abi, type AbiParameter, decodeEventLog, decodeFunctionData, erc20Abi, parseAbi } from 'viem';

type Hex = `0x${string}`;

/** One argument. */
export interface DecodedValue {
  readonly name: string;
  readonly type: string;
  /** Exact; long ones are cut. */
  readonly text: string;
  /** The value is an account. */
  readonly account: Hex | null;
}

/** A call, log or error in words. */
export interface Decoded {
  readonly name: string;
  readonly values: readonly DecodedValue[];
  /** Whose description of the contract it was read with. */
  readonly source: string;
}

interface KnownAbi {
  readonly source: string;
  readonly abi: Abi;
}

const abiTextMax = 1_000_000;
const abiItemsMax = 5_000;
const valueLettersMax = 1_000;

/** What somebody pasted, as an ABI, or why it is none. Takes JSON, the artifact of a compiler, and signatures line by line. */
export function parsePasted(text: string): Abi | string {
  if (text.length > abiTextMax) return 'That is longer than any ABI.';
  const trimmed = text.trim();
  try {
    const abi = /^[[{]/.test(trimmed) ? fromJson(JSON.parse(trimmed)) : parseAbi(linesOf(trimmed));
    if (abi === null || abi.length === 0)
      return 'There is no ABI in it: neither a function, nor an event, nor an error.';
    return abi.length > abiItemsMax ? 'That has more entries than any contract.' : abi;
  } catch {
    return 'It can be read neither as JSON nor as signatures such as "function transfer(address to, uint256 amount)".';
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/;$/, ''))
    .filter((line) => line !== '');

function fromJson(json: unknown): Abi | null {
  const items: unknown = Array.isArray(json) ? json : (json as { readonly abi?: unknown } | null)?.abi;
  if (!Array.isArray(items)) return null;
  const isItem = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && 'type' in item && typeof item.type === 'string';
  return items.filter(isItem) as unknown as Abi;
}

/** Descriptions to read a contract with, the most certain first. */
export function abisFor(address: Hex | null, pasted: Abi | null): readonly KnownAbi[] {
  if (address === primeOrdersAddress) return [{ source: 'the order book of this chain', abi: primeOrdersAbi as Abi }];
  const own = pasted === null ? [] : [{ source: 'what you pasted', abi: pasted }];
  return [...own, { source: 'ERC-20', abi: erc20Abi as Abi }];
}

/** The first description with which it can be read. */
function firstOf<T>(abis: readonly KnownAbi[], read: (abi: Abi, source: string) => T | null): T | null {
  for (const { abi, source } of abis) {
    try {
      const found = read(abi, source);
      if (found !== null) return found;
    } catch {
      // Of another contract.
    }
  }
  return null;
}

/** Reads calldata by the first description that knows its function; null where none does. */
export function decodeCall(input: Hex, abis: readonly KnownAbi[]): Decoded | null {
  if (input.length < 10) return null;
  return firstOf(abis, (abi, source) => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data: input });
    const item = itemOf(abi, 'function', functionName, args.length);
    return { name: functionName, values: valuesOf(item, args), source };
  });
}

/** Reads a log by the first description that knows its event; null where none does. */
export function decodeLog(
  log: { readonly topics: readonly Hex[]; readonly data: Hex },
  abis: readonly KnownAbi[],
): Decoded | null {
  return firstOf(abis, (abi, source) => {
    const { eventName, args } = decodeEventLog({ abi, topics: log.topics as [Hex, ...Hex[]], data: log.data });
    if (eventName === undefined) return null;
    const named: unknown = args ?? [];
    const list = Array.isArray(named) ? named : Object.values(named as object);
    return { name: eventName, values: valuesOf(itemOf(abi, 'event', eventName, list.length), list, named), source };
  });
}

/** Why a transaction reverted, in words. */
export const revertWords = (reverted: Reverted, abis: readonly KnownAbi[]): string =>
  explainRevert(
    reverted,
    abis.map(({ abi }) => abi),
  );

const itemOf = (abi: Abi, type: string, name: string, count: number): readonly AbiParameter[] => {
  const item = abi.find(
    (one) => one.type === type && 'name' in one && one.name === name && one.inputs?.length === count,
  );
  return item !== undefined && 'inputs' in item ? (item.inputs as readonly AbiParameter[]) : [];
};

function valuesOf(
  parameters: readonly AbiParameter[],
  list: readonly unknown[],
  named: unknown = list,
): readonly DecodedValue[] {
  const byName = Array.isArray(named) ? null : (named as Readonly<Record<string, unknown>>);
  return parameters.map(({ name = '', type }, index) => {
    const value = byName !== null && Object.hasOwn(byName, name) ? byName[name] : list[index];
    const text = cut(valueText(value));
    return { name, type, text, account: type === 'address' ? (text.toLowerCase() as Hex) : null };
  });
}

const cut = (text: string): string => (text.length > valueLettersMax ? `${text.slice(0, valueLettersMax)}…` : text);

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
  return String(value);
}
