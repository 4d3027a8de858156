import type { MarginAccount } from '@prime/sdk';
import type { AccountRecord } from '@prime/sdk/light';

/** One thing that was proven, beside what the node showed. */
export interface Comparison {
  readonly name: string;
  /** Position of the market, or null for what is of the account itself. */
  readonly marketId: number | null;
  readonly proven: bigint | boolean;
  readonly shown: bigint | boolean;
  readonly isSame: boolean;
}

type Shown = Pick<MarginAccount, 'collateral' | 'locked' | 'positions'>;

/** @param record null where it is proven that there is none: no collateral, no position */
export function compareAccount(record: AccountRecord | null, shown: Shown): readonly Comparison[] {
  const row = (name: string, marketId: number | null, proven: bigint | boolean, is: bigint | boolean): Comparison => ({
    name,
    marketId,
    proven,
    shown: is,
    isSame: proven === is,
  });
  const provenPositions = new Map((record?.positions ?? []).map((position) => [position.marketId, position]));
  const shownPositions = new Map(shown.positions.map((position) => [position.marketId, position]));
  const markets = [...new Set([...provenPositions.keys(), ...shownPositions.keys()])].toSorted((a, b) => a - b);
  return [
    row('Collateral', null, record?.collateral ?? 0n, shown.collateral),
    row('Locked', null, record?.locked ?? false, shown.locked),
    ...markets.flatMap((marketId) => {
      const [proven, is] = [provenPositions.get(marketId), shownPositions.get(marketId)];
      return [
        row('Position', marketId, proven?.size ?? 0n, is?.size ?? 0n),
        row('Opened for', marketId, proven?.entry ?? 0n, is?.entry ?? 0n),
      ];
    }),
  ];
}

/** Whether two answers of a node say the same of what can be proven. */
export const isSameShown = (one: Shown, other: Shown): boolean =>
  one.collateral === other.collateral &&
  one.locked === other.locked &&
  one.positions.length === other.positions.length &&
  one.positions.every(({ marketId, size, entry }, index) => {
    const position = other.positions[index]!;
    return position.marketId === marketId && position.size === size && position.entry === entry;
  });
