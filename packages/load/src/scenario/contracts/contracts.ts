import { encodeAbi } from '@prime/predeploy';
import { keccak256 } from '@prime/crypto';
import { encodeRlp } from '@prime/codec';
import { type Address, bytesToAddress, concatBytes, hexToBytes, utf8ToBytes, zeroAddress } from '@prime/primitives';
import type { KindName } from '../kindTable.ts';
import type { Scenario } from '../schema.ts';
import { sizeOf } from '../parseScenario.ts';
import { creationCode } from './creationCode.ts';

/** A function of a contract all of whose arguments are words. @param signature `transfer(address,uint256)` @returns what makes the data of a call to it */
function contractFunction(signature: string): (...words: readonly bigint[]) => Uint8Array {
  const selector = keccak256(utf8ToBytes(signature)).subarray(0, 4);
  return (...words) => concatBytes(selector, encodeAbi(words));
}

/** An address as a word of calldata: a number below 2^160. */
export const addressWord = (address: Address): bigint => BigInt(address);

/** Contracts of a run. One account deploys them with its first nonces, so their addresses are known before they are there. */
export interface Contracts {
  readonly tokens: readonly Address[];
  readonly storage: Address | null;
  readonly pools: readonly Address[];
  readonly trader: Address | null;
  /** What creates them, in the order of the deployer's nonces. */
  readonly creations: readonly { readonly name: string; readonly code: Uint8Array; readonly gas: bigint }[];
}

/** Calldata for an ERC-20 that anybody may mint. */
export const token = {
  mint: contractFunction('mint(uint256)'),
  transfer: contractFunction('transfer(address,uint256)'),
  approve: contractFunction('approve(address,uint256)'),
  balanceOf: contractFunction('balanceOf(address)'),
};
/** Calldata for the contract that writes storage: first slot, count of slots, value. */
export const storage = { write: contractFunction('write(uint256,uint256,uint256)') };
/** Calldata for a pool of two tokens with a constant product. */
export const pool = {
  add: contractFunction('add(uint256,uint256)'),
  swap: contractFunction('swap(bool,uint256,uint256)'),
};
/** Calldata for a contract that trades with an account of its own on the order book. */
export const trader = {
  deposit: contractFunction('deposit()'),
  place: contractFunction('place(uint32,uint256,uint256,uint256,uint256,uint256)'),
  cancelAll: contractFunction('cancelAll(uint32)'),
};
/** Calldata for the order book's address, `0x…0100`. */
export const orders = {
  submitOrder: contractFunction('submitOrder(uint32,bool,uint256,uint256,uint8,uint8,uint128)'),
  cancelByClientId: contractFunction('cancelByClientId(uint128)'),
};

const tokensOf: Partial<Record<KindName, number>> = {
  token_transfer: 1,
  swap: 2,
  eth_call: 1,
  eth_getLogs: 1,
  eth_getCode: 1,
};

/** @param deployer whose first transactions create them */
export function contractsOf(scenario: Scenario, deployer: Address): Contracts {
  const creations: Contracts['creations'][number][] = [];
  const create = (name: keyof typeof creationCode, gas: bigint, ...args: readonly Address[]): Address => {
    const code = concatBytes(hexToBytes(creationCode[name]), encodeAbi(args.map(addressWord)));
    creations.push({ name, code, gas });
    return createdBy(deployer, creations.length - 1);
  };
  const times = (count: number, make: () => Address): Address[] => Array.from({ length: count }, make);
  const mix = new Map(scenario.mix.map((item) => [item.kind, sizeOf(scenario, item)]));
  const tokenCount = Math.max(0, ...[...mix.keys()].map((kind) => tokensOf[kind] ?? 0));
  const tokens = times(tokenCount, () => create('LoadToken', 1_200_000n));
  return {
    tokens,
    storage: mix.has('storage_write') ? create('LoadStorage', 300_000n) : null,
    pools: times(mix.get('swap') ?? 0, () => create('LoadPool', 1_500_000n, tokens[0]!, tokens[1]!)),
    trader: mix.has('contract_batch') ? create('LoadTrader', 800_000n) : null,
    creations,
  };
}

/** Address of the contract that a plain transaction of an account creates, by the transaction's nonce. */
export const createdBy = (creator: Address, nonce: number): Address =>
  bytesToAddress(keccak256(encodeRlp([creator, nonce])).subarray(12));

/** What {@link contractsOf} creates, whoever deploys it. */
export const creationNames = (scenario: Scenario): readonly string[] =>
  contractsOf(scenario, zeroAddress).creations.map(({ name }) => name);
