import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  verifiedAction,
  nativeTransactionType,
  type NativeTransaction,
  type VerifiedAction,
  type VerifiedTransaction,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Mempool } from '@prime/mempool';
import type { Address, Hash } from '@prime/primitives';
import { EngineError } from '../errors.ts';
import { createGossipBatch, createHashGossip, type HashGossip, hashesPerMessage } from './gossip.ts';
import { type LocalItem, LocalItems } from './localItems.ts';
import {
  type AccountReader,
  type Clock,
  type HotKey,
  isRemote,
  type PeerMessage,
  type VerificationFailure,
} from '../ports.ts';
import type { PooledKind } from './pooledExchange.ts';
import type { Relay } from '../peers/sentryPaths.ts';
import type { EngineStages } from '../stages.ts';
import type { VerifiedItems, VerifiedLane } from './verifiedItems.ts';
import { createVerifyQueue, isFailure } from './verifyQueue.ts';
import { createWork, type Work } from './work.ts';

/**
 * The way of a transaction or action into the mempool: looked up by its hash, signature check off this thread, admission, gossip.
 *
 * What came over RPC goes to all peers; what came from a validator does not, because validators form a full mesh and its sender told everyone.
 * Of what came from a follower, of what nobody took for a while and of what waits when a peer connects the hashes are told: most have it.
 */
export interface Intake {
  /**
   * Takes an EIP-2718 transaction, or a native one (0x50).
   *
   * @returns the hash once admitted @throws EngineError `ENGINE_INVALID_TRANSACTION`, `ENGINE_BUSY`, `ENGINE_ACTION_NONCE`,
   *         `ENGINE_SIGNER_UNAUTHORIZED`, `ENGINE_SIGNER_OWNS_NOTHING`; MempoolError
   */
  submitTransaction(raw: Uint8Array): Promise<Hash>;
  /** The same for one that must not wait behind a gap of nonces. @throws EngineError `ENGINE_NONCE_GAP` */
  submitReadyTransaction(raw: Uint8Array): Promise<Hash>;
  /** Signs an unsigned call with the gateway key. @throws EngineError `ENGINE_SIGNATURE_REQUIRED`, `ENGINE_ACCOUNT_LOCKED`; MempoolError */
  submitAction(account: Address, payload: ActionPayload): Promise<Hash>;
  onGossip(message: PeerMessage & { readonly kind: 'transactions' | 'actions' }, relay: Relay): void;
  /** What peers may ask for. */
  readonly pooled: Readonly<Record<'transactions' | 'actions', PooledKind>>;
  /** Bytes that wait for their signature check, or are in it. */
  waiting(hash: Hash): Uint8Array | null;
  /** A block is committed. */
  onCommit(transactions: readonly Hash[], actions: readonly Hash[]): void;
  /** Tells the peers again of what this node's clients sent and no block took for a while, and takes back what was evicted. */
  remind(): void;
  /** Tells a new peer what waits here, up to a bound. */
  offer(send: (message: PeerMessage) => void): void;
}

/** What items pass on their way into the mempool: checks of signature, nonce and owner, by what the newest block says. */
export interface IntakeOptions {
  readonly chainId: number;
  readonly mempool: Mempool;
  readonly accounts: AccountReader;
  readonly items: Pick<VerifiedItems, 'transactions' | 'actions'>;
  readonly clock: Clock;
  /** Time of the newest block: an own clock that is behind it would let what is vouched for here expire at once. */
  readonly headTimeMs: () => number;
  /** The key that vouches for unsigned calls; null where genesis wants signatures, or on a node that is no validator now. */
  readonly gatewaySigner: () => HotKey | null;
  /** Throws what the order book would answer to the action's nonce or signer. */
  readonly checkAuthority: (action: VerifiedAction) => void;
  /**
   * Throws when the action's signer has nothing on this chain. Not asked about what a validator passed on: it has asked, by a block that may
   * be newer than this node's, and what somebody does first comes right after the block that brought him something.
   */
  readonly checkOwner: (action: VerifiedAction) => void;
  /** Whether the action's signer may speak for its account as far as consensus can tell. */
  readonly mayVouch: (action: VerifiedAction) => boolean;
  readonly broadcast: (message: PeerMessage) => void;
  /** The mempool has something for a proposal, and the peers were told of it. */
  readonly onWork: () => void;
  readonly stages: Pick<EngineStages, 'pooled'>;
  readonly onFatal: (error: unknown) => void;
}

