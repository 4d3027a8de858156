import { readActionResults, readEvents, readExecuted, readLastApplied, readReceipts } from '@prime/chain';
import {
  type ActionResult,
  type ContractAction,
  type DomainEvent,
  type Genesis,
  statePrefix,
  type VerifiedAction,
  verifyNativeTransaction,
} from '@prime/codec';
import { homePaths } from '@prime/config';
import { contractActionOf, contractWritesOf } from '@prime/contracts';
import { createCryptoProvider } from '@prime/crypto';
import type { StateDatabase } from '@prime/evm';
import type { ModelAction } from '@prime/model';
import type { Hash, Height } from '@prime/primitives';
import { openBlockStore, openStateDatabase } from '@prime/storage';
import { SoakFault } from './soakNetwork.ts';

/** A block as a validator keeps it: what was decided, and what its own execution made of it. */
export interface DecidedBlock {
  readonly height: number;
  readonly timeMs: number;
  readonly hash: Hash;
  readonly stateRoot: Hash;
  readonly actions: readonly VerifiedAction[];
  /** What contracts asked for in the block before. */
  readonly writes: readonly ContractAction[];
  readonly results: readonly ActionResult[];
  readonly events: readonly DomainEvent[];
  readonly transactions: number;
  /** Contracts that its transactions made. */
  readonly deployed: number;
  /** Transactions to a contract, and of those that failed. */
  readonly called: number;
  readonly reverted: number;
}

/** What is on the disk of a validator that does not run. */
export interface StoredChain {
  readonly head: number;
  readonly blocks: readonly DecidedBlock[];
  /** Of the order book, at the head. */
  readonly records: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  /** State root of every height from the first one on that was asked for. */
  readonly roots: ReadonlyMap<number, Hash>;
}

/** @param from first height @param whole whether blocks are decoded, or only their roots */
export async function readStoredChain(
  home: string,
  genesis: Genesis,
  { from, whole }: { readonly from: number; readonly whole: boolean },
): Promise<StoredChain> {
  const paths = homePaths(home);
  const state = await openStateDatabase(paths.state);
  try {
    const head = readLastApplied(state);
    if (head === null) throw new SoakFault(`${home} has no state`);
    const roots = new Map<number, Hash>();
    for (let height = from; height <= head; height++) roots.set(height, executedAt(state, height, home).stateRoot);
    const blocks = whole ? await readBlocks(paths.blocks, state, genesis, { from, to: head }) : [];
    const records: [Uint8Array, Uint8Array][] = [];
    for await (const [key, value] of state.entries(Uint8Array.of(statePrefix.clobRecord)))
      records.push([key.slice(1), value]);
    return { head, blocks, records, roots };
  } finally {
    await state.close();
  }
}

function executedAt(
  state: StateDatabase,
  height: number,
  home: string,
): { readonly hash: Hash; readonly stateRoot: Hash } {
  const executed = readExecuted(state, height as Height);
  if (executed === null) throw new SoakFault(`${home} has no results of block ${height}`);
  return { hash: executed.hash, stateRoot: executed.roots.stateRoot };
}

async function readBlocks(
  folder: string,
  state: StateDatabase,
  genesis: Genesis,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<DecidedBlock[]> {
  const store = await openBlockStore(folder, { readonly: true });
  try {
    const blocks: DecidedBlock[] = [];
    for (let height = from; height <= to; height++) {
      const stored = store.get(height as Height);
      const { hash, stateRoot } = executedAt(state, height, folder);
      if (stored?.hash !== hash) throw new SoakFault(`block ${height} is ${stored?.hash}, executed was ${hash}`);
      const before = readReceipts(state, (height - 1) as Height) ?? [];
      const receipts = readReceipts(state, height as Height) ?? [];
      blocks.push({
        height,
        timeMs: stored.block.header.timestampMs,
        hash,
        stateRoot,
        actions: stored.block.actions.map((raw) => verified(raw, genesis.chainId, height)),
        writes: contractWritesOf(before).map(contractActionOf),
        results: readActionResults(state, height as Height) ?? [],
        events: readEvents(state, height as Height),
        transactions: receipts.length,
        deployed: receipts.filter(({ contractAddress }) => contractAddress !== null).length,
        called: receipts.filter(({ gasUsed }) => gasUsed > 21_000n).length,
        reverted: receipts.filter(({ status }) => status === 0).length,
      });
    }
    return blocks;
  } finally {
    await store.close();
  }
}

const provider = await createCryptoProvider();

function verified(raw: Uint8Array, chainId: number, height: number): VerifiedAction {
  const action = verifyNativeTransaction(raw, chainId, provider);
  if ('failure' in action) throw new SoakFault(`block ${height} holds an action with ${action.failure}`);
  return action;
}

/** More wei than there are: what a plan asks for when it is to be refused for lack of funds. */
export const beyondAllWei = 10n ** 40n;

/** An action as the model takes it. All that the plan brings into the book is there, unless it is {@link beyondAllWei}. */
export function modelAction({ signer, transaction }: VerifiedAction): ModelAction {
  const { account, payload, signatureKind, nonce, expiresAt } = transaction;
  const brings = payload.type === 'deposit' || payload.type === 'enqueueEvmToOrders';
  return {
    account,
    payload,
    signer,
    nonce,
    expiresAt,
    signatureKind: signatureKind === 'eip712' ? 'raw' : signatureKind,
    funded: !brings || payload.amount < beyondAllWei,
  };
}
