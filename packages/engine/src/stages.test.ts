import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import type { EngineStages } from './stages.ts';
import { Cluster } from './testing/cluster.ts';

const owner = `0x${'cc'.repeat(20)}` as Address;
const action = { type: 'deposit', amount: 5n } as const;

interface Told {
  readonly node: number;
  readonly stage: keyof EngineStages;
  readonly height: number;
  readonly hash: string;
  /** Actions of the block. */
  readonly actions: readonly string[];
  readonly atMs: number;
}

/** Four validators, and all that they tell of stages. */
async function watched(seed: number) {
  const cluster = await Cluster.create(4, seed);
  const told: Told[] = [];
  cluster.stagesOf = (node) => {
    const tell = (stage: keyof EngineStages, height: number, hash: string, actions: readonly string[] = []): void =>
      void told.push({ node, stage, height, hash, actions, atMs: cluster.time.nowMs });
    return {
      pooled: (item) => tell('pooled', 0, item),
      proposed: ({ hash, block, actions }) =>
        tell(
          'proposed',
          block.header.height,
          hash,
          actions.map((each) => each.hash),
        ),
      received: ({ hash, block, actions }) =>
        tell(
          'received',
          block.header.height,
          hash,
          actions.map((each) => each.hash),
        ),
      polka: (height, hash) => tell('polka', height, hash),
      decided: (height, hash) => tell('decided', height, hash),
      durable: ({ hash, block }) => tell('durable', block.header.height, hash),
    };
  };
  for (const { index } of cluster.nodes) await cluster.start(index);
  return { cluster, told };
}

const isCommitted = (cluster: Cluster) => (): boolean =>
  cluster.nodes.every(({ disk }) => disk.blocks.some(({ block }) => block.actions.length === 1));

describe('stages that the engine tells', () => {
  it('an action is pooled everywhere, and its block comes to each stage once and in order on every validator', async () => {
    const { cluster, told } = await watched(301);
    await cluster.time.runUntil(() => cluster.nodes.every(({ index }) => cluster.height(index) >= 2), 10_000);
    const item = await cluster.nodes[1]!.engine!.submitAction(owner, action);
    expect(await cluster.time.runUntil(isCommitted(cluster), 10_000)).toBe(true);
    const { hash, height } = told.find(({ stage, actions }) => stage === 'proposed' && actions.includes(item))!;
    const proposers: number[] = [];
    for (const { index, disk } of cluster.nodes) {
      const own = told.filter((each) => each.node === index && (each.hash === hash || each.hash === item));
      const begin = own[1]!.stage;
      if (begin === 'proposed') proposers.push(index);
      expect({ index, stages: own.map(({ stage }) => stage) }).toEqual({
        index,
        stages: ['pooled', begin, 'polka', 'decided', 'durable'],
      });
      expect(['proposed', 'received']).toContain(begin);
      expect(own.slice(1).every((each) => each.height === height)).toBe(true);
      expect(own[1]!.actions).toEqual([item]);
      expect([...own].sort((a, b) => a.atMs - b.atMs)).toEqual(own);
      expect(disk.blocks[height - 1]!.hash).toBe(hash);
    }
    expect(proposers).toHaveLength(1);
  });

  it('a validator that starts again tells nothing of what it replays, and of the decision only what comes after it', async () => {
    const { cluster, told } = await watched(302);
    const { disk } = cluster.nodes[2]!;
    let isHeld = true;
    disk.beforeAppend = (height) => (isHeld && height === 3 ? new Promise(() => undefined) : Promise.resolve());
    const hasDecided = (): boolean =>
      told.some(({ node, stage, height }) => node === 2 && stage === 'decided' && height === 3);
    expect(await cluster.time.runUntil(hasDecided, 10_000)).toBe(true);
    // The votes that decided stand in the log, too.
    disk.wal.sync();
    cluster.crash(2);
    expect(cluster.height(2)).toBe(2);
    told.length = 0;
    isHeld = false;
    cluster.connected = () => false;
    await cluster.start(2);
    expect(await cluster.time.runUntil(() => cluster.height(2) === 3, 1_000)).toBe(true);
    expect(told.filter(({ node }) => node === 2).map(({ stage, height }) => [stage, height])).toEqual([['durable', 3]]);
  });

  it('a block that was fetched is durable, and neither proposed nor voted for here', async () => {
    const { cluster, told } = await watched(303);
    await cluster.time.runUntil(() => cluster.height(0) >= 2, 10_000);
    cluster.crash(3);
    const missed = cluster.height(3) + 2;
    await cluster.time.runUntil(() => cluster.height(0) > missed + 2, 30_000);
    told.length = 0;
    await cluster.start(3);
    expect(await cluster.time.runUntil(() => cluster.height(3) > missed, 30_000)).toBe(true);
    expect(told.filter(({ node, height }) => node === 3 && height === missed).map(({ stage }) => stage)).toEqual([
      'durable',
    ]);
  });
});