/** How long an unsigned call may wait for its block before it is never executed, ms. */
const gatewayActionLifetimeMs = 30_000;

/** What is verified goes into the mempool, or is refused with its words. */
function admissions(
  { mempool, accounts, mayVouch, checkAuthority, checkOwner, stages }: IntakeOptions,
  work: Pick<Work, 'admitted'>,
) {
  return {
    admitTransaction(verified: VerifiedTransaction, origin: 'local' | 'peer'): void {
      mempool.addTransaction(verified, accounts.account(verified.sender), origin);
      stages.pooled(verified.hash);
      work.admitted();
    },
    /** @param isVouched whether a validator passed it on */
    admitAction(verified: VerifiedAction, origin: 'local' | 'peer', isVouched = false): void {
      if (!mayVouch(verified))
        throw new EngineError(`${verified.signer} is no validator that could vouch for an unsigned action`, {
          code: 'ENGINE_SIGNATURE_REQUIRED',
        });
      checkAuthority(verified);
      if (!isVouched) checkOwner(verified);
      mempool.addAction(verified, origin);
      stages.pooled(verified.hash);
      work.admitted();
    },
  };
}

function createLanes(
  { mempool, items, broadcast, onFatal }: IntakeOptions,
  hashes: HashGossip,
  { gossiped }: Pick<Work, 'gossiped'>,
  { admitTransaction, admitAction }: ReturnType<typeof admissions>,
) {
  const shared = { broadcast, hashes, gossiped, onFatal };
  return {
    transactions: createLane<VerifiedTransaction>({
      kind: 'transactions',
      items: items.transactions,
      isPooled: (hash) => mempool.transaction(hash) !== null,
      admit: (verified) => admitTransaction(verified, 'peer'),
      ...shared,
    }),
    actions: createLane<VerifiedAction>({
      kind: 'actions',
      items: items.actions,
      isPooled: (hash) => mempool.action(hash) !== null,
      admit: (verified, isVouched) => admitAction(verified, 'peer', isVouched),
      ...shared,
    }),
  };
}

/** Takes items of clients and peers. A client is told why its item is refused; a peer is told nothing. */
export function createIntake(options: IntakeOptions): Intake {
  const { mempool, items, clock, broadcast } = options;
  const local = new LocalItems();
  const track = (item: LocalItem): void => local.track(item, clock.monotonicMs());
  const work = createWork(options);
  const { admitTransaction, admitAction } = admissions(options, work);
  const hashes = createHashGossip('pooledHashes', broadcast);
  const lanes = createLanes(options, hashes, work, { admitTransaction, admitAction });
  const { transactions, actions } = lanes;
  /** From a client: the kind of signature that validators make among themselves is not for it. */
  const admitSigned = (verified: VerifiedAction): void => {
    if (verified.transaction.signatureKind === 'gateway') throw invalid('signature kind 2 is made by validators only');
    admitAction(verified, 'local');
    track({ kind: 'actions', item: verified });
  };
  const admitLocal = (verified: VerifiedTransaction): void => {
    admitTransaction(verified, 'local');
    track({ kind: 'transactions', item: verified });
  };
  const admitReady = (verified: VerifiedTransaction): void => {
    refuseGap(verified, options);
    admitLocal(verified);
  };
  const submit =
    (admit: (verified: VerifiedTransaction) => void) =>
    (raw: Uint8Array): Promise<Hash> =>
      raw[0] === nativeTransactionType ? actions.submit(raw, admitSigned) : transactions.submit(raw, admit);
  const nowMs = (): number => Math.max(clock.nowMs(), options.headTimeMs());
  const nonces = createNonceSource(nowMs);

  return {
    submitTransaction: submit(admitLocal),
    submitReadyTransaction: submit(admitReady),
    /** What is signed here needs no check; the calls of one turn share a gossip message. */
    async submitAction(account, payload) {
      const signed = signAction(options, {
        nonce: nonces(),
        expiresAt: nowMs() + gatewayActionLifetimeMs,
        account,
        payload,
      });
      // Without a turn of the event loop where the key is here.
      const action = 'then' in signed ? await signed : signed;
      items.actions.add(action);
      admitAction(action, 'local');
      track({ kind: 'actions', item: action });
      actions.gossip.add(action.raw);
      await Promise.resolve();
      actions.flush();
      return action.hash;
    },
    onCommit(...committed) {
      for (const hashes of committed) local.forget(hashes);
    },
    remind() {
      for (const item of local.due(clock.monotonicMs(), hashesPerMessage))
        if (stillWaits(item, options, admitTransaction)) hashes.add(item.kind, item.item.hash);
        else local.forget([item.item.hash]);
      hashes.flush();
      work.gossiped();
    },
    offer: (send) => offer(mempool, send),
    onGossip: (message, relay) => lanes[message.kind].take(message.raws, relay),
    pooled: { transactions: transactions.pooled(local), actions: actions.pooled(local) },
    waiting: (hash) => transactions.waiting(hash) ?? actions.waiting(hash),
  };
}

