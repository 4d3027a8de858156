import type { CommitCertificate, TimeMark, StakedValidator } from '@prime/codec';
import type { Height, TimestampMs } from '@prime/primitives';
import type { Draft } from './draft.ts';
import { jail, mayJail, slash } from './jail.ts';
import { signerAt } from './state.ts';

/**
 * Who does not sign is not there. Counted over a window of time, not of blocks: blocks come at very different paces.
 *
 * The window is pieces of a tenth of it. A piece is known by its first block, so that a block in which everyone signed changes
 * nothing; what is counted is what is missing. When a piece ends, the last ten of them are judged.
 */
const windowPieces = 10;

/** Notes the block's place in time, and judges when a piece of the window has ended. */
export function judgeDowntime(draft: Draft): void {
  const bucket = bucketOf(draft.timestampMs, pieceOf(draft.params.downtimeWindowMs, windowPieces));
  const marks = draft.clock.downtimeMarks;
  if (marks.at(-1)?.bucket === bucket) return;
  const window = marks.filter((mark) => mark.bucket >= bucket - windowPieces);
  // Pieces without a block tell nothing; where most are so, the chain stood still and nobody can be blamed for it.
  if (2 * window.length > windowPieces) judge(draft, window);
  draft.clock = { ...draft.clock, downtimeMarks: [...window, { bucket, height: draft.height }] };
}

/** Length of the pieces that a time is divided into, ms. */
export const pieceOf = (timeMs: number, pieces: number): number => Math.max(1, Math.ceil(timeMs / pieces));

/** The piece of time that a moment is in. */
export const bucketOf = (timestampMs: number, pieceMs: number): number => Math.floor(timestampMs / pieceMs);

function judge(draft: Draft, window: readonly TimeMark[]): void {
  const [first] = window;
  if (first === undefined) return;
  const { downtimeMinSignedBps, downtimeSlashBps, downtimeJailMs } = draft.params;
  const blocks = draft.height - first.height;
  const absent = draft
    .active()
    .filter((validator) => wasThereSince(validator, first.height))
    .map((validator) => ({ address: validator.address, missed: missedSince(validator, first.bucket) }))
    .filter(({ missed }) => (blocks - missed) * 10_000 < downtimeMinSignedBps * blocks)
    // Who missed most goes first: not all may be allowed to go.
    .sort((a, b) => b.missed - a.missed);
  for (const { address } of absent) {
    const validator = draft.validators.get(address);
    if (validator === undefined || !mayJail(draft, validator)) continue;
    const slashed = slash(draft, validator, downtimeSlashBps, false);
    jail(draft, slashed, (draft.timestampMs + downtimeJailMs) as TimestampMs);
  }
}

/** Whether the validator was to sign every block from the one before this height on. */
function wasThereSince(validator: StakedValidator, height: Height): boolean {
  const from = validator.periods.findLastIndex(({ fromHeight }) => fromHeight < height);
  return from >= 0 && validator.periods.slice(from).every(({ publicKey }) => publicKey !== null);
}

const missedSince = ({ missed }: StakedValidator, bucket: number): number =>
  missed.reduce((sum, entry) => (entry.bucket >= bucket ? sum + entry.count : sum), 0);

/** Counts who is missing in the certificate of the parent; after {@link judgeDowntime}. */
export function countMissing(draft: Draft, certificate: CommitCertificate | null): void {
  if (certificate === null) return;
  const bucket = draft.clock.downtimeMarks.at(-1)!.bucket;
  const signed = new Set(certificate.signatures.map(({ validator }) => validator));
  for (const validator of draft.active()) {
    if (signed.has(validator.address) || signerAt(validator, certificate.height) === null) continue;
    const kept = validator.missed.filter((entry) => entry.bucket >= bucket - windowPieces);
    const last = kept.at(-1);
    const missed =
      last?.bucket === bucket
        ? [...kept.slice(0, -1), { bucket, count: last.count + 1 }]
        : [...kept, { bucket, count: 1 }];
    draft.put({ ...validator, missed });
  }
}
