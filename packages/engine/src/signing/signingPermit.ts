import { type Genesis, isQuorum, isSkipQuorum, type StoredBlock, type ValidatorSet, type Vote } from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import type { Address, Height, Round } from '@prime/primitives';
import { keyInUse, processInUse } from '../errors.ts';
import type { EngineLog } from '../log.ts';
import { type BlockStore, type HotKey, isRemote, type SignStateStore } from '../ports.ts';
import { comparePlaces, type Place } from './signing.ts';

/** How a validator looks for other uses of its key before it signs and while it does. */
export interface DoubleSignGuard {
  /** Stored blocks whose certificates are searched for own signatures at start; 0 searches none. */
  readonly lookbackBlocks: number;
  /** Blocks that others decide while a validator with a suspicious past only watches; 0 lets it sign at once, whatever it finds. */
  readonly watchBlocks: number;
  /** Watch at every start, suspicious or not. */
  readonly watchAlways: boolean;
}

/** Looks for own signatures in the last 100 blocks; a validator whose sign state lacks some watches 20 blocks before it signs. */
export const defaultDoubleSignGuard: DoubleSignGuard = { lookbackBlocks: 100, watchBlocks: 20, watchAlways: false };

/**
 * Blocks that a home from a backup watches at least, whatever its operator set. The head that more than a third of the power tell of may be some blocks behind the
 * newest one, where the key may have signed as well.
 */
const sealedWatchBlocksMin = defaultDoubleSignGuard.watchBlocks;

/**
 * - `hearing`: not enough peers have said where they stand, or one is ahead. A home that was restored from a backup does not know that it is old.
 * - `watching`: the chain holds signatures of this validator that its sign state does not know.
 * - `open`: signs.
 */
export type SigningPhase = 'hearing' | 'watching' | 'open';

/** Where a validator is on its way from a start to its first signature. */
export interface SigningStanding {
  readonly phase: SigningPhase;
  /** Height from which on it signs, when nobody else does until then; null unless it watches. */
  readonly from: Height | null;
}

/** What tells whether another process may sign with the same key: stored blocks, the record of signatures, and the guard's settings. */
export interface SigningPermitOptions {
  readonly genesis: Pick<Genesis, 'validators'>;
  /** Hot keys of this node. */
  readonly signers: readonly HotKey[];
  /** Own sentries, where the validator hides behind some. */
  readonly sentries?: readonly Address[];
  readonly guard: DoubleSignGuard;
  readonly blocks: Pick<BlockStore, 'head' | 'base' | 'get' | 'validators'>;
  readonly signState: Pick<SignStateStore, 'read' | 'isSealed' | 'unseal'>;
  readonly log: Pick<EngineLog, 'warn'>;
}

/**
 * Whether this validator may sign yet.
 *
 * The sign state says what was signed, if it is the newest one. Three things tell when it is not: own signatures in decided blocks that
 * it does not know, votes of the own key that this process did not make, and peers that are ahead of a home that was validating when it
 * was copied. With the first one the validator stays an observer until others have decided {@link DoubleSignGuard.watchBlocks} blocks
 * without any new signature of its key: whatever an earlier process signed lies at or before the height in progress when the watch
 * began, so that what lies behind it is new. Only blocks end the watch, never time: time does not bring the chain past what was signed.
 *
 * A sign state that came with a backup is sealed: it watches, whatever was found and set, and the end of the watch unseals it.
 *
 * Knows nothing of clocks and sockets: the engine feeds it with what it learns anyway.
 */
export class SigningPermit {
  readonly #options: SigningPermitOptions;
  readonly #heads = new Map<Address, Height>();
  /** Who said that another living process of this identity is connected to it. */
  readonly #holders = new Set<Address>();
  #phase: SigningPhase;
  /** Newest own signature that was found in a block. */
  #found: Place | null = null;
  /** Own signatures up to this height may be of an earlier process; null before the watch began. */
  #floor: Height | null = null;
  #until: Height | null = null;