/** @throws EngineError `ENGINE_NONCE_GAP` for what would wait for another transaction of its sender */
function refuseGap({ sender, nonce }: VerifiedTransaction, { mempool, accounts }: IntakeOptions): void {
  const nextNonce = mempool.pendingNonce(sender) ?? accounts.account(sender).nonce;
  if (nonce <= nextNonce) return;
  const words = `nonce too high: next nonce ${nextNonce}, tx nonce ${nonce}; it was not added to the pool`;
  throw new EngineError(words, { code: 'ENGINE_NONCE_GAP', nextNonce, nonce });
}

/** What a new peer is told of the mempool at most: as many as can wait for their check there. */
const offeredHashesMax = 8_192;

function offer(mempool: Mempool, send: (message: PeerMessage) => void): void {
  const hashes = createHashGossip('pooledHashes', send);
  let left = offeredHashesMax;
  for (const { hash, kind } of mempool.content()) {
    if (left-- === 0) break;
    hashes.add(kind === 'transaction' ? 'transactions' : 'actions', hash);
  }
  hashes.flush();
}

/** Whether a block may still take it; an evicted transaction tries to come back. */
function stillWaits(
  { kind, item }: LocalItem,
  { mempool, accounts }: IntakeOptions,
  admit: (transaction: VerifiedTransaction, origin: 'local') => void,
): boolean {
  if (kind === 'actions') return mempool.action(item.hash) !== null;
  if (mempool.transaction(item.hash) !== null) return true;
  if (accounts.account(item.sender).nonce > item.nonce) return false;
  try {
    admit(item, 'local');
    return true;
  } catch (error) {
    // Replaced by its sender: that one is tracked by itself. Anything else may be over the next time.
    return (error as { code?: unknown }).code !== 'MEMPOOL_REPLACEMENT_UNDERPRICED';
  }
}

const invalid = (reason: string): EngineError =>
  new EngineError(reason, { code: 'ENGINE_INVALID_TRANSACTION', reason });

interface LaneOptions<Verified> {
  readonly kind: 'transactions' | 'actions';
  readonly items: VerifiedLane<Verified>;
  readonly isPooled: (hash: Hash) => boolean;
  /** From a peer. @param isVouched whether that is a validator */
  readonly admit: (verified: Verified, isVouched: boolean) => void;
  readonly broadcast: (message: PeerMessage) => void;
  readonly hashes: HashGossip;
  /** What a batch told the peers is with the network. */
  readonly gossiped: () => void;
  readonly onFatal: (error: unknown) => void;
}

