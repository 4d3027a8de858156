/**
 * How a node goes through an upgrade. It takes part at a height only under rules that it knows, and under those that its schedule
 * has for the height. What contradicts that is never followed: a single proposal of another version is voted against, one that more
 * than 2/3 decided stops the node before it is executed.
 */
import {
  createProtocolSchedule,
  type Genesis,
  type Header,
  type ProtocolRules,
  type ProtocolSchedule,
  type Upgrade,
  type ValidatorSet,
} from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import { EngineError, haltedAt } from '../errors.ts';
import type { EngineLog } from '../log.ts';
import type { BlockStore, Peer, ProtocolOffer } from '../ports.ts';

/** The next block is of a version that this program does not know, or is told not to follow. */
const upgradeNeeded = (height: Height, version: number, known: number): EngineError =>
  new EngineError(
    `block ${height} begins protocol version ${version}, and this node follows versions up to ${known}: ` +
      'start it with a program that knows the new version, in the same home',
    { code: 'ENGINE_UPGRADE_NEEDED', height, version, known },
  );

/** The rules of a height. @throws EngineError `ENGINE_UPGRADE_NEEDED` */
export function rulesFor(protocol: ProtocolSchedule, height: Height): ProtocolRules {
  const rules = protocol.rulesAt(height);
  if (rules === null) throw upgradeNeeded(height, protocol.versionAt(height), protocol.knownMax);
  return rules;
}

/** What a decided block of another version than the own schedule has for its height means; null when it is of that version. */
export function versionProblem(
  { height, version }: Pick<Header, 'height' | 'version'>,
  protocol: ProtocolSchedule,
): EngineError | null {
  const scheduled = protocol.versionAt(height);
  if (version === scheduled) return null;
  if (version > protocol.knownMax) return upgradeNeeded(height, version, protocol.knownMax);
  return new EngineError(
    `block ${height} was decided under protocol version ${version}, and the schedule of this node has version ${scheduled} there: ` +
      'set upgrades.schedule as the other nodes have it',
    { code: 'ENGINE_VERSION_MISMATCH', height, version, scheduled },
  );
}

/** What says which protocol version a height has, and at which block this node stops. */
export interface ProtocolGateOptions {
  readonly genesis: Pick<Genesis, 'upgrades'>;
  /** Default: what genesis says, as far as this program knows. */
  readonly protocol?: ProtocolSchedule;
  /** Block after which no height is taken part in. */
  readonly haltHeight?: Height;
  readonly blocks: Pick<BlockStore, 'get'>;
}

/** Which heights an engine takes part in. */
export class ProtocolGate {
  readonly schedule: ProtocolSchedule;
  readonly #haltHeight: Height | null;
  readonly #blocks: ProtocolGateOptions['blocks'];

  constructor({ genesis, protocol, haltHeight, blocks }: ProtocolGateOptions) {
    this.schedule = protocol ?? createProtocolSchedule(genesis.upgrades ?? []);
    this.#haltHeight = haltHeight ?? null;
    this.#blocks = blocks;
  }

  /** Why the height after the head is not for this node; null when it is. */
  problem(head: Height): EngineError | null {
    if (this.#haltHeight !== null && head >= this.#haltHeight) return haltedAt(head);
    const { rulesAt, versionAt, knownMax } = this.schedule;
    const next = (head + 1) as Height;
    return rulesAt(next) === null ? upgradeNeeded(next, versionAt(next), knownMax) : null;
  }

  /** @throws EngineError `ENGINE_UPGRADE_NEEDED`, `ENGINE_HALT_HEIGHT` when the height after the head is not for this node */
  check(head: Height): void {
    const problem = this.problem(head);
    if (problem !== null) throw problem;
  }

  /**
   * The same at a start, which also refuses to go on from a block that the schedule does not describe, for instance because a passed
   * upgrade was taken out of it.
   *
   * @throws EngineError also `ENGINE_VERSION_MISMATCH`
   */
  checkStart(head: Height): void {
    const stored = head === 0 ? null : this.#blocks.get(head);
    const problem = stored === null ? null : versionProblem(stored.block.header, this.schedule);
    if (problem !== null) throw problem;
    this.check(head);
  }

  /** Most evidence in the block after the head, bytes. */
  evidenceBytesMax(head: Height): number {
    return this.schedule.rulesAt((head + 1) as Height)?.evidenceBytesMax ?? 0;
  }
}

/** Upgrades that a node tells its peers of: the first ones above its head. */
export const offeredUpgradesMax = 16;

/** What a node whose head is at `head` tells its peers. */
export const protocolOffer = ({ knownMax, upgrades }: ProtocolSchedule, head: Height): ProtocolOffer => ({
  known: knownMax,
  upgrades: upgrades.filter(({ height }) => height > head).slice(0, offeredUpgradesMax),
});

/** What is known of the next upgrade, for operators. */
export interface UpgradeStatus {
  /** In force for the next block. */
  readonly version: number;
  /** Newest version that this node follows. */
  readonly known: number;
  readonly next:
    | (Upgrade & { readonly known: boolean; readonly readyPower: bigint; readonly totalPower: bigint })
    | null;
}

/** @param self the own validator, null when this node is none */
export function upgradeStatus(
  protocol: ProtocolSchedule,
  head: Height,
  { validators }: ValidatorSet,
  peers: readonly Peer[],
  self: Address | null,
): UpgradeStatus {
  const height = (head + 1) as Height;
  const status = { version: protocol.versionAt(height), known: protocol.knownMax };
  const next = protocol.nextAfter(height);
  if (next === null) return { ...status, next };
  const ready = new Set(peers.filter((peer) => isReady(peer.protocol, next)).map(({ address }) => address));
  if (self !== null && protocol.knownMax >= next.version) ready.add(self);
  const powerOf = (counts: (address: Address) => boolean): bigint =>
    validators.reduce((sum, { address, power }) => (counts(address) ? sum + power : sum), 0n);
  return {
    ...status,
    next: {
      ...next,
      known: next.version <= protocol.knownMax,
      readyPower: powerOf((address) => ready.has(address)),
      totalPower: powerOf(() => true),
    },
  };
}

/** Whether a peer said that it goes along with an upgrade: it knows the version, and has it at the same height. */
const isReady = (offer: ProtocolOffer | undefined, next: Upgrade): boolean =>
  offer !== undefined &&
  offer.known >= next.version &&
  offer.upgrades.some(({ version, height }) => version === next.version && height === next.height);

/** Tells the operator early what a peer and this node do not agree on about the heights to come. */
export function compareOffers(
  protocol: ProtocolSchedule,
  head: Height,
  { address, protocol: offer }: Peer,
  log: EngineLog,
): void {
  if (offer === undefined) return;
  for (const { version, height } of offer.upgrades.filter((upgrade) => upgrade.height > head)) {
    const fields = { peer: address, version, height, known: protocol.knownMax };
    if (version > protocol.knownMax)
      log.warn('a peer is to move to a protocol version that this node does not know', fields);
    else if (!protocol.upgrades.some((own) => own.version === version && own.height === height))
      log.warn('a peer has another schedule of upgrades than this node', fields);
  }
  const next = protocol.nextAfter(head);
  if (next !== null && offer.known < next.version)
    log.warn('a peer does not know the next protocol version', { peer: address, ...next, known: offer.known });
}