  constructor(options: SigningPermitOptions) {
    this.#options = options;
    this.#phase = this.#watchBlocks === 0 ? 'open' : 'hearing';
  }

  get standing(): SigningStanding {
    return { phase: this.#phase, from: this.#until === null ? null : ((this.#until + 1) as Height) };
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  /** Whether a height that begins now is one to take part in; what it wants to sign may still have to wait for `open`. */
  get takesPart(): boolean {
    return this.#phase === 'open' || !this.#isSuspicious();
  }

  /** 0: nothing is watched for. */
  get #watchBlocks(): number {
    const { guard, signState } = this.#options;
    return signState.isSealed() ? Math.max(guard.watchBlocks, sealedWatchBlocksMin) : guard.watchBlocks;
  }

  /** Searches the newest stored blocks for own signatures. */
  lookBack(): void {
    const { blocks, genesis, guard } = this.#options;
    const head = blocks.head();
    const oldest = Math.max(blocks.base(), head - guard.lookbackBlocks + 1, 1);
    for (let height = head; height >= oldest && this.#watchBlocks > 0; height--) {
      const stored = blocks.get(height as Height);
      const set = height === 1 ? validatorsFromGenesis(genesis.validators) : blocks.validators(height as Height);
      if (stored !== null) this.#search(stored, set);
    }
    if (this.#isSuspicious()) this.#warn(head);
  }

  /**
   * A block was decided, here or elsewhere.
   *
   * @param validators of its height
   * @throws EngineError `ENGINE_KEY_IN_USE`
   */
  onBlock(stored: StoredBlock, validators: ValidatorSet | null): void {
    if (this.#watchBlocks === 0) return;
    const wasSuspicious = this.#isSuspicious();
    const found = this.#search(stored, validators);
    if (found !== null) this.#refuseAlien(found.validator, found);
    const { height } = stored.block.header;
    if (!wasSuspicious && this.#phase === 'hearing' && this.#isSuspicious()) this.#warn(height);
    if (this.#until !== null && height >= this.#until) this.#open();
  }

  /**
   * A vote came from the network, and its signature is good.
   *
   * @throws EngineError `ENGINE_KEY_IN_USE`
   */
  onVote({ validator, height, round, type }: Vote, own: Address | null): void {
    if (validator !== own || this.#watchBlocks === 0) return;
    this.#refuseAlien(validator, { height, round, step: type === 'prevote' ? 2 : 3 });
  }

  /** A peer said where it stands. */
  onClaim(peer: Address, head: Height): void {
    // It listens to this process now: the other one is gone, as far as it knows.
    this.#holders.delete(peer);
    if (this.#phase === 'hearing') this.#heads.set(peer, head);
  }

  /**
   * A peer stays with another living process that has the keys of this one.
   *
   * Before it signs, that ends this process: it can not hear of the other one in any other way, because nobody takes the messages of both. One liar
   * must not keep a validator from coming back, so that more than a third of the power have to say it, or one of the own sentries. A process that
   * signs already goes on: the other one has not begun.
   *
   * @throws EngineError `ENGINE_KEY_IN_USE`
   */
  onIdentityInUse(peer: Address, { validators, self }: { validators: ValidatorSet; self: Address | null }): void {
    if (this.#watchBlocks === 0 || this.#options.signers.some(isRemote)) return;
    if (this.#phase === 'open' || self === null)
      return this.#options.log.warn('a peer stays with another process that has the keys of this one', { peer });
    this.#holders.add(peer);
    const isSentry = this.#options.sentries?.includes(peer) === true;
    if (isSentry || isMoreThanThird(validators, this.#holders)) throw processInUse(self, this.#holders.size);
  }

  onPeerGone(peer: Address): void {
    this.#heads.delete(peer);
  }

  /**
   * Looks again whether enough is known.
   *
   * @param state own head; the highest one that a peer claims; validators of the next height; the own one among them
   */
  consider(state: {
    readonly head: Height;
    readonly highest: Height;
    readonly validators: ValidatorSet;
    readonly self: Address | null;
  }): void {
    if (this.#phase === 'watching' && !this.#isSuspicious()) return this.#open();
    if (this.#phase !== 'hearing' || state.self === null) return;
    if (state.highest > state.head || !this.#hasHeardEnough(state.validators, state.self)) return;
    if (!this.#isSuspicious()) return this.#open();
    this.#phase = 'watching';
    this.#floor = (state.head + 1) as Height;
    this.#until = (state.head + this.#watchBlocks) as Height;
    this.#options.log.warn('not signing: watching whether this key is in use elsewhere', {
      head: state.head,
      until: this.#until,
      restored: this.#options.signState.isSealed(),
    });
  }

  /**
   * Those who can decide a block together with this validator have said where they stand, or more than a third of all, among whom is
   * an honest one. Behind sentries there is nobody else to say so: they are nodes of the same operator, and one that is connected is enough.
   */
  #hasHeardEnough({ validators }: ValidatorSet, self: Address): boolean {
    if (this.#options.sentries?.some((sentry) => this.#heads.has(sentry)) === true) return true;
    const others = validators.filter(({ address }) => address !== self && this.#heads.has(address));
    const own = validators.filter(({ address }) => address === self);
    const [total, heard] = [powerOf(validators), powerOf(others)];
    return isSkipQuorum(heard, total) || isQuorum(powerOf(own) + heard, total);
  }

  #open(): void {
    const { signState } = this.#options;
    if (signState.isSealed()) signState.unseal();
    this.#phase = 'open';
    this.#until = null;
    this.#heads.clear();
    this.#holders.clear();
  }

  /** The sign state is older than the key's last use, as far as blocks show; or the operator wants it treated so. */
  #isSuspicious(): boolean {
    const { guard, signState } = this.#options;
    if (signState.isSealed()) return true;
    if (guard.watchBlocks === 0) return false;
    return guard.watchAlways || (this.#found !== null && this.#isUnknown(this.#found));
  }

  /** Own messages in the log count here too: the sign state is brought up to them before anybody is shown them ({@link GuardedSigner.recall}). */
  #isUnknown(place: Place): boolean {
    const known = this.#options.signState.read();
    return known === null || comparePlaces(place, known) > 0;
  }

  /** Own precommits in the certificate of a block and in the one of its parent that it carries. @returns the newest */
  #search({ block, certificate }: StoredBlock, set: ValidatorSet | null): (Place & { validator: Address }) | null {
    const keys = this.#options.signers;
    const own = set?.validators.find(({ signer }) => keys.some(({ address }) => address === signer));
    if (own === undefined) return null;
    const holder = [certificate, block.lastCommit].find((one) =>
      one?.signatures.some(({ validator }) => validator === own.address),
    );
    if (holder === undefined || holder === null) return null;
    const place = { validator: own.address, height: holder.height, round: holder.round as Round, step: 3 as const };
    if (this.#found === null || comparePlaces(place, this.#found) > 0) this.#found = place;
    return place;
  }

  /** An own signature that neither the sign state knows nor an earlier process can have made. */
  #refuseAlien(validator: Address, place: Place): void {
    if (this.#phase === 'hearing' || !this.#isUnknown(place) || place.height <= (this.#floor ?? 0)) return;
    // Behind a remote signer another node may ask for signatures: that they do not contradict each other is the signer's to see to.
    if (this.#options.signers.some(isRemote)) return;
    throw keyInUse(validator, place.height, place.round);
  }

  #warn(head: Height): void {
    const newest = this.#options.signState.read();
    this.#options.log.warn('blocks hold signatures of this validator that its sign state does not know', {
      found: this.#found?.height ?? null,
      signState: newest?.height ?? null,
      head,
    });
  }
}

const powerOf = (validators: readonly { readonly power: bigint }[]): bigint =>
  validators.reduce((sum, { power }) => sum + power, 0n);

/** An honest one is among them then. */
const isMoreThanThird = ({ validators }: ValidatorSet, some: ReadonlySet<Address>): boolean =>
  isSkipQuorum(powerOf(validators.filter(({ address }) => some.has(address))), powerOf(validators));
