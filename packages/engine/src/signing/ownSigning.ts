import type { Genesis, StoredBlock, Vote } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import type { ChainTip } from '../chain/chainTip.ts';
import type { EngineLog } from '../log.ts';
import type { Membership } from '../chain/membership.ts';
import { type BlockStore, type HotKey, isRemote, type SignStateRecord, type SignStateStore } from '../ports.ts';
import { createSigningGuard, type GuardedSigner, type SigningDomain, type SigningGuard } from './signing.ts';
import { defaultDoubleSignGuard, type DoubleSignGuard, SigningPermit, type SigningStanding } from './signingPermit.ts';

/** What decides whether this node may sign at a height, and what it must have noted before it does. */
export interface OwnSigningParts {
  readonly genesis: Genesis;
  /** Hot keys of this node, the newest first. */
  readonly signers: readonly HotKey[];
  /** Own sentries, where the validator hides behind some. */
  readonly sentries?: readonly Address[];
  /** Default {@link defaultDoubleSignGuard}. */
  readonly doubleSign?: DoubleSignGuard;
  readonly blocks: BlockStore;
  readonly signState: SignStateStore;
  readonly log: EngineLog;
  readonly tip: ChainTip;
  readonly membership: Membership;
  readonly domain: SigningDomain;
  /** Highest block that a peer claims. */
  readonly highest: () => Height;
  /** Signing is not safe any more: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

/** The own validator as one that signs: which one it is, whether it may sign yet, and that it never contradicts itself. */
export class OwnSigning {
  readonly #parts: OwnSigningParts;
  readonly #permit: SigningPermit;
  readonly #guard: SigningGuard;

  constructor(parts: OwnSigningParts) {
    this.#parts = parts;
    this.#permit = new SigningPermit({ ...parts, guard: parts.doubleSign ?? defaultDoubleSignGuard });
    const { isOpen } = this.#permit;
    this.#guard = createSigningGuard({ domain: parts.domain, store: parts.signState, isOpen });
  }

  get standing(): SigningStanding {
    return this.#permit.standing;
  }

  /** Before the first height begins. */
  lookBack(): void {
    this.#permit.lookBack();
  }

  /** The newest signature when it is one of the height in progress. */
  newestHere(): SignStateRecord | null {
    const { membership, signState, tip } = this.#parts;
    const newest = membership.own() === null ? null : signState.read();
    return newest?.height === tip.height + 1 ? newest : null;
  }

  /** The validator that this node speaks for at the next height; null when it is none, or may not say anything yet. */
  taking(): ReturnType<Membership['own']> {
    const own = this.#parts.membership.own();
    if (own === null || !this.#permit.takesPart) return null;
    return isRemote(own.key) && !own.key.isReady() ? null : own;
  }

  /** @param isWanted whether the height goes on */
  signerOf(own: NonNullable<ReturnType<Membership['own']>>, isWanted: () => boolean): GuardedSigner {
    return this.#guard.of(own.validator, own.key, isWanted);
  }

  /** @throws EngineError `ENGINE_KEY_IN_USE` */
  onBlock(stored: StoredBlock): void {
    this.#permit.onBlock(stored, this.#parts.tip.ownValidators);
    this.consider();
  }

  onVoteHeard(vote: Vote): void {
    this.#orFail(() => this.#permit.onVote(vote, this.#parts.membership.own()?.validator ?? null));
  }

  onClaim(peer: Address, head: Height): void {
    this.#permit.onClaim(peer, head);
  }

  onIdentityInUse(peer: Address): void {
    const { membership, tip } = this.#parts;
    const self = membership.own()?.validator ?? null;
    this.#orFail(() => this.#permit.onIdentityInUse(peer, { validators: tip.validators, self }));
  }

  onPeerGone(peer: Address): void {
    this.#permit.onPeerGone(peer);
  }

  /** Enough may be known by now to sign. */
  consider(): void {
    if (this.#guard.isOpen) return;
    const { membership, tip, highest, log } = this.#parts;
    const self = membership.own()?.validator ?? null;
    this.#permit.consider({ head: tip.height, highest: highest(), validators: tip.validators, self });
    if (!this.#permit.isOpen) return;
    log.info('signing from now on', { height: tip.height + 1 });
    this.#orFail(() => this.#guard.open());
  }

  /** What a remote signer signed last counts here as well. @param newest null when it never signed */
  onSignerReady(newest: SignStateRecord | null): void {
    this.#orFail(() => {
      if (newest !== null) this.#guard.raise(newest);
      this.consider();
    });
  }

  #orFail(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.onFatal(error);
    }
  }
}
