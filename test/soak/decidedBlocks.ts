import { type DecidedBlock, type ExecutedTransaction, type OutsideFacts, verifiedAction } from '@prime/audit';
import { readActionResults, readEvents, readExecuted, readLastApplied, readReceipts } from '@prime/chain';
import { type Genesis, type Receipt, statePrefix, type VerifiedAction } from '@prime/codec';
import { homePaths } from '@prime/config';
import { contractActionOf, contractWritesOf } from '@prime/predeploy';
import { createCryptoProvider } from '@prime/crypto';
import type { StateDatabase } from '@prime/evm';
import { bytesToHex, type Hash, type Height } from '@prime/primitives';
import { openBlockStore, openStateDatabase } from '@prime/storage';
import { parseTransaction } from 'viem';
import { SoakFault } from './soakNetwork.ts';

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
        proposer: stored.block.header.proposer,
        baseFee: stored.block.header.baseFee,
        actions: stored.block.actions.map((raw) => verifiedAction(raw, { height, chainId: genesis.chainId, provider })),
        writes: contractWritesOf(before).map(contractActionOf),
        results: readActionResults(state, height as Height) ?? [],
        events: readEvents(state, height as Height),
        transactions: receipts.map((receipt, index) => executed(receipt, stored.block.transactions[index]!)),
      });
    }
    return blocks;
  } finally {
    await store.close();
  }
}

const provider = await createCryptoProvider();

/** Nonce and value stand in the transaction, the rest in its receipt. */
function executed(receipt: Receipt, raw: Uint8Array): ExecutedTransaction {
  const { nonce = 0, value = 0n } = parseTransaction(bytesToHex(raw) as `0x${string}`);
  const { transactionHash: hash, type, from, to, status, gasUsed, effectiveGasPrice, contractAddress, logs } = receipt;
  // A database gives parts of its own buffers.
  const own = logs.map((log) => ({ ...log, data: Uint8Array.from(log.data) }));
  return { hash, type, from, to, nonce, value, status, gasUsed, effectiveGasPrice, contractAddress, logs: own };
}

/** More wei than there are: what a plan asks for when it is to be refused for lack of funds. */
export const beyondAllWei = 10n ** 40n;

/** What is known of the plan: all that it brings into the book is there, unless it is {@link beyondAllWei}. Accounts of the plan hold something. */
export function plannedFacts({ transaction: { payload } }: VerifiedAction): OutsideFacts {
  const brings = payload.type === 'deposit' || payload.type === 'enqueueEvmToOrders';
  return { funded: !brings || payload.amount < beyondAllWei, outsider: false };
}
