import { isQuorum, type ProtocolSchedule } from '@prime/codec';
import type { HomePaths, NodeConfig } from '@prime/config';
import { isClockOff } from '@prime/node';
import { listNames } from '@prime/sdk/explain';
import { adminClient, type AdminClient, type ConsensusStatus } from '../node/adminClient.ts';
import { readNodeMetrics } from '../node/nodeMetrics.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { inboundCheck } from './inbound.ts';
import { versionCheck } from './peers.ts';
import { feederCheck, staleCheck } from './prices.ts';

interface RunningStatus {
  readonly gateway: { readonly httpLibrary: string | null } | null;
  readonly consensus: ConsensusStatus | null;
}

interface PeerList {
  readonly peers: readonly {
    readonly address: string;
    readonly direction: 'inbound' | 'outbound';
    readonly knownVersion: number | null;
  }[];
  readonly unconnected: readonly {
    readonly address: string;
    readonly host: string;
    readonly port: number;
    readonly trouble: { readonly code: string; readonly reason: string; readonly forMs: number } | null;
  }[];
  readonly connectedPower: string;
  readonly totalPower: string;
}

/** What a running node says of itself: build, head, peers both ways, versions, signer, prices, clock. */
export async function runningChecks(
  paths: HomePaths,
  config: NodeConfig | null,
  protocol: ProtocolSchedule | null,
): Promise<Check[]> {
  let admin: AdminClient;
  let status: RunningStatus;
  try {
    admin = await adminClient(paths.home);
    status = await admin.read<RunningStatus>('/status');
  } catch (error) {
    return [
      fail('running node', (error as Error).message, {
        why: 'whoever looks after it is told nothing, and it may stand still',
        advice: 'it runs and does not answer: look at its log, and at admin.listen',
      }),
    ];
  }
  const { gateway, consensus } = status;
  const found = `serves with ${gateway?.httpLibrary ?? 'nothing yet'}, block ${consensus?.head ?? 0}, ${consensus?.peers.length ?? 0} peers`;
  const signer = consensus?.signer ?? null;
  const list = await admin.read<PeerList>('/peers');
  const { clockOffsetSeconds, prices } = readNodeMetrics(await admin.text('/metrics'));
  const versions = list.peers.map(({ address, knownVersion }) => ({
    name: address,
    known: knownVersion,
    upgrades: [],
  }));
  return [
    ok('running node', found),
    readyCheck(await admin.read<{ readonly ready: boolean; readonly reason: string | null }>('/ready')),
    connectedCheck(list),
    ...(config === null ? [] : [await inboundCheck(paths, config, list.peers)]),
    ...(protocol === null ? [] : [versionCheck(versions, protocol)]),
    ...(signer === null ? [] : [signerCheck(signer)]),
    ...staleCheck(prices.markets),
    ...feederCheck(prices),
    clockCheck(clockOffsetSeconds),
  ];
}

const readyCheck = ({ ready, reason }: { readonly ready: boolean; readonly reason: string | null }): Check =>
  ready
    ? ok('ready', 'yes')
    : warn('ready', reason ?? 'no', {
        why: 'balancers send no callers here, and it may be of no use for the next block',
        advice: 'prime why behind and prime peers list tell more',
      });

/** Whom the node dials and can not reach. */
export function connectedCheck({ peers, unconnected, connectedPower, totalPower }: PeerList): Check {
  const found = `${peers.length} are connected, with ${connectedPower} of ${totalPower} voting power`;
  const troubled = unconnected.filter(({ trouble }) => trouble !== null);
  if (troubled.length === 0) return ok('peers', found);
  const told = listNames(
    troubled.map(
      ({ host, port, trouble }) => `${host}:${port} (${trouble!.reason}, for ${(trouble!.forMs / 1_000).toFixed(0)} s)`,
    ),
  );
  const advice = {
    why: 'votes and blocks of who is not connected come through others, later or not at all',
    advice: 'look after firewalls on both sides, and whether they run; prime peers list tells more',
  };
  const tell = isQuorum(BigInt(connectedPower), BigInt(totalPower)) ? warn : fail;
  return tell('peers', `${found}, and not: ${told}`, advice);
}

const signerCheck = ({
  connected,
  lastError,
}: {
  readonly connected: boolean;
  readonly lastError: string | null;
}): Check =>
  connected
    ? ok('signer', 'connected')
    : fail('signer', `is away (${lastError ?? 'no reason given'}): nothing is signed`, {
        why: 'a validator that signs nothing is jailed after a time',
        advice: 'start it; prime signer status asks it',
      });

/** Whether a clock is so far off that it costs votes. @param whose clocks somebody should look after */
export const clockVerdict = (found: string, offsetMs: number, whose: string): Check =>
  isClockOff(offsetMs)
    ? warn('clock', found, {
        why: 'validators vote against blocks whose time lies too far from their own clock',
        advice: `look after the time synchronization of ${whose}`,
      })
    : ok('clock', found);

/** @param offset s, above 0 is ahead; null where too few blocks were seen */
export function clockCheck(offset: number | null): Check {
  if (offset === null) return ok('clock', 'not compared yet: too few blocks of others since the start');
  const found = `${Math.abs(offset).toFixed(2)} s ${offset < 0 ? 'behind' : 'ahead of'} the proposers of blocks`;
  return clockVerdict(found, offset * 1_000, 'this machine (NTP)');
}
