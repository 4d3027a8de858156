import type {
  BlockCheck,
  CommitCertificate,
  ExecutionStatus,
  Genesis,
  ProtocolSchedule,
  RegisteredValidator,
  ValidatorSet,
} from '@prime/codec';
import { advanceProposer, followMembers, validatorsFromGenesis, verifyCommitCertificate } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Height, TimestampMs } from '@prime/primitives';
import type { HeightContext } from '../block/blockRules.ts';
import { storeCorrupt } from '../errors.ts';
import type { BlockStore, StoredBlock } from '../ports.ts';
import { rulesFor } from './protocol.ts';
import type { SigningDomain } from '../signing/signing.ts';

/** What the tip is read from: stored blocks, or genesis where there are none. */
export interface ChainTipOptions {
  readonly genesis: Genesis;
  readonly protocol: ProtocolSchedule;
  readonly blocks: BlockStore;
  readonly provider: CryptoProvider;
  readonly domain: SigningDomain;
}

/** Where the chain ends on this node, and what the next height takes from there. */
export class ChainTip {
  readonly #options: ChainTipOptions;
  #head: ExecutionStatus | null = null;
  #timestampMs: TimestampMs;
  #lastCommit: CommitCertificate | null = null;
  #hadWork = false;
  /** Validators of the newest block; null before the first one. */
  #ownValidators: ValidatorSet | null = null;
  #validators: ValidatorSet;
  #nextValidators: ValidatorSet | null = null;
  /** Everyone who is registered after the newest block; null where the validators never change. */
  #registered: readonly RegisteredValidator[] | null = null;

  /** Of which registered ones {@link validators} are the members. */
  #followed: readonly RegisteredValidator[] | null = null;

  constructor(options: ChainTipOptions) {
    this.#options = options;
    this.#timestampMs = options.genesis.timestampMs;
    this.#validators = validatorsFromGenesis(options.genesis.validators);
  }

  get height(): Height {
    return this.#head?.height ?? (0 as Height);
  }

  /** Validators of the next height. */
  get validators(): ValidatorSet {
    return this.#validators;
  }

  /** Validators of the newest block; null before the first one. */
  get ownValidators(): ValidatorSet | null {
    return this.#ownValidators;
  }

  /** Validators of the second block from here: what the newest one made of them. */
  get nextValidators(): ValidatorSet {
    this.#nextValidators ??= this.#makeNextValidators();
    return this.#nextValidators;
  }

  #makeNextValidators(): ValidatorSet {
    const next = advanceProposer(this.#validators);
    // The set follows them already: choosing a proposer changes nobody but for the priority.
    if (this.#registered === null || this.#registered === this.#followed) return next;
    const members = this.#registered.filter(({ status }) => status === 'active');
    return followMembers(next, members);
  }

  /** Everyone who is registered, in the set or not; null where the validators never change. */
  get registered(): readonly RegisteredValidator[] | null {
    return this.#registered;
  }

  /** Certificate of the newest block, which the next one carries; null before the first block. */
  get lastCommit(): CommitCertificate | null {
    return this.#lastCommit;
  }

  /** Whether the newest block holds a transaction or an action. */
  get hadWork(): boolean {
    return this.#hadWork;
  }

  /**
   * Moves to a block that is executed and stored.
   *
   * @param stored the block; null at genesis
   * @param isAppended whether it was appended just now, with {@link nextValidators}: else the store knows who comes next
   * @throws EngineError `ENGINE_STORE_CORRUPT` when the store lacks the validators of the next height
   */
  move(head: ExecutionStatus, stored: StoredBlock | null, isAppended = false): void {
    const { blocks, genesis } = this.#options;
    const appended = isAppended ? this.#nextValidators : null;
    this.#followed = appended === null ? null : this.#registered;
    this.#head = head;
    this.#nextValidators = null;
    this.#registered = head.validators ?? this.#registered;
    this.#timestampMs = stored?.block.header.timestampMs ?? genesis.timestampMs;
    this.#lastCommit = stored?.certificate ?? null;
    this.#hadWork = stored !== null && stored.block.transactions.length + stored.block.actions.length > 0;
    if (head.height === 0) return;
    if (appended !== null) this.#ownValidators = this.#validators;
    else
      this.#ownValidators =
        head.height === 1 ? validatorsFromGenesis(genesis.validators) : blocks.validators(head.height);
    const validators = appended ?? blocks.validators((head.height + 1) as Height);
    if (validators === null) throw storeCorrupt(`no validator set is stored for height ${head.height + 1}`);
    this.#validators = validators;
  }

  /** Time of the newest block, or of genesis. */
  get timestampMs(): TimestampMs {
    return this.#timestampMs;
  }

  /** What the block of the next height has to fit. @throws EngineError `ENGINE_UPGRADE_NEEDED` */
  context(): HeightContext {
    const { genesis, protocol } = this.#options;
    if (this.#head === null) throw new Error('the engine was not started');
    return {
      chainId: genesis.chainId,
      rules: rulesFor(protocol, (this.#head.height + 1) as Height),
      head: this.#head,
      parentTimestampMs: this.#timestampMs,
      gasLimit: genesis.evm.gasLimit,
      params: genesis.consensus,
      openActions: genesis.actions === 'open',
      validators: this.#validators,
      nextValidators: this.nextValidators,
    };
  }

  /** The certificate that a block carries must be one of its parent. */
  readonly checkLastCommit = (certificate: CommitCertificate | null): BlockCheck => {
    const refuse = (reason: string): BlockCheck => ({ ok: false, diverged: false, reason });
    if (this.#ownValidators === null || this.#head === null)
      return certificate === null ? { ok: true } : refuse('block 1 carries a certificate');
    if (certificate === null) return refuse('the certificate of the parent is missing');
    const { height, hash } = this.#head;
    if (certificate.height !== height || certificate.blockHash !== hash)
      return refuse(`the certificate is for height ${certificate.height}, not for the parent`);
    const { provider, domain } = this.#options;
    const verdict = verifyCommitCertificate(certificate, this.#ownValidators, { provider, ...domain });
    return verdict.ok ? { ok: true } : refuse(`the certificate of the parent is invalid: ${verdict.refusal.code}`);
  };
}
