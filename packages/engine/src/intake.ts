import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  nativeTransactionHash,
  nativeTransactionType,
  type NativeTransaction,
  type VerifiedAction,
  type VerifiedTransaction,
} from '@prime/codec';
import type { Mempool } from '@prime/mempool';
import type { Address, Hash } from '@prime/primitives';
import { EngineError } from './errors.ts';
import { createGossipBatch } from './gossip.ts';
import { type LocalItem, LocalItems } from './localItems.ts';
import {
  type AccountReader,
  type Clock,
  type HotKey,
  isRemote,
  type PeerMessage,
  type VerificationFailure,
  type Verifier,
} from './ports.ts';
import type { EngineStages } from './stages.ts';
import { createVerifyQueue, isFailure } from './verifyQueue.ts';

/**
 * The way of a transaction or action into the mempool: signature check off this thread, admission, gossip.
 *
 * What came over RPC or from a follower goes to all peers; what came from a validator does not, because validators form a full
 * mesh and its sender told everyone.
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
  onGossip(message: PeerMessage & { readonly kind: 'transactions' | 'actions' }, relay: boolean): void;
  /** A block is committed. */
  onCommit(transactions: readonly Hash[], actions: readonly Hash[]): void;
  /** Tells the peers again of what this node's clients sent and no block took for a while, and takes back what was evicted. */
  remind(): void;
  /** Tells a new peer what waits here, up to a bound. */
  offer(send: (message: PeerMessage) => void): void;
}

export interface IntakeOptions {
  readonly chainId: number;
  readonly mempool: Mempool;
  readonly accounts: AccountReader;
  readonly verifier: Verifier;
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
  /** The mempool has something for a proposal. */
  readonly onWork: () => void;
  readonly stages: Pick<EngineStages, 'pooled'>;
  readonly onFatal: (error: unknown) => void;
}

/** How long an unsigned call may wait for its block before it is never executed, ms. */
const gatewayActionLifetimeMs = 30_000;

/** What is verified goes into the mempool, or is refused with its words. */
function admissions({ mempool, accounts, mayVouch, checkAuthority, checkOwner, onWork, stages }: IntakeOptions) {
  return {
    admitTransaction(verified: VerifiedTransaction, origin: 'local' | 'peer'): void {
      mempool.addTransaction(verified, accounts.account(verified.sender), origin);
      stages.pooled(verified.hash);
      onWork();
    },
    /** @param isVouched whether a validator passed it on */
    admitAction(verified: VerifiedAction, isVouched = false): void {
      if (!mayVouch(verified))
        throw new EngineError(`${verified.signer} is no validator that could vouch for an unsigned action`, {
          code: 'ENGINE_SIGNATURE_REQUIRED',
        });
      checkAuthority(verified);
      if (!isVouched) checkOwner(verified);
      mempool.addAction(verified);
      stages.pooled(verified.hash);
      onWork();
    },
  };
}

export function createIntake(options: IntakeOptions): Intake {
  const { mempool, verifier, clock, broadcast, onFatal } = options;
  const local = new LocalItems();
  const track = (item: LocalItem): void => local.track(item, clock.monotonicMs());
  const { admitTransaction, admitAction } = admissions(options);
  const transactions = createLane<VerifiedTransaction>({
    kind: 'transactions',
    verify: (raws) => verifier.transactions(raws),
    admit: (verified) => admitTransaction(verified, 'peer'),
    broadcast,
    onFatal,
  });
  const actions = createLane<VerifiedAction>({
    kind: 'actions',
    verify: (raws) => verifier.actions(raws),
    admit: admitAction,
    broadcast,
    onFatal,
  });
  /** From a client: the kind of signature that validators make among themselves is not for it. */
  const admitSigned = (verified: VerifiedAction): void => {
    if (verified.transaction.signatureKind === 'gateway') throw invalid('signature kind 2 is made by validators only');
    admitAction(verified);
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
  const lanes = { transactions, actions };
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
      admitAction(action);
      track({ kind: 'actions', item: action });
      actions.gossip.add(action.raw);
      await Promise.resolve();
      actions.gossip.flush();
      return action.hash;
    },
    onCommit(...committed) {
      for (const hashes of committed) local.forget(hashes);
    },
    remind() {
      for (const item of local.due(clock.monotonicMs(), remindBytesMax))
        if (stillWaits(item, options, admitTransaction)) lanes[item.kind].gossip.add(item.item.raw);
        else local.forget([item.item.hash]);
      for (const lane of Object.values(lanes)) lane.gossip.flush();
    },
    offer: (send) => offer(mempool, send),
    onGossip: (message, relay) => lanes[message.kind].take(message.raws, relay),
  };
}

/** @throws EngineError `ENGINE_NONCE_GAP` for what would wait for another transaction of its sender */
function refuseGap({ sender, nonce }: VerifiedTransaction, { mempool, accounts }: IntakeOptions): void {
  const nextNonce = mempool.pendingNonce(sender) ?? accounts.account(sender).nonce;
  if (nonce <= nextNonce) return;
  const words = `nonce too high: next nonce ${nextNonce}, tx nonce ${nonce}; it was not added to the pool`;
  throw new EngineError(words, { code: 'ENGINE_NONCE_GAP', nextNonce, nonce });
}

function offer(mempool: Mempool, send: (message: PeerMessage) => void): void {
  const batches = {
    transaction: createGossipBatch('transactions', send),
    action: createGossipBatch('actions', send),
  };
  let bytes = 0;
  for (const { raw, kind } of mempool.content()) {
    bytes += raw.length;
    if (bytes > offerBytesMax) break;
    batches[kind].add(raw);
  }
  for (const batch of Object.values(batches)) batch.flush();
}

/** What peers are told again at once at most, bytes: their signature checks are their time. */
const remindBytesMax = 64 << 10;

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
  readonly verify: (raws: readonly Uint8Array[]) => Promise<readonly (Verified | VerificationFailure)[]>;
  /** From a peer. @param isVouched whether that is a validator */
  readonly admit: (verified: Verified, isVouched: boolean) => void;
  readonly broadcast: (message: PeerMessage) => void;
  readonly onFatal: (error: unknown) => void;
}

/** The way in of one kind: signature check in batches, admission, and gossip after each batch. */
function createLane<Verified extends { readonly hash: Hash; readonly raw: Uint8Array }>(
  options: LaneOptions<Verified>,
) {
  const gossip = createGossipBatch(options.kind, options.broadcast);
  const queue = createVerifyQueue<Verified>(options.verify, () => gossip.flush(), options.onFatal);
  const relayAll = (verified: Verified): void => gossip.add(verified.raw);
  const ignore = (): void => undefined;
  return {
    gossip,
    /** From a client. */
    submit: (raw: Uint8Array, admit: (verified: Verified) => void): Promise<Hash> =>
      new Promise((resolve, reject) => {
        attempt(() => queue.push(raw, settle(admit, relayAll, resolve, reject)), reject);
      }),
    /** From a peer. */
    take(raws: readonly Uint8Array[], relay: boolean): void {
      const forward = relay ? relayAll : ignore;
      const admit = (verified: Verified): void => options.admit(verified, !relay);
      for (const raw of raws) attempt(() => queue.push(raw, settle(admit, forward, ignore, ignore)), ignore);
    },
  };
}

/** What a new peer is told of the mempool at most, bytes. */
const offerBytesMax = 1 << 20;

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
): (result: Verified | VerificationFailure) => void {
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
    const raw = encodeNativeTransaction(transaction);
    return { raw, hash: nativeTransactionHash(raw), signer: key.address, transaction };
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
