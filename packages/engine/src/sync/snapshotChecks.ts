import {
  type ExecutionRoots,
  type Header,
  type SnapshotManifest,
  type StoredBlock,
  type ValidatorSet,
  validatorsHash,
} from '@prime/codec';
import { verifyCommitCertificate } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { SigningDomain } from '../signing/signing.ts';
import { refuseRotation } from './rotationProof.ts';

/** What was rebuilt from a snapshot, as far as the header of the next block speaks of it. */
export interface RestoredState {
  readonly stored: StoredBlock;
  /** Of the snapshot's height. */
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
  readonly roots: ExecutionRoots;
  readonly nextBaseFee: bigint;
}

/** What a snapshot is held against: the header of the next block, which is proven. Each gives the reason of a refusal, or null. */
export interface SnapshotChecks {
  /** What it says of itself, before any of it is fetched. */
  manifest(manifest: SnapshotManifest, next: Header): string | null;
  /** What it turned out to be, before any of it counts. */
  restored(restored: RestoredState, next: Header): string | null;
}

/** Compares all that a header says of the block before it. */
export function createSnapshotChecks(domain: SigningDomain, provider: CryptoProvider): SnapshotChecks {
  return {
    manifest: ({ blockHash, stateRoot }, next) =>
      blockHash === next.parentHash && stateRoot === next.parentResults.stateRoot
        ? null
        : 'the snapshot is not of the state of its block',
    restored({ stored, validators, nextValidators, roots, nextBaseFee }, next) {
      const { stateRoot, receiptsRoot, eventsRoot, gasUsed } = next.parentResults;
      if (
        stored.hash !== next.parentHash ||
        roots.stateRoot !== stateRoot ||
        roots.receiptsRoot !== receiptsRoot ||
        roots.eventsRoot !== eventsRoot ||
        roots.gasUsed !== gasUsed ||
        nextBaseFee !== next.baseFee
      )
        return 'its results are not those that the next header names';
      if (validatorsHash(nextValidators.validators) !== next.validatorsHash)
        return 'its validators are not those that the next header names';
      if (stored.certificate.height !== next.height - 1 || stored.certificate.blockHash !== stored.hash)
        return 'its certificate is for another block';
      const verdict = verifyCommitCertificate(stored.certificate, validators, { provider, ...domain });
      if (!verdict.ok) return `its certificate is refused: ${verdict.refusal.code}`;
      return refuseRotation({ stored, validators, nextValidators });
    },
  };
}
