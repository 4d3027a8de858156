import type { StoredBlock } from '@prime/codec';
import { type Hash, parseAddress } from '@prime/primitives';
import type { AskedNode } from './users.ts';

/**
 * Networks between regions of the earth, without faults: what the protocol costs in light and glass. Typical round trips between data centres
 * of one large provider, ms, rounded; validators are spread over the regions of a profile in turn. Processors cost nothing here: benchmarks
 * tell what they do.
 */
const regions = ['virginia', 'oregon', 'ireland', 'frankfurt', 'tokyo', 'singapore', 'saoPaulo'] as const;
const roundTrips: readonly (readonly number[])[] = [
  [1, 65, 70, 90, 155, 220, 115],
  [65, 1, 125, 145, 100, 165, 175],
  [70, 125, 1, 26, 205, 180, 180],
  [90, 145, 26, 1, 225, 160, 205],
  [155, 100, 205, 225, 1, 70, 260],
  [220, 165, 180, 160, 70, 1, 325],
  [115, 175, 180, 205, 260, 325, 1],
];

type Region = (typeof regions)[number];

export const wanProfiles = {
  /** One data centre. */
  region: ['frankfurt'],
  europe: ['ireland', 'frankfurt'],
  atlantic: ['virginia', 'oregon', 'ireland', 'frankfurt'],
  world: ['virginia', 'frankfurt', 'tokyo', 'singapore', 'oregon', 'ireland', 'saoPaulo'],
} as const satisfies Readonly<Record<string, readonly Region[]>>;

export type WanProfile = keyof typeof wanProfiles;

/** One way between the validators with these numbers, ms. */
export function oneWayMs(profile: WanProfile, from: number, to: number): number {
  const places = wanProfiles[profile];
  const place = (index: number): number => regions.indexOf(places[index % places.length]!);
  return roundTrips[place(from)]![place(to)]! / 2;
}

/** When blocks were proposed and committed, and when what clients sent was shown to them; virtual time. */
export class Timing {
  readonly blocks: number[] = [];
  readonly writes: number[] = [];
  readonly #nowMs: () => number;
  readonly #proposed = new Map<Hash, number>();
  readonly #submitted = new Map<Hash, { readonly node: AskedNode; readonly atMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  onProposal(hash: Hash): void {
    if (!this.#proposed.has(hash)) this.#proposed.set(hash, this.#nowMs());
  }

  onSubmitted(node: AskedNode, hash: Hash): void {
    this.#submitted.set(hash, { node, atMs: this.#nowMs() });
  }

  /** A node has the block executed for good. */
  onCommitted(node: AskedNode, { hash }: StoredBlock, actions: readonly Hash[]): void {
    const proposedMs = this.#proposed.get(hash);
    if (proposedMs !== undefined) this.blocks.push(this.#nowMs() - proposedMs);
    for (const action of actions) {
      const submitted = this.#submitted.get(action);
      if (submitted?.node === node) this.writes.push(this.#nowMs() - submitted.atMs);
    }
  }
}

export interface WanResult {
  readonly violation: string | null;
  readonly blocksPerSecond: number;
  /** From the proposal to the executed block, at every node, ms. */
  readonly commitMs: { readonly p50: number; readonly p99: number };
  /** From a client's call to the block with it, at the node that was asked, ms. */
  readonly writeMs: { readonly p50: number; readonly p99: number };
}

/** Clients everywhere, for as long as the run lasts. */
export function planClients(nodes: readonly AskedNode[], after: (delayMs: number, work: () => void) => void): void {
  const account = parseAddress(`0x${'77'.repeat(20)}`);
  for (let call = 0; call < 1_200; call++)
    after(1_000 + call * 97, () => void nodes[call % nodes.length]!.submitAction(account, { type: 'noop' }));
}

const percentile = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0);

/** @param run simulateNetwork with these changes */
export async function measureWan(
  profile: WanProfile,
  validatorCount: number,
  run: (changes: { readonly profile: WanProfile; readonly validatorCount: number }) => Promise<{
    readonly violation: string | null;
    readonly heights: number;
    readonly virtualMs: number;
    readonly timing: Timing | null;
  }>,
): Promise<WanResult> {
  const { violation, heights, virtualMs, timing } = await run({ profile, validatorCount });
  const spread = (values: readonly number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });
  return {
    violation,
    blocksPerSecond: Math.round((heights * 10_000) / virtualMs) / 10,
    commitMs: spread(timing?.blocks ?? []),
    writeMs: spread(timing?.writes ?? []),
  };
}
