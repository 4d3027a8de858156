import type { Block } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import type { VM } from '@ethereumjs/vm';
import type { AccountOverride, BlockOverrides, StateContext } from '@prime/codec';
import { type Address, compareStrings } from '@prime/primitives';
import { libraryBlock } from '../block/environment.ts';
import { emptyAccount } from '../state/account.ts';
import { bytesOf, trimWord } from '../state/bytes.ts';
import type { StateOverlay } from '../state/overlay.ts';

function replaceStorage(overlay: StateOverlay, address: Address): void {
  overlay.clearStorage(address);
  const account = overlay.account(address);
  if (account !== null) overlay.setAccount(address, { ...account, storageRoot: emptyAccount.storageRoot });
}

/** Puts what a call assumes about accounts into its state. Storage that is replaced is the original one of the call (EIP-2200). */
export function overrideAccounts(overlay: StateOverlay, overrides: readonly AccountOverride[]): void {
  for (const { address, nonce, balance, code, state, stateDiff } of overrides) {
    if (nonce !== null || balance !== null) {
      const account = overlay.account(address) ?? emptyAccount;
      overlay.setAccount(address, {
        ...account,
        nonce: nonce ?? account.nonce,
        balance: balance ?? account.balance,
      });
    }
    if (code !== null) overlay.setCode(address, code);
    if (state !== null) replaceStorage(overlay, address);
    for (const { slot, value } of state ?? stateDiff ?? []) overlay.setSlot(address, slot, trimWord(bytesOf(value)));
  }
  overlay.clearOriginals();
}

type Precompiles = VM['evm']['precompiles'];

/** Why precompiles can not be moved, in go-ethereum's words. */
export interface MoveRefusal {
  readonly refusal: string;
  /** A precompile that is moved to where it is: a number of its own in the specification of eth_simulateV1. */
  readonly isSelfReference: boolean;
}

const precompileKey = (address: Address): string => address.slice(2);
const byAddress = (a: AccountOverride, b: AccountOverride): number => compareStrings(a.address, b.address);

/**
 * The precompiles as a call assumes them: moved ones answer at their new address, and an address whose code is overridden runs
 * that code. Of several that are moved to one address the last one answers there, in the order of their own addresses.
 */
export function overridePrecompiles(
  present: Precompiles,
  overrides: readonly AccountOverride[],
): Precompiles | MoveRefusal {
  if (overrides.every(({ address, movePrecompileTo }) => movePrecompileTo === null && !isPrecompile(present, address)))
    return present;
  const precompiles = new Map(present);
  const overridden = new Set(overrides.map(({ address }) => address));
  for (const { address, code, movePrecompileTo } of overrides.toSorted(byAddress)) {
    if (movePrecompileTo !== null) {
      const refused = (refusal: string): MoveRefusal => ({ refusal, isSelfReference: address === movePrecompileTo });
      const precompile = present.get(precompileKey(address));
      if (precompile === undefined)
        return { ...refused(`account ${address} is not a precompile`), isSelfReference: false };
      if (overridden.has(movePrecompileTo)) return refused(`account ${movePrecompileTo} is already overridden`);
      precompiles.set(precompileKey(movePrecompileTo), precompile);
      precompiles.delete(precompileKey(address));
    } else if (code !== null) precompiles.delete(precompileKey(address));
  }
  usualOf.set(precompiles, present);
  return precompiles;
}

const usualOf = new WeakMap<Precompiles, Precompiles>();

/** The precompiles of the chain, which overridden ones were made from. */
export const usualPrecompiles = (precompiles: Precompiles): Precompiles => usualOf.get(precompiles) ?? precompiles;

const isPrecompile = (precompiles: Precompiles, address: Address): boolean => precompiles.has(precompileKey(address));

/** Runs work with other precompiles, and puts the usual ones back. */
export async function withPrecompiles<T>(vm: VM, precompiles: Precompiles, work: () => Promise<T>): Promise<T> {
  const evm = vm.evm as unknown as { _precompiles: Precompiles };
  const usual = evm._precompiles;
  evm._precompiles = precompiles;
  try {
    return await work();
  } finally {
    evm._precompiles = usual;
  }
}

/** The state and header of a call with what it assumes about its block. */
export const overrideContext = (at: StateContext, overrides: BlockOverrides): StateContext => ({
  ...at,
  height: overrides.height ?? at.height,
  timestampMs: overrides.timestampMs ?? at.timestampMs,
  proposer: overrides.feeRecipient ?? at.proposer,
  gasLimit: overrides.gasLimit ?? at.gasLimit,
  baseFee: overrides.baseFee ?? at.baseFee,
});

/** Makes the library's block for a call. */
export type BlockOf = (at: StateContext, overrides: BlockOverrides, baseFee: bigint) => Block;

/** Blocks that are kept, since calls ask for the same few again and again. */
const keptBlocksMax = 16;

/** Keeps the blocks of the last few calls, at most 16, since making one takes longer than many calls do. */
export function createBlocks(common: Common): BlockOf {
  const kept = new Map<string, Block>();
  return (at, { prevRandao, blobBaseFee }, baseFee) => {
    const { height, timestampMs, proposer, gasLimit, parentHash } = at;
    const key = [height, timestampMs, proposer, gasLimit, baseFee, parentHash, prevRandao, blobBaseFee].join(' ');
    let block = kept.get(key);
    if (block === undefined) {
      block = libraryBlock({ ...at, baseFee, prevRandao: prevRandao ?? parentHash }, common, blobBaseFee);
      if (kept.size >= keptBlocksMax) kept.clear();
      kept.set(key, block);
    }
    return block;
  };
}
