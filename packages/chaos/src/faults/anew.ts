/** How a node begins that has lost its blocks or its state: as its operator would let it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folders } from '../schedule/faults.ts';
import type { Started } from '../run/nodeProcess.ts';
import type { ChaosNetwork } from '../run/network.ts';

/** A node takes seconds to execute so many blocks again. Where there are more it begins with a snapshot. */
const executedAgainMax = 1_000;
/** The block that a node which begins with a snapshot is told to trust lies so far behind the newest one. */
const trustedBehindBlocks = 40;

/** Starts a node that lacks blocks or state: from genesis while the chain is short, else with a snapshot of the others. */
export async function startAnew(network: ChaosNetwork, index: number): Promise<Started> {
  const isShort = network.watch.highest(network.all) <= executedAgainMax;
  return isShort || network.homes.snapshotBlocks === 0 ? network.start(index) : startWithSnapshot(network, index);
}

/**
 * Keys and sign state stay, everything else is fetched: the state of a snapshot, and the blocks behind it. From genesis where nobody else is there to
 * name a block to trust.
 */
export async function startWithSnapshot(network: ChaosNetwork, index: number): Promise<Started> {
  const { homes, watch } = network;
  for (const folder of folders) await rm(join(homes.homes[index]!, folder), { recursive: true, force: true });
  const [source] = network
    .serving()
    .filter((each) => each !== index)
    .toSorted((a, b) => watch.heads[b]! - watch.heads[a]!);
  if (source === undefined) return network.start(index);
  const height = Math.max(1, watch.heads[source]! - trustedBehindBlocks);
  const { hash } = await network.client(homes.operatorUrls[source]!).getBlock({ blockNumber: BigInt(height) });
  network.say(`${network.name(index)} begins with a snapshot, and trusts block ${height}`);
  network.history.beginsWithSnapshot(index);
  const environment = { PRIME_SYNC_TRUSTED_HEIGHT: `${height}`, PRIME_SYNC_TRUSTED_HASH: hash };
  return network.start(index, { environment });
}
