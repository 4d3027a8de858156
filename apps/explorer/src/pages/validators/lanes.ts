import type { CommitSummary } from '@prime/sdk';

/** What one validator did for one block. */
export interface LaneCell {
  readonly number: bigint;
  readonly round: number;
  readonly hasSigned: boolean;
  readonly isProposer: boolean;
  /** Times that its turn failed before the block was decided. */
  readonly missedTurns: number;
}

/** @param commits newest first @returns oldest first, the newest `count` */
export function laneOf(address: string, commits: readonly CommitSummary[], count: number): readonly LaneCell[] {
  return commits
    .slice(0, count)
    .toReversed()
    .map(({ blockNumber, round, signers, proposer, missedTurns }) => ({
      number: blockNumber,
      round,
      hasSigned: signers.includes(address as `0x${string}`),
      isProposer: proposer === address,
      missedTurns: missedTurns.filter((turn) => turn === address).length,
    }));
}

/** How a cell looks: who is away is so since the last block that it signed, and was only later than others before. */
export function cellStates(cells: readonly LaneCell[], isMissing: boolean): readonly CellState[] {
  const last = cells.findLastIndex(({ hasSigned }) => hasSigned);
  return cells.map(({ hasSigned, isProposer }, index) => {
    if (hasSigned) return isProposer ? 'proposed' : 'signed';
    return isMissing && index > last ? 'missing' : 'late';
  });
}
/** What one block says of a validator, as the style sheet names it. */
export type CellState = 'proposed' | 'signed' | 'late' | 'missing';

/** What a validator did in all of the blocks. */
export interface Record {
  readonly blocks: number;
  readonly signed: number;
  readonly proposed: number;
  readonly missedTurns: number;
}

/**
 * What a validator did in all given blocks.
 *
 * @param address in lower case
 */
export function recordOf(address: string, commits: readonly CommitSummary[]): Record {
  const cells = laneOf(address, commits, commits.length);
  return {
    blocks: cells.length,
    signed: cells.filter(({ hasSigned }) => hasSigned).length,
    proposed: cells.filter(({ isProposer }) => isProposer).length,
    missedTurns: cells.reduce((sum, { missedTurns }) => sum + missedTurns, 0),
  };
}

/** A cell in words. */
export function cellWords({ number, round, hasSigned, isProposer, missedTurns }: LaneCell): string {
  const words = [
    isProposer ? 'proposed' : null,
    hasSigned ? 'signed' : 'not in the certificate',
    missedTurns === 0 ? null : missedTurns === 1 ? 'its turn failed' : `its turn failed ${missedTurns} times`,
    round === 0 ? null : `decided in round ${round}`,
  ];
  return `Block ${number}: ${words.filter((word) => word !== null).join(', ')}`;
}
