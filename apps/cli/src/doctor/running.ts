import type { HomePaths } from '@prime/config';
import { isClockOff } from '@prime/node';
import { adminClient, type AdminClient } from '../adminClient.ts';
import { type Check, fail, ok, warn } from './check.ts';

interface RunningStatus {
  readonly gateway: { readonly httpLibrary: string | null } | null;
  readonly consensus: {
    readonly head: number;
    readonly peers: readonly unknown[];
    readonly signer: { readonly connected: boolean; readonly lastError: string | null } | null;
  } | null;
}

/** What a running node says of itself: build, head, peers, signer, clock. */
export async function runningChecks(paths: HomePaths): Promise<Check[]> {
  let admin: AdminClient;
  let status: RunningStatus;
  try {
    admin = await adminClient(paths.home);
    status = await admin.read<RunningStatus>('/status');
  } catch (error) {
    return [
      fail(
        'running node',
        (error as Error).message,
        'it runs and does not answer: look at its log, and at admin.listen',
      ),
    ];
  }
  const { gateway, consensus } = status;
  const found = `serves with ${gateway?.httpLibrary ?? 'nothing yet'}, block ${consensus?.head ?? 0}, ${consensus?.peers.length ?? 0} peers`;
  const signer = consensus?.signer ?? null;
  return [
    ok('running node', found),
    readyCheck(await admin.read<{ readonly ready: boolean; readonly reason: string | null }>('/ready')),
    ...(signer === null ? [] : [signerCheck(signer)]),
    clockCheck(clockOffsetIn(await admin.text('/metrics'))),
  ];
}

const readyCheck = ({ ready, reason }: { readonly ready: boolean; readonly reason: string | null }): Check =>
  ready ? ok('ready', 'yes') : warn('ready', reason ?? 'no', 'prime node status and prime peers list tell more');

const signerCheck = ({
  connected,
  lastError,
}: {
  readonly connected: boolean;
  readonly lastError: string | null;
}): Check =>
  connected
    ? ok('signer', 'connected')
    : fail(
        'signer',
        `is away (${lastError ?? 'no reason given'}): nothing is signed`,
        'start it; prime signer status asks it',
      );

/** @param offset s, above 0 is ahead; null where too few blocks were seen */
export function clockCheck(offset: number | null): Check {
  if (offset === null) return ok('clock', 'not compared yet: too few blocks of others since the start');
  const found = `${Math.abs(offset).toFixed(2)} s ${offset < 0 ? 'behind' : 'ahead of'} the proposers of blocks`;
  return isClockOff(offset * 1000)
    ? warn('clock', found, 'look after the time synchronization of this machine (NTP)')
    : ok('clock', found);
}

/** 0 is what the gauge has before anything was compared. @param metrics text of Prometheus */
export function clockOffsetIn(metrics: string): number | null {
  const [, value] = /^prime_clock_offset_seconds ([-\d.e+]+)$/m.exec(metrics) ?? [];
  return value === undefined || Number(value) === 0 ? null : Number(value);
}
