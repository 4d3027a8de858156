import { ChainError, chunkHash } from '@prime/chain';
import { genesisHash, type Genesis } from '@prime/codec';
import type { HomePaths, NodeConfig } from '@prime/config';
import { type CryptoProvider, cryptoProvider } from '@prime/crypto';
import {
  createSnapshotChecks,
  StateSyncDriver,
  type StateSyncPorts,
  type StateSyncStatus,
  stateSyncTickMs,
} from '@prime/engine';
import type { Network } from '@prime/network';
import { type Height, isPrimeError, parseHash } from '@prime/primitives';
import type { Logger } from '@prime/telemetry';
import { nodeClock } from '../clock.ts';
import { engineLog } from '../logging.ts';
import { openNetwork } from '../peers/network.ts';
import { restoreSnapshot } from './restore.ts';
import { openRemoteKeys, type RemoteKeys } from '../keys/remoteKeys.ts';
import { startSyncAdmin } from '../operator/syncAdmin.ts';
import type { UnlockedKeys } from '../keys/hotKeys.ts';
import { openKeys } from '../keys/openKeys.ts';
import type { ValidatorKeys } from '../keys/validatorKeys.ts';

/** A node that begins with a snapshot of its peers, before any of its threads is there. */
export interface StateSyncRun {
  readonly home: HomePaths;
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  readonly keys: UnlockedKeys;
  readonly clockOffsetMs: number;
  readonly logger: Logger;
}

/**
 * Fills an empty home with the newest snapshot of the peers that holds up against the trusted block. Before the threads are started: their state is
 * there as a whole, or not at all.
 *
 * @param signal ends it; nothing is left then
 * @throws what the disk throws; lies of peers cost time and nothing else
 */
export async function syncState(run: StateSyncRun, signal: AbortSignal): Promise<void> {
  const { config, home, genesis, logger } = run;
  const remote = openRemoteKeys(run, { newest: () => null, logger, metrics: null });
  await remote?.introduce();
  const { driver, network, keys } = connect(run, await cryptoProvider(), remote);
  const status = (): StateSyncStatus => driver.status();
  const admin = await startSyncAdmin(config.admin.listen, { home, genesis, p2p: config.p2p, status, network, keys });
  const timer = setInterval(() => driver.tick(), stateSyncTickMs);
  try {
    await network.start();
    await Promise.race([driver.done, aborted(signal)]);
  } finally {
    clearInterval(timer);
    await driver.stop();
    await network.close();
    // The threads' one takes its port.
    await admin?.close();
  }
}

/** The driver on the network of the node. */
function connect(
  run: StateSyncRun,
  provider: CryptoProvider,
  remote: RemoteKeys | null,
): { readonly driver: StateSyncDriver; readonly network: Network; readonly keys: ValidatorKeys } {
  const { config, genesis, logger } = run;
  const clock = nodeClock(run.clockOffsetMs);
  const { trustedHeight, trustedHash } = config.sync;
  const trusted = { height: trustedHeight as Height, hash: parseHash(trustedHash) };
  const domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  const checks = createSnapshotChecks(domain, provider);
  const driver = new StateSyncDriver(
    { trusted, domain, provider, chunkHash, checks },
    {
      send: (peer, message) => network.send(peer, message),
      ban: (peer, reason) => network.punish(peer, reason),
      restore: restoreIn(run),
      clock,
      log: engineLog(logger),
    },
  );
  const { keys } = openKeys({ ...run, remote, provider });
  const network = openNetwork({
    data: run,
    validator: config.node.role === 'validator' ? keys.self() : null,
    keys,
    credential: remote?.credential ?? null,
    provider,
    logger,
    clock,
    head: () => 0 as Height,
    events: driver,
  });
  logger.info({ trusted: trustedHeight, genesis: domain.genesisHash }, 'looking for a snapshot of the state');
  return { driver, network, keys };
}

/** Into the home, which is empty. */
const restoreIn =
  (run: StateSyncRun): StateSyncPorts['restore'] =>
  async (manifest, chunks, refuse) => {
    try {
      await restoreSnapshot(run, manifest, chunks, (restored) => {
        const reason = refuse(restored);
        if (reason !== null) throw new ChainError(reason, { code: 'CHAIN_SNAPSHOT_REFUSED', reason });
      });
      return null;
    } catch (error) {
      if (!isPrimeError(error) || error.code !== 'CHAIN_SNAPSHOT_REFUSED') throw error;
      return error.message;
    }
  };

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
