import { type Header, headerHash, validatorsHash } from '@prime/codec';
import { verifyCommitCertificate } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Hash, Height } from '@prime/primitives';
import type { HeaderRange } from '../ports.ts';
import type { SigningDomain } from '../signing/signing.ts';

/** A block that the operator vouches for, from which everything later is proven. */
export interface TrustedBlock {
  readonly height: Height;
  readonly hash: Hash;
}

interface HeaderProofOptions {
  readonly trusted: TrustedBlock;
  /** The header that is to be proven. */
  readonly target: Height;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
}

/** Headers asked for at once. */
export const headersPerRequest = 64;

/**
 * Proves the header of one height from the hash of a block that the operator trusts.
 *
 * Back from the trusted block hash leads to hash, nothing else is needed. Forward, each run of headers with the same validators is proven by the
 * certificate of its last one; the validators of the next run are those that the last header of the run before it names. So no signature
 * counts but of validators that a proven header names, and the age of the trusted block does not matter to the proof itself (docs/protocol/sync.md
 * says when it matters that old keys may be for sale).
 */
export class HeaderProof {
  readonly #options: HeaderProofOptions;
  /** Forward: the newest proven header. */
  #last: Header | null = null;
  /** Backward: what the hash of the header at {@link #before} has to be. */
  #expected: Hash;
  #before: number;
  /** The next range is cut to this, because the validators change behind it. */
  #cut: number = headersPerRequest;
  #proven: Header | null = null;

  constructor(options: HeaderProofOptions) {
    this.#options = options;
    this.#expected = options.trusted.hash;
    this.#before = options.trusted.height;
  }

  /** The header of the target; null until it is proven. */
  get proven(): Header | null {
    return this.#proven;
  }

  get #isForward(): boolean {
    return this.#options.target > this.#options.trusted.height;
  }

  /** Nothing is proven yet but the trusted block itself, of which headers speak that {@link take} takes next. */
  get isAtTrusted(): boolean {
    return this.#last === null && this.#before === this.#options.trusted.height;
  }

  /** What to ask for next. */
  next(): { readonly from: Height; readonly count: number } {
    const { target, trusted } = this.#options;
    if (!this.#isForward) {
      const from = Math.max(target, this.#before - headersPerRequest + 1);
      return { from: from as Height, count: this.#before - from + 1 };
    }
    const from = this.#last === null ? trusted.height : this.#last.height + 1;
    // Nobody stores the validators of block 1: it goes alone, as the trusted block it needs no proof.
    const most = from === 1 ? 1 : this.#cut;
    return { from: from as Height, count: Math.min(most, target - from + 1) };
  }

  /**
   * The hash that an answer to {@link next} says the trusted block has; null where it is the trusted one, or the answer is not about it. Other headers say
   * nothing of who is wrong, but of this one somebody is: the peer, or the operator.
   */
  otherTrusted({ headers }: HeaderRange): Hash | null {
    if (!this.isAtTrusted) return null;
    const { trusted } = this.#options;
    const own = headers.find(({ height }) => height === trusted.height);
    const hash = own === undefined ? trusted.hash : headerHash(own);
    return hash === trusted.hash ? null : hash;
  }

  /**
   * Takes the answer to {@link next}, which is not empty.
   *
   * @returns null, or why its sender lies
   */
  take(range: HeaderRange): string | null {
    const { from, count } = this.next();
    const { headers } = range;
    if (headers.length !== count || headers.some((header, index) => header.height !== from + index))
      return 'sent other headers than it was asked for';
    for (const [index, header] of headers.entries())
      if (index > 0 && header.parentHash !== headerHash(headers[index - 1]!))
        return 'sent headers that do not follow each other';
    return this.#isForward ? this.#takeForward(range) : this.#takeBackward(headers);
  }

  #takeBackward(headers: readonly Header[]): string | null {
    const [first, last] = [headers[0]!, headers.at(-1)!];
    if (headerHash(last) !== this.#expected) return 'sent headers that do not lead to the trusted block';
    this.#expected = first.parentHash;
    this.#before = first.height - 1;
    if (first.height === this.#options.target) this.#proven = first;
    return null;
  }

  #takeForward({ headers, certificate, validators }: HeaderRange): string | null {
    const { trusted, target, domain, provider } = this.#options;
    const [first, last] = [headers[0]!, headers.at(-1)!];
    if (this.#last === null && headerHash(first) !== trusted.hash) return 'sent another block than the trusted one';
    if (this.#last !== null && first.parentHash !== headerHash(this.#last)) return 'sent headers that do not follow';
    if (this.#last !== null && first.validatorsHash !== this.#last.nextValidatorsHash)
      return 'sent a header with validators that the one before it does not name';
    const end = headers.findIndex(({ validatorsHash: of }) => of !== first.validatorsHash);
    if (end > 0) {
      this.#cut = end;
      return null;
    }
    // The trusted block needs no other proof.
    if (this.#last !== null || headers.length > 1) {
      if (certificate === null || validators === null) return 'sent headers without a proof';
      if (validatorsHash(validators.validators) !== first.validatorsHash)
        return 'sent other validators than the header names';
      if (certificate.height !== last.height || certificate.blockHash !== headerHash(last))
        return 'sent the certificate of another block';
      const verdict = verifyCommitCertificate(certificate, validators, { provider, ...domain });
      if (!verdict.ok) return `sent a certificate that is refused: ${verdict.refusal.code}`;
    }
    this.#last = last;
    this.#cut = headersPerRequest;
    if (last.height === target) this.#proven = last;
    return null;
  }
}
