import {
  type Block,
  type ExecutableBlock,
  headerHash,
  type VerifiedAction,
  type VerifiedTransaction,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
import type { Clock, PeerMessage, ProposalMessage, VerificationFailure, Verifier } from '../ports.ts';
import type { VerifiedItems } from '../submission/verifiedItems.ts';
import { isFailure } from '../submission/verifyQueue.ts';

/**
 * Turns a compact proposal into a block: bodies are known, come with the message, wait for their check here, or are asked for, first at the
 * peer that sent the proposal, then at the others in turn.
 */
export interface BlockAssembler {
  /** Resolves when the body is complete; null when the height ended first or a body is not what its hash says. */
  assemble(from: Address, message: ProposalMessage): Promise<Assembled>;
  onBodies(from: Address, message: PeerMessage & { readonly kind: 'bodies' }): void;
  /** Ends all requests of the height. */
  reset(): void;
}

/** A proposed block with its body; or why the body is not what the proposal says; or `abandoned`, when the height ended first. */
export type Assembled =
  | { readonly kind: 'block'; readonly executable: ExecutableBlock }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'abandoned' };

/** Where bodies of a proposed block are looked for: in the mempool, among those that wait for their check, and at peers. */
export interface AssemblerOptions {
  readonly items: Pick<VerifiedItems, 'transactions' | 'actions'>;
  /** Bytes that wait for their check. */
  readonly waiting: (hash: Hash) => Uint8Array | null;
  readonly clock: Clock;
  readonly peers: () => readonly Address[];
  readonly send: (to: Address, message: PeerMessage) => boolean;
}

/** Bodies up to this size travel inside the proposal: sending them costs less than asking for them. */
const inlineBodyBytesMax = 32 * 1024;
/** How long one peer may take to answer a request for bodies before the next is asked, ms. */
const bodiesTimeoutMs = 150;

interface Wanted {
  readonly raws: Map<Hash, Uint8Array>;
  readonly missing: Set<Hash>;
  complete(): void;
  cancelTimer(): void;
}

/** One for all heights: `reset` ends what belongs to the height that is over. */
export function createBlockAssembler(options: AssemblerOptions): BlockAssembler {
  const { items, waiting, clock } = options;
  const wanted = new Map<Hash, Wanted>();
  let abandonAll: (() => void)[] = [];

  /** Asks peers in turn until all bodies are here. */
  const fetchBodies = (
    from: Address,
    blockHash: Hash,
    hashes: readonly Hash[],
  ): Promise<Map<Hash, Uint8Array> | null> =>
    new Promise((resolve) => {
      let attempt = 0;
      let cancel = (): void => undefined;
      const entry: Wanted = {
        raws: new Map(),
        missing: new Set(hashes),
        complete: () => finish(entry.raws),
        cancelTimer: () => cancel(),
      };
      const finish = (raws: Map<Hash, Uint8Array> | null): void => {
        entry.cancelTimer();
        wanted.delete(blockHash);
        resolve(raws);
      };
      const ask = (): void => {
        const others = options.peers().filter((peer) => peer !== from);
        const order = [from, ...others];
        options.send(order[attempt % order.length]!, { kind: 'bodiesRequest', blockHash, hashes: [...entry.missing] });
        attempt += 1;
        cancel = clock.after(bodiesTimeoutMs, ask);
      };
      wanted.set(blockHash, entry);
      abandonAll.push(() => finish(null));
      ask();
    });

  const gather = async (from: Address, message: ProposalMessage): Promise<Assembled> => {
    const local = lookUp(items, message);
    const raws = bodiesHere(message, local, waiting);
    const missing = local.missing.filter((hash) => !raws.has(hash));
    if (missing.length > 0) {
      const fetched = await fetchBodies(from, message.proposal.blockHash, missing);
      if (fetched === null) return { kind: 'abandoned' };
      for (const [hash, raw] of fetched) raws.set(hash, raw);
    }
    return verifyBodies(items, message, local, raws);
  };

  return {
    assemble: oncePerBlock(gather),
    onBodies(_from, message) {
      const entry = wanted.get(message.blockHash);
      if (entry === undefined) return;
      for (const raw of [...message.transactions, ...message.actions]) {
        const hash = keccakHex(raw) as Hash;
        if (entry.missing.delete(hash)) entry.raws.set(hash, raw);
      }
      if (entry.missing.size === 0) entry.complete();
    },
    reset() {
      const abandon = abandonAll;
      abandonAll = [];
      for (const end of abandon) end();
    },
  };
}

/** A block may be proposed again, in a later round, before its bodies are here: both proposals wait for the same bodies. */
function oncePerBlock(gather: BlockAssembler['assemble']): BlockAssembler['assemble'] {
  const underWay = new Map<Hash, Promise<Assembled>>();
  return (from, message) => {
    const { blockHash } = message.proposal;
    const running = underWay.get(blockHash);
    if (running !== undefined) return running;
    const assembled = gather(from, message).finally(() => underWay.delete(blockHash));
    underWay.set(blockHash, assembled);
    return assembled;
  };
}