/** The way in of one kind: a look for its hash, signature check in batches, admission, and gossip after each batch. */
function createLane<Verified extends { readonly hash: Hash; readonly raw: Uint8Array }>(
  options: LaneOptions<Verified>,
) {
  const { kind, items, hashes } = options;
  const gossip = createGossipBatch(kind, options.broadcast);
  const flush = (): void => {
    gossip.flush();
    hashes.flush();
    options.gossiped();
  };
  const queue = createVerifyQueue<Verified>((...batch) => items.verify(...batch), flush, options.onFatal);
  const relays: Readonly<Record<Relay, (verified: Verified) => void>> = {
    bodies: ({ raw }) => gossip.add(raw),
    hashes: ({ hash }) => hashes.add(kind, hash),
    nothing: ignore,
  };
  /** Settles sooner or later. @throws EngineError `ENGINE_BUSY` */
  const enter = (raw: Uint8Array, hash: Hash, done: Settle<Verified>): void => {
    const known = items.find(hash);
    if (known === null) return queue.push(raw, hash, done);
    done(known);
    flush();
  };
  return {
    gossip,
    flush,
    /** From a client. */
    submit: (raw: Uint8Array, admit: (verified: Verified) => void): Promise<Hash> =>
      new Promise((resolve, reject) => {
        attempt(() => enter(raw, keccakHex(raw), settle(admit, relays.bodies, resolve, reject)), reject);
      }),
    /** From a peer. */
    take(raws: readonly Uint8Array[], relay: Relay): void {
      const admit = (verified: Verified): void => options.admit(verified, relay === 'nothing');
      const done = settle(admit, relays[relay], ignore, ignore);
      for (const raw of raws) {
        const hash = keccakHex(raw);
        if (!options.isPooled(hash) && queue.waiting(hash) === null) attempt(() => enter(raw, hash, done), ignore);
      }
    },
    waiting: queue.waiting,
    /** What peers may ask for. @param local what this node's clients sent, which may be in no pool now */
    pooled: (local: LocalItems): PooledKind => ({
      // What was verified and is in no pool may have been refused here: whoever reminds of it has it admitted again.
      isKnown: (hash) => options.isPooled(hash) || queue.waiting(hash) !== null,
      bytes: (hash) => (items.find(hash) ?? local.find(hash))?.raw ?? null,
      room: () => queue.room,
    }),
  };
}

const ignore = (): void => undefined;

type Settle<Verified> = (result: Verified | VerificationFailure) => void;

function attempt(work: () => void, reject: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    reject(error);
  }
}

/** Admission of one verified item: an answer for the submitter, gossip for the others. */
function settle<Verified extends { readonly hash: Hash }>(
  admit: (verified: Verified) => void,
  relay: (verified: Verified) => void,
  resolve: (hash: Hash) => void,
  reject: (error: unknown) => void,
): Settle<Verified> {
  return (result) => {
    if (isFailure(result)) {
      reject(invalid(result.failure));
      return;
    }
    attempt(() => {
      admit(result);
      relay(result);
      resolve(result.hash);
    }, reject);
  };
}

/**
 * Gateway nonces are consecutive, because the order book remembers a window of nonces and not of time. They begin at the time of the first
 * one in microseconds, so they are also larger than those before a restart.
 */
function createNonceSource(nowMs: () => number): () => number {
  let last: number | null = null;
  return () => {
    last = (last ?? nowMs() * 1000) + 1;
    return last;
  };
}

/** @throws EngineError `ENGINE_SIGNATURE_REQUIRED`, `ENGINE_SIGNER_AWAY` */
function signAction(
  { chainId, gatewaySigner }: IntakeOptions,
  fields: Pick<NativeTransaction, 'nonce' | 'expiresAt' | 'account' | 'payload'>,
): VerifiedAction | Promise<VerifiedAction> {
  const key = gatewaySigner();
  if (key === null) throw new EngineError('signature required', { code: 'ENGINE_SIGNATURE_REQUIRED' });
  const unsigned: Omit<NativeTransaction, 'signature'> = { chainId, signatureKind: 'gateway', ...fields };
  const sealed = (signature: Uint8Array): VerifiedAction => {
    const transaction: NativeTransaction = { signature, ...unsigned };
    return verifiedAction(encodeNativeTransaction(transaction), key.address, transaction);
  };
  if (!isRemote(key)) return sealed(key.sign(nativeSigningDigest(unsigned)));
  return key.signAction(encodeNativeTransaction({ signature: noSignature, ...unsigned })).then(sealed, signerAway);
}

/** The cause is for this node's operator: callers and peers are not told where the signer is and how it is pinned. */
function signerAway(cause: unknown): never {
  const words = 'this node can not vouch for unsigned calls now: try again later, sign the action, or ask another node';
  throw new EngineError(words, { code: 'ENGINE_SIGNER_AWAY' }, { cause });
}

/** In place of a signature that is still to be made. */
const noSignature = new Uint8Array(65);
