import type { RankedValidator, StoredBlock } from '@prime/codec';
import { createProposerSchedule } from '@prime/consensus';
import type { BlockStore } from '@prime/engine';
import type { Address, Height } from '@prime/primitives';
import { type CommitSummary, type HeightRange, missedTurnsMax } from '@prime/rpc';

/** How blocks were decided. One that was deleted in the meantime is left out. @param validatorsOf set of a height; null where it is not kept */
export function readCommits(
  blocks: Pick<BlockStore, 'get'>,
  validatorsOf: (height: Height) => readonly RankedValidator[] | null,
  { fromHeight, toHeight }: HeightRange,
): readonly CommitSummary[] {
  const found: CommitSummary[] = [];
  for (let height = fromHeight; height <= toHeight; height = (height + 1) as Height) {
    const block = blocks.get(height);
    if (block !== null) found.push(commitOf(block, validatorsOf));
  }
  return found;
}

function commitOf(
  { block, hash, certificate }: StoredBlock,
  validatorsOf: (height: Height) => readonly RankedValidator[] | null,
): CommitSummary {
  const { height, timestampMs, proposer } = block.header;
  const { round, signatures } = certificate;
  const validators = round === 0 ? null : validatorsOf(height);
  return {
    height,
    hash,
    timestampMs,
    proposer,
    round,
    signers: signatures.map(({ validator }) => validator),
    missedTurns: validators === null ? [] : turnsBefore(round, validators),
  };
}

function turnsBefore(round: number, validators: readonly RankedValidator[]): readonly Address[] {
  const schedule = createProposerSchedule({ validators });
  return Array.from({ length: Math.min(round, missedTurnsMax) }, (_, turn) => schedule.proposer(turn));
}
