import { chunkHash, createSnapshotRestore } from '@prime/chain';
import {
  type Clock,
  createSnapshotChecks,
  type EngineLog,
  type SnapshotChecks,
  StateSyncDriver,
  type StateSyncPorts,
  stateSyncTickMs,
} from '@prime/engine';
import { type Hash, type Height, isPrimeError, type Prng } from '@prime/primitives';
import { SimulatedDatabase } from './database.ts';
import type { NodeDisk } from './disk.ts';
import type { World } from '../world.ts';

/** A block that an operator knows to be of the chain. */
export interface TrustedBlock {
  readonly height: Height;
  readonly hash: Hash;
}

export interface JoiningNode extends Pick<StateSyncPorts, 'send' | 'ban'> {
  readonly world: World;
  readonly disk: NodeDisk;
  readonly prng: Prng;
  readonly trusted: TrustedBlock;
  readonly log: EngineLog;
  /** Of the process. */
  readonly clock: Clock;
  readonly isAlive: () => boolean;
}

/** A node that takes every snapshot for the chain's, as long as it fits together. */
const credulous: SnapshotChecks = { manifest: () => null, restored: () => null };

/** The state sync of a node, as it runs before the engine is begun. */
export function createJoining(node: JoiningNode): StateSyncDriver {
  const { world, trusted, clock } = node;
  const { genesis, genesisHash, provider, options } = world;
  const domain = { chainId: genesis.chainId, genesisHash };
  const checks = options.trustsSnapshots ? credulous : createSnapshotChecks(domain, provider);
  const driver: StateSyncDriver = new StateSyncDriver(
    { trusted, domain, provider, chunkHash, checks },
    { ...node, restore: restoreOn(node) },
  );
  const tick = (): void => {
    driver.tick();
    clock.after(stateSyncTickMs, tick);
  };
  tick();
  return driver;
}

/** Into folders of their own, which take the place of the node's when all is well. */
const restoreOn =
  ({ world, disk, prng, isAlive }: JoiningNode): StateSyncPorts['restore'] =>
  async (manifest, chunks, refuse) => {
    const { time, genesis, seen } = world;
    const state = new SimulatedDatabase(prng.fork());
    try {
      const restore = createSnapshotRestore(state, genesis, manifest);
      for await (const chunk of chunks) {
        await time.hold(() => restore.add(chunk));
        await time.sleep(prng.below(10));
      }
      const restored = await time.hold(() => restore.finish());
      const reason = refuse(restored);
      if (reason === null && isAlive()) disk.adopt(restored, state);
      return reason;
    } catch (error) {
      if (!isPrimeError(error) || error.code !== 'CHAIN_SNAPSHOT_REFUSED') throw error;
      seen.snapshotsRefused += 1;
      return error.message;
    }
  };
