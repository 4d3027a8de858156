/**
 * The rules of the protocol by version, and which version is in force at which height. Everything that two versions do
 * differently is a field of {@link ProtocolRules}, and whoever needs it asks {@link ProtocolSchedule.rulesAt}: no other place
 * compares heights or versions. A version that was released is never changed; a new rule is a new row of the table.
 */
import type { Height } from '@prime/primitives';

/** What may differ between two versions. */
export interface ProtocolRules {
  /** Stands in the header of every block made under these rules. */
  readonly version: number;
  /** Most evidence in a block, bytes of its encodings. */
  readonly evidenceBytesMax: number;
}

/**
 * 1: the first. 2: room for evidence against every member of the largest set in one block, so that an attack by more than a third
 * answers for itself at once (16 KiB are some 40 pieces).
 */
const versions: readonly ProtocolRules[] = [
  { version: 1, evidenceBytesMax: 16 * 1024 },
  { version: 2, evidenceBytesMax: 64 * 1024 },
];

/** Newest protocol version that this program knows the rules of. */
export const protocolVersionMax: number = versions.at(-1)!.version;

/** From a height on, blocks are made under another version. */
export interface Upgrade {
  readonly version: number;
  /** First height of the version. */
  readonly height: Height;
}

/** Most upgrades of a network. */
export const upgradesMax = 64;

/** When a network moves to which version, as far as a node was told, and how far its program can follow. */
export interface ProtocolSchedule {
  /** In the order of their heights. */
  readonly upgrades: readonly Upgrade[];
  /** Newest version that this node follows. */
  readonly knownMax: number;
  versionAt(height: Height): number;
  /** The rules of a height; null where its version is one that this node does not know: it can not take part there. */
  rulesAt(height: Height): ProtocolRules | null;
  /** The first upgrade above a height. */
  nextAfter(height: Height): Upgrade | null;
}

/**
 * What is wrong with a list of upgrades: versions and heights have to grow, from version 2 and block 1 on.
 *
 * @returns index and words, or null when nothing is
 */
export function upgradesProblem(
  upgrades: readonly Upgrade[],
): { readonly index: number; readonly allowed: string } | null {
  let previous = { version: 1, height: 0 };
  for (const [index, upgrade] of upgrades.entries()) {
    if (upgrade.version <= previous.version) return { index, allowed: `a version above ${previous.version}` };
    if (upgrade.height <= previous.height) return { index, allowed: `a height above ${previous.height}` };
    previous = upgrade;
  }
  return upgrades.length <= upgradesMax ? null : { index: upgradesMax, allowed: `at most ${upgradesMax} upgrades` };
}

/**
 * @param upgrades of genesis, then of the node's configuration; without {@link upgradesProblem}
 * @param knownMax newest version that is followed; more than the program knows has no effect
 */
export function createProtocolSchedule(
  upgrades: readonly Upgrade[],
  knownMax: number = protocolVersionMax,
): ProtocolSchedule {
  const known = Math.min(knownMax, protocolVersionMax);
  const versionAt = (height: Height): number => upgrades.findLast((upgrade) => upgrade.height <= height)?.version ?? 1;
  return {
    upgrades,
    knownMax: known,
    versionAt,
    rulesAt(height) {
      const version = versionAt(height);
      return version > known ? null : (versions.find((rules) => rules.version === version) ?? null);
    },
    nextAfter: (height) => upgrades.find((upgrade) => upgrade.height > height) ?? null,
  };
}