interface Local {
  readonly transactions: Map<Hash, VerifiedTransaction>;
  readonly actions: Map<Hash, VerifiedAction>;
  readonly missing: readonly Hash[];
}

type Items = AssemblerOptions['items'];

function lookUp(items: Items, message: ProposalMessage): Local {
  const transactions = new Map<Hash, VerifiedTransaction>();
  const actions = new Map<Hash, VerifiedAction>();
  const missing: Hash[] = [];
  for (const hash of message.transactionHashes) {
    const transaction = items.transactions.find(hash);
    if (transaction === null) missing.push(hash);
    else transactions.set(hash, transaction);
  }
  for (const hash of message.actionHashes) {
    const action = items.actions.find(hash);
    if (action === null) missing.push(hash);
    else actions.set(hash, action);
  }
  return { transactions, actions, missing };
}

/** Bytes of what is missing that came with the proposal, or before it. Those that are known are not hashed again. */
function bodiesHere(
  { bodies, transactionHashes, actionHashes }: ProposalMessage,
  { missing }: Local,
  waiting: (hash: Hash) => Uint8Array | null,
): Map<Hash, Uint8Array> {
  const raws = new Map<Hash, Uint8Array>();
  const wanted = new Set(missing);
  const take = (hashes: readonly Hash[], inline: readonly Uint8Array[]): void =>
    hashes.forEach((hash, index) => {
      if (!wanted.has(hash)) return;
      const sent = inline[index];
      const raw = waiting(hash) ?? (sent !== undefined && keccakHex(sent) === hash ? sent : null);
      if (raw !== null) raws.set(hash, raw);
    });
  take(transactionHashes, bodies?.transactions ?? []);
  take(actionHashes, bodies?.actions ?? []);
  return raws;
}

async function verifyBodies(
  items: Items,
  message: ProposalMessage,
  local: Local,
  raws: ReadonlyMap<Hash, Uint8Array>,
): Promise<Assembled> {
  const missing = (hashes: readonly Hash[], have: ReadonlyMap<Hash, unknown>): Hash[] =>
    hashes.filter((hash) => !have.has(hash));
  const bytesOf = (hashes: readonly Hash[]): Uint8Array[] => hashes.map((hash) => raws.get(hash)!);
  const newTransactions = missing(message.transactionHashes, local.transactions);
  const newActions = missing(message.actionHashes, local.actions);
  const [transactions, actions] = await Promise.all([
    newTransactions.length === 0 ? [] : items.transactions.verify(bytesOf(newTransactions), newTransactions),
    newActions.length === 0 ? [] : items.actions.verify(bytesOf(newActions), newActions),
  ]);
  const failure = collect(transactions, local.transactions) ?? collect(actions, local.actions);
  if (failure !== null) return { kind: 'invalid', reason: failure };
  const all = {
    transactions: message.transactionHashes.map((hash) => local.transactions.get(hash)!),
    actions: message.actionHashes.map((hash) => local.actions.get(hash)!),
  };
  const block: Block = {
    header: message.header,
    transactions: all.transactions.map(({ raw }) => raw),
    actions: all.actions.map(({ raw }) => raw),
    evidence: message.evidence,
    lastCommit: message.lastCommit,
  };
  return { kind: 'block', executable: { hash: message.proposal.blockHash, block, ...all } };
}

function collect<Verified extends { readonly hash: Hash }>(
  results: readonly (Verified | VerificationFailure)[],
  into: Map<Hash, Verified>,
): string | null {
  for (const result of results) {
    if (isFailure(result)) return result.failure;
    into.set(result.hash, result);
  }
  return null;
}

/** Verifies all signatures of a block that came whole: from the block store, the log, or a peer that is ahead. */
export async function verifyWholeBlock(verifier: Verifier, block: Block): Promise<Assembled> {
  const [transactions, actions] = await Promise.all([
    block.transactions.length === 0 ? [] : verifier.transactions(block.transactions),
    block.actions.length === 0 ? [] : verifier.actions(block.actions),
  ]);
  const verified = { transactions: [] as VerifiedTransaction[], actions: [] as VerifiedAction[] };
  for (const result of transactions) {
    if (isFailure(result)) return { kind: 'invalid', reason: result.failure };
    verified.transactions.push(result);
  }
  for (const result of actions) {
    if (isFailure(result)) return { kind: 'invalid', reason: result.failure };
    verified.actions.push(result);
  }
  return { kind: 'block', executable: { hash: headerHash(block.header), block, ...verified } };
}

/** The message that tells others of a block; bodies are inlined when they are small enough to spare a round trip. */
export function proposalMessage(proposal: ProposalMessage['proposal'], executable: ExecutableBlock): ProposalMessage {
  const { block } = executable;
  let bytes = 0;
  for (const raw of [...block.transactions, ...block.actions]) bytes += raw.length + 8;
  return {
    kind: 'proposal',
    proposal,
    header: block.header,
    evidence: block.evidence,
    lastCommit: block.lastCommit,
    transactionHashes: executable.transactions.map(({ hash }) => hash),
    actionHashes: executable.actions.map(({ hash }) => hash),
    bodies: bytes <= inlineBodyBytesMax ? { transactions: block.transactions, actions: block.actions } : null,
  };
}
