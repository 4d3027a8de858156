import { randomBytes } from 'node:crypto';
import type { CryptoProvider } from '@prime/crypto';
import { blockHash, type BareMessage, encodeMessage, signedDigest } from './messages.ts';

/** One validator of a network without execution; `self` is its index. */
export interface BareValidatorOptions {
  readonly self: number;
  readonly privateKey: Uint8Array;
  /** Of all validators, in order. */
  readonly publicKeys: readonly Uint8Array[];
  readonly bodyBytes: number;
  readonly provider: CryptoProvider;
  /** Writes to a file and waits until it is on the disk. */
  readonly record: (bytes: Uint8Array) => void;
  readonly broadcast: (bytes: Uint8Array) => void;
  readonly onCommit: (height: number, timestampMs: number) => void;
}

const noBody = new Uint8Array(0);

/**
 * Tendermint's happy path and nothing else: propose, prevote, precommit, commit. Round 0 only: no timeouts, locks, recovery or
 * evidence, nothing is executed. What it shares with a validator: every message is signed and verified, and a signature is on the
 * disk before it is sent.
 */
export class BareValidator {
  readonly #options: BareValidatorOptions;
  readonly #quorum: number;
  #height = 1;
  #parent: Uint8Array = new Uint8Array(32);
  #proposal: BareMessage | null = null;
  #prevotes = 0;
  #precommits = 0;
  #precommitted = false;
  /** Of heights that are not reached here. */
  #later: BareMessage[] = [];

  constructor(options: BareValidatorOptions) {
    this.#options = options;
    this.#quorum = Math.floor((options.publicKeys.length * 2) / 3) + 1;
  }

  /** All connections are there: the first proposer begins. Who hears of it before this call goes along. */
  start(): void {
    if (this.#height === 1) this.#propose();
  }

  onMessage(message: BareMessage): void {
    if (message.height > this.#height || (message.kind !== 'proposal' && this.#isEarly(message)))
      this.#later.push(message);
    else if (message.height === this.#height && this.#holds(message)) this.#take(message);
  }

  /** A vote for a block that is not here yet. */
  #isEarly({ height }: BareMessage): boolean {
    return height === this.#height && this.#proposal === null;
  }

  #holds({ kind, height, hash, from, signature }: BareMessage): boolean {
    const { provider, publicKeys } = this.#options;
    return provider.verify(signedDigest(kind, height, hash), signature, publicKeys[from]!);
  }

  #take(message: BareMessage): void {
    const { height, timestampMs, body, hash } = message;
    if (message.kind === 'proposal') {
      const isRight = Buffer.compare(hash, blockHash(this.#parent, height, timestampMs, body)) === 0;
      if (!isRight || message.from !== this.#proposer()) throw new Error(`a wrong proposal at height ${height}`);
      this.#proposal = message;
      this.#say('prevote', hash);
      return this.#takeLater();
    }
    if (Buffer.compare(hash, this.#proposal!.hash) !== 0) throw new Error(`a vote for another block at ${height}`);
    if (message.kind === 'prevote') this.#prevotes += 1;
    else this.#precommits += 1;
    if (!this.#precommitted && this.#prevotes >= this.#quorum) {
      this.#precommitted = true;
      this.#say('precommit', hash);
    } else if (this.#precommits >= this.#quorum && this.#precommitted) this.#commit();
  }

  #proposer = (): number => this.#height % this.#options.publicKeys.length;

  #commit(): void {
    const { height, timestampMs, hash } = this.#proposal!;
    this.#options.onCommit(height, timestampMs);
    this.#parent = Uint8Array.from(hash);
    this.#height += 1;
    this.#proposal = null;
    this.#prevotes = 0;
    this.#precommits = 0;
    this.#precommitted = false;
    this.#propose();
    this.#takeLater();
  }

  #takeLater(): void {
    const later = this.#later;
    this.#later = [];
    for (const message of later) this.onMessage(message);
  }

  #propose(): void {
    if (this.#proposer() !== this.#options.self) return;
    const body = randomBytes(this.#options.bodyBytes);
    // The machine's monotonic clock: proposers are processes, and what `performance` counts from is each one's own reading of the wall clock.
    const timestampMs = Number(process.hrtime.bigint()) / 1e6;
    this.#say('proposal', blockHash(this.#parent, this.#height, timestampMs, body), timestampMs, body);
  }

  /** Signs, waits for the disk, sends, and counts it here. */
  #say(kind: BareMessage['kind'], hash: Uint8Array, timestampMs = 0, body: Uint8Array = noBody): void {
    const { provider, privateKey, self, record, broadcast } = this.#options;
    const signature = provider.sign(signedDigest(kind, this.#height, hash), privateKey);
    const message: BareMessage = { kind, height: this.#height, from: self, timestampMs, hash, signature, body };
    const bytes = encodeMessage(message);
    record(bytes);
    broadcast(bytes);
    this.#take(message);
  }
}
