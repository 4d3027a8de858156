import { headerHash, lastCommitHash, type StoredBlock, type ValidatorSet, validatorsHash } from '@prime/codec';
import { verifyCommitCertificate } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Address, Hash, Height } from '@prime/primitives';
import type { SigningDomain } from '../signing/signing.ts';
import type { WrongBlock } from './blockSync.ts';
import type { ReceivedBlock } from './scheduler.ts';

/** Where a run of received blocks begins, and by which validators its first one must be signed. */
export interface SegmentContext {
  /** Of the newest own block, or of genesis. */
  readonly parent: { readonly height: Height; readonly hash: Hash };
  /** Validators of the height after it. */
  readonly validators: ValidatorSet;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
}

/** A block that was decided, with a certificate that proves it. */
interface ProvenBlock {
  readonly peer: Address;
  readonly stored: StoredBlock;
}

/** The blocks that are proven, or the peer that sent a wrong one and what is wrong with it. */
export type SegmentVerdict =
  | { readonly ok: true; readonly proven: readonly ProvenBlock[] }
  | ({ readonly ok: false } & WrongBlock);

/**
 * Proves a run of blocks with one certificate.
 *
 * The run is as long as hash leads to hash and the validators stay the ones that are known for its first height. When the certificate of its
 * last block is good, more than 2/3 of these validators decided that block, and with it all before it, which its hash covers: no other
 * signature needs to be looked at. The certificate that is kept for an earlier block is the one inside of its successor, which
 * the proof covers, and not the one that the peer sent beside it.
 *
 * When it is not good, the sender of that last block lies: an honest peer's block leads back to true ones only, and its certificate
 * is of those validators.
 *
 * @param received at least one block, the first one follows the parent
 */
export function proveSegment(received: readonly ReceivedBlock[], context: SegmentContext): SegmentVerdict {
  const { validators, domain, provider } = context;
  const run = linkedRun(received, context);
  const last = run.at(-1) ?? received[0]!;
  const { certificate, block } = last.stored;
  const lie = (reason: string): SegmentVerdict => ({ ok: false, peer: last.peer, reason });
  if (certificate.height !== block.header.height || certificate.blockHash !== headerHash(block.header))
    return lie('the certificate is for another block');
  const verdict = verifyCommitCertificate(certificate, validators, { provider, ...domain });
  if (!verdict.ok) return lie(`the certificate is refused: ${verdict.refusal.code}`);
  // A certified block that does not fit to the own head: it is judged as the decision that it is.
  if (run.length === 0) return { ok: true, proven: [last] };
  const proven = run.map((entry, index) => {
    const next = run[index + 1]?.stored.block.lastCommit;
    return next == null ? entry : { peer: entry.peer, stored: { ...entry.stored, certificate: next } };
  });
  return { ok: true, proven };
}

function linkedRun(received: readonly ReceivedBlock[], { parent, validators }: SegmentContext): ReceivedBlock[] {
  const ownValidators = validatorsHash(validators.validators);
  const run: ReceivedBlock[] = [];
  let { height, hash }: SegmentContext['parent'] = parent;
  for (const entry of received) {
    const { header, lastCommit } = entry.stored.block;
    if (header.height !== height + 1 || header.parentHash !== hash || header.validatorsHash !== ownValidators) break;
    // What is taken over from a block must be covered by its hash.
    if (run.length > 0) {
      const covered = lastCommitHash(lastCommit) === header.lastCommitHash;
      if (!covered || lastCommit?.height !== height || lastCommit.blockHash !== hash) break;
    }
    run.push(entry);
    height = header.height;
    hash = headerHash(header);
  }
  return run;
}
