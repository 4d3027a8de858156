import type { Genesis } from '@prime/codec';
import type { HomePaths, NodeConfig } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import type { StateSyncStatus } from '@prime/engine';
import type { Network } from '@prime/network';
import { type Admin, startAdmin } from './admin.ts';
import { createHomeBytes } from '../home/homeBytes.ts';
import { createNodeMetrics } from '../metrics/metrics.ts';
import { readProcess } from '../metrics/processMetrics.ts';
import { operatePeers, type PeerDeskParts } from './peerDesk.ts';
import { isLogRequest, ownLogLevels } from './logDesk.ts';
import type { OperatorRequest } from './requests.ts';
import { createAdminToken } from './token.ts';
import { NodeError } from '../errors.ts';
import { createStageDesk } from '../stages/stageDesk.ts';
import { diskRoom, type Standing } from '../metrics/standingMetrics.ts';
import type { ValidatorKeys } from '../keys/validatorKeys.ts';
import { readVitals } from '../metrics/vitals.ts';

/** What the admin endpoint shows while a node still begins with a snapshot. */
export interface SyncAdminParts {
  readonly home: HomePaths;
  /** All that is known of the validators. */
  readonly genesis: Genesis;
  readonly p2p: NodeConfig['p2p'];
  readonly status: () => StateSyncStatus;
  readonly network: Network;
  readonly keys: ValidatorKeys;
}

/** For people. */
function stateSyncWords({ trustedHeight, peers, snapshot }: StateSyncStatus): string {
  const from = `${peers} ${peers === 1 ? 'peer' : 'peers'}`;
  return snapshot === null
    ? `state sync from block ${trustedHeight}: no snapshot yet, ${from}`
    : `state sync from block ${trustedHeight}: ${snapshot.received} of ${snapshot.chunks} chunks of the snapshot of height ${snapshot.height}, ${from}`;
}

/**
 * The admin endpoint of a node that fetches its state and has no threads yet: the paths of a running one, as far as there is something to tell.
 *
 * @param listen of the configuration, which may have no admin endpoint
 * @returns null where it has none
 * @throws NodeError `ADMIN_LISTEN_FAILED`
 */
export async function startSyncAdmin(
  listen: NodeConfig['admin']['listen'],
  parts: SyncAdminParts,
): Promise<Admin | null> {
  if (listen === null) return null;
  const { home, status } = parts;
  const homeBytes = createHomeBytes({ folder: home.home });
  const metrics = createNodeMetrics(
    [],
    () => [],
    async () => standingOf(home.home, await homeBytes()),
  );
  const peers = peerDeskOf(parts);
  // Nothing is stamped before there are threads.
  const stages = createStageDesk({ stamps: 0, clockOffsetMs: 0, tell: async () => undefined });
  const operate = async (request: OperatorRequest): Promise<unknown> => {
    if (request.kind === 'dump') return null;
    if (request.kind === 'stages' || request.kind === 'backupSnapshot')
      throw new NodeError('the node fetches its state: ask again', { code: 'OPERATOR_STARTING' });
    return isLogRequest(request) ? ownLogLevels(request) : operatePeers(peers, request);
  };
  return startAdmin(
    listen.host,
    listen.port,
    {
      health: async () => true,
      ready: async () => ({ ready: false, reason: stateSyncWords(status()) }),
      status: async () => ({ stateSync: status(), clob: null, evm: null, gateway: null, consensus: null }),
      consensus: async () => null,
      metrics: () => metrics.render(),
      stages: (query) => stages.read(query),
      operate,
    },
    createAdminToken(home.adminToken),
  );
}

const standingOf = (folder: string, homeBytes: number | null): Standing => ({
  consensus: null,
  answers: [],
  execution: null,
  gateway: null,
  disk: diskRoom(folder),
  homeBytes,
  process: readProcess(),
  vitals: [{ thread: 'supervisor', vitals: readVitals() }],
});

function peerDeskOf({ genesis, p2p, network, keys }: SyncAdminParts): PeerDeskParts {
  const validators = validatorsFromGenesis(genesis.validators);
  return {
    network,
    heads: { head: () => null },
    status: () => ({
      validators,
      reachable: network.peerDetails().map(({ address }) => address),
      self: keys.self(),
    }),
    shown: keys.self() ?? keys.shown().address,
    p2p,
  };
}
