import type { Block, ExecutableBlock, ProtocolRules, StoredBlock } from '@prime/codec';
import { bytesEqual, type Height } from '@prime/primitives';
import { verifyWholeBlock } from '../block/candidates.ts';
import type { ChainTip } from './chainTip.ts';
import { storeBehind, storeCorrupt } from '../errors.ts';
import { judgeBlock } from '../block/judgeBlock.ts';
import type { EngineLog } from '../log.ts';
import type { BlockStore, Execution, SignStateRecord, SignStateStore, Verifier, Wal } from '../ports.ts';
import { decodeWalEntry } from '../wal/walEntry.ts';

/** What a node does with what it finds on its disk when it starts. */

/** What a node brings into agreement when it starts: stored blocks, executed state and the record of its signatures. */
export interface RecoveryParts {
  readonly tip: ChainTip;
  readonly execution: Execution;
  readonly blocks: BlockStore;
  readonly signState: SignStateStore;
  readonly log: EngineLog;
  /** Executes a stored block for good; the tip is at its height then. */
  readonly apply: (stored: StoredBlock) => Promise<void>;
}

/**
 * Re-executes what the state lacks of the stored blocks, then checks that blocks and signatures fit together.
 *
 * @throws EngineError `ENGINE_STORE_BEHIND`, `ENGINE_STORE_CORRUPT`, and what applying a block throws
 */
export async function recoverBlocks({ tip, execution, blocks, signState, log, apply }: RecoveryParts): Promise<void> {
  const status = await execution.status();
  const stored = blocks.head();
  if (status.height > stored) throw storeBehind(stored, status.height);
  const signed = signState.read()?.height ?? 0;
  // Blocks were lost or restored. The signer signs nothing at or before its newest place, so they can be fetched again safely.
  if (signed > stored + 1)
    log.warn('blocks end before the newest signature: not voting until then', { stored, signed });
  tip.move(status, status.height === 0 ? null : blocks.get(status.height));
  while (tip.height < stored) {
    const next = blocks.get((tip.height + 1) as Height);
    if (next === null) throw storeCorrupt(`block ${tip.height + 1} is missing below the head ${stored}`);
    await apply(next);
  }
}

/**
 * Whether the log of the height in progress leads to where the node was.
 *
 * One that lacks the newest signature of its height lost what was synced: replayed, it would lead to a state without the lock that this
 * signature stands for. And one that was written under other rules than the height has now, because the program was exchanged or its
 * schedule changed, says of blocks what holds no more.
 *
 * @param newest signature of this height, null when there is none
 * @throws EngineError `ENGINE_STORE_CORRUPT`
 */
export function isReplayable(
  entries: readonly Uint8Array[],
  newest: SignStateRecord | null,
  { version }: ProtocolRules,
): boolean {
  // Nothing is signed before the height begins: a log that ends before has nothing that must not be lost.
  let isBegun = false;
  let isTorn = newest !== null;
  for (const bytes of entries) {
    const entry = decodeWalEntry(bytes);
    if (entry.kind === 'start') isBegun = entry.version === version;
    const message = entry.kind === 'vote' ? entry.vote : entry.kind === 'proposal' ? entry.proposal : null;
    if (newest !== null && message !== null && bytesEqual(message.signature, newest.signature)) isTorn = false;
  }
  return isBegun && !isTorn;
}

/**
 * The entries to replay: those of the log when it is of this height, leads to where the node was ({@link isReplayable}), and says of no block that it is
 * invalid which is not. The state that said so was wrong, and was made anew since: replayed, the log would end the node once more when the others
 * decide that block.
 *
 * @returns null where the height goes on from the sign state alone
 */
export async function replayable(
  log: ReturnType<Wal['replay']>,
  height: number,
  newest: () => SignStateRecord | null,
  tip: ChainTip,
  { execution, verifier }: { readonly execution: Pick<Execution, 'check'>; readonly verifier: Verifier },
): Promise<readonly Uint8Array[] | null> {
  const context = tip.context();
  if (log === null || log.height !== height || !isReplayable(log.entries, newest(), context.rules)) return null;
  for (const entry of log.entries.map(decodeWalEntry)) {
    if (entry.kind !== 'proposal' || entry.validity !== 'invalid') continue;
    const executable = await verifyOwnBlock(verifier, entry.block);
    const verdict = await judgeBlock(executable, { context, checkLastCommit: tip.checkLastCommit, execution }, 'keep');
    if (verdict.ok) return null;
  }
  // A remote signer may have told of a newer signature meanwhile.
  return isReplayable(log.entries, newest(), context.rules) ? log.entries : null;
}

/** A block that this node stored, with its signatures verified again. @throws EngineError `ENGINE_STORE_CORRUPT` */
export async function verifyOwnBlock(verifier: Verifier, block: Block): Promise<ExecutableBlock> {
  const whole = await verifyWholeBlock(verifier, block);
  if (whole.kind !== 'block') throw storeCorrupt('a stored block has an invalid transaction');
  return whole.executable;
}
