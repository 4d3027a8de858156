import { checkSignerNonce, type VerifiedAction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { AccountShares, type Share } from './accountShares.ts';
import type { Drained } from './commit.ts';
import { DrainLimit, type DrainRequest } from './drainLimit.ts';
import { checkSize, refuse } from './errors.ts';
import { LatestReports } from './latestReports.ts';
import type { MempoolLimits } from './options.ts';

/**
 * Waiting native actions. Places are given by arrival, so nobody can buy a better one; within a signer's places its actions stand
 * in the order of their nonces, so that gossip which overtakes itself does not reorder what one client sent.
 */
export interface ActionPool {
  /** @param isLocal whether it came from a client of this node */
  add(action: VerifiedAction, isLocal: boolean): void;
  get(hash: Hash): VerifiedAction | null;
  select(selection: ActionSelection): VerifiedAction[];
  /** Takes out what a block included, and what expired by its time. */
  commit(included: readonly Hash[], timestampMs: number): Drained;
  readonly drain: DrainLimit;
  values(): Iterable<VerifiedAction>;
  readonly count: number;
  readonly bytes: number;
}

/** Room that a block has for actions. */
export interface ActionSelection {
  readonly maxBytes: number;
  readonly maxCount: number;
}

/** @param sizeMax bytes of an action that still fits into a block */
export function createActionPool(limits: MempoolLimits, sizeMax: number): ActionPool {
  // Insertion order is order of arrival.
  const byHash = new Map<Hash, VerifiedAction>();
  /** By nonce ascending. */
  const bySigner = new Map<Address, VerifiedAction[]>();
  const drain = new DrainLimit(limits.drainMs, 'actions');
  const shares = new AccountShares();
  const reports = new LatestReports();
  const committed = createRememberedHashes(limits.rememberedActions);
  let bytes = 0;
  let blockTimeMs = 0;

  const check = (action: VerifiedAction): void => {
    if (byHash.has(action.hash) || committed.has(action.hash))
      refuse('already known', { code: 'MEMPOOL_ALREADY_KNOWN' });
    checkSize('action', action.raw.length, sizeMax);
    checkEnd(action, blockTimeMs);
    checkPlace(byHash.size, bytes + action.raw.length, limits);
  };

  const remove = (removed: readonly VerifiedAction[]): void => {
    const signers = new Set<Address>();
    for (const action of removed) {
      shares.take(action);
      byHash.delete(action.hash);
      bytes -= action.raw.length;
      signers.add(action.signer);
    }
    for (const signer of signers) keepOnly(bySigner, signer, byHash);
  };

  return {
    add(action, isLocal) {
      check(action);
      if (isLocal) drain.check(drainRequest(action, shares.of(action.transaction.account), bytes, limits));
      const replaced = reports.replacedBy(action);
      const queue = bySigner.get(action.signer) ?? [];
      checkSigner(action, queue.length, limits);
      insertByNonce(queue, action);
      bySigner.set(action.signer, queue);
      byHash.set(action.hash, action);
      shares.add(action);
      bytes += action.raw.length;
      reports.note(action);
      if (replaced !== null && byHash.has(replaced.hash)) remove([replaced]);
    },
    get: (hash) => byHash.get(hash) ?? null,
    select: (selection) => selectActions(byHash.values(), bySigner, selection),
    commit(included, timestampMs) {
      blockTimeMs = Math.max(blockTimeMs, timestampMs);
      const removed: VerifiedAction[] = [];
      let taken = 0;
      for (const hash of included) {
        committed.add(hash);
        const action = byHash.get(hash);
        if (action === undefined) continue;
        removed.push(action);
        taken += action.raw.length;
      }
      remove(removed);
      remove([...byHash.values()].filter((action) => isExpired(action, blockTimeMs)));
      drain.onDrained(taken);
      return { taken, remaining: bytes };
    },
    drain,
    values: () => byHash.values(),
    get count() {
      return byHash.size;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** Drops what is in the pool no more from the queue of a signer. */
function keepOnly(
  bySigner: Map<Address, VerifiedAction[]>,
  signer: Address,
  pool: ReadonlyMap<Hash, VerifiedAction>,
): void {
  const kept = bySigner.get(signer)!.filter(({ hash }) => pool.has(hash));
  if (kept.length > 0) bySigner.set(signer, kept);
  else bySigner.delete(signer);
}

/** @param count of those that wait @param bytes with the new one @throws MempoolError `MEMPOOL_FULL` */
function checkPlace(count: number, bytes: number, { actionCountMax, actionBytesMax }: MempoolLimits): void {
  if (count >= actionCountMax || bytes > actionBytesMax)
    refuse('txpool is full: too many actions wait', {
      code: 'MEMPOOL_FULL',
      limit: `${actionCountMax} actions, ${actionBytesMax} bytes`,
    });
}

/** @throws MempoolError `MEMPOOL_ACCOUNT_LIMIT` */
function checkSigner({ signer }: VerifiedAction, waiting: number, { signerActionsMax }: MempoolLimits): void {
  if (waiting >= signerActionsMax)
    refuse(`account limit exceeded: ${signerActionsMax} actions of ${signer} wait`, {
      code: 'MEMPOOL_ACCOUNT_LIMIT',
      limit: signerActionsMax,
    });
}

/**
 * Part of the room of actions that any may fill; the rest is for what ends orders and positions, which must not wait for what opens them, and for
 * prices from outside.
 */
const usualPart = 4 / 5;

/** @param ahead bytes that wait */
function drainRequest(
  { raw, facts: { type, lowersRisk } }: VerifiedAction,
  { count, bytes: own }: Share,
  ahead: number,
  { senderGuaranteed }: MempoolLimits,
): DrainRequest {
  const part = lowersRisk || type === 'oracleReport' ? 1 : usualPart;
  return { work: raw.length, ahead, own, isFirst: count < senderGuaranteed, part };
}

/** @throws MempoolError MEMPOOL_ACTION_EXPIRED */
function checkEnd(action: VerifiedAction, blockTimeMs: number): void {
  const { expiresAt } = action.transaction;
  if (isExpired(action, blockTimeMs))
    refuse(`action expired at ${expiresAt}, block time is ${blockTimeMs}`, {
      code: 'MEMPOOL_ACTION_EXPIRED',
      expiresAt,
    });
}

/** Its own end, or that of the window of its nonce. */
const isExpired = ({ transaction: { expiresAt, nonce, signatureKind } }: VerifiedAction, timeMs: number): boolean =>
  (expiresAt !== 0 && expiresAt < timeMs) ||
  (signatureKind !== 'gateway' && checkSignerNonce([], nonce, timeMs) === 'too old');

function insertByNonce(queue: VerifiedAction[], action: VerifiedAction): void {
  const { nonce } = action.transaction;
  let place = queue.length;
  // Nearly always the last place: clients send in order.
  while (place > 0 && queue[place - 1]!.transaction.nonce >= nonce) place--;
  if (queue[place]?.transaction.nonce === nonce)
    refuse(`an action of ${action.signer} with nonce ${nonce} waits already`, {
      code: 'MEMPOOL_ACTION_NONCE_TAKEN',
      nonce,
    });
  queue.splice(place, 0, action);
}

function selectActions(
  arrivals: Iterable<VerifiedAction>,
  bySigner: ReadonlyMap<Address, readonly VerifiedAction[]>,
  { maxBytes, maxCount }: ActionSelection,
): VerifiedAction[] {
  const selected: VerifiedAction[] = [];
  const taken = new Map<Address, number>();
  let bytes = 0;
  for (const { signer } of arrivals) {
    if (selected.length >= maxCount) break;
    const index = taken.get(signer) ?? 0;
    const action = bySigner.get(signer)![index]!;
    taken.set(signer, index + 1);
    // What is too long for any block is passed over; what is only too long for this one keeps its place and ends the block.
    if (action.raw.length > maxBytes) continue;
    if (bytes + action.raw.length > maxBytes) break;
    bytes += action.raw.length;
    selected.push(action);
  }
  return selected;
}

/** A set of hashes that forgets the oldest: two generations of `size`, the older one dropped when the younger is full. */
function createRememberedHashes(size: number): { has(hash: Hash): boolean; add(hash: Hash): void } {
  let young = new Set<Hash>();
  let old = new Set<Hash>();
  return {
    has: (hash) => young.has(hash) || old.has(hash),
    add(hash) {
      young.add(hash);
      if (young.size < size) return;
      old = young;
      young = new Set();
    },
  };
}
