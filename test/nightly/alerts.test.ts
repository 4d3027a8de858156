import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PrometheusAlert, prometheusAtHand, until } from '@prime/testkit';
import { Customer, type WatchedNetwork, watchedNetwork } from '../e2e/operations/watchedNetwork.ts';
import { readText } from '../repo/repository.ts';
import { type Isolation, isolatable } from './isolation.ts';

/**
 * Faults of a real network of four validators, and what a real Prometheus with our rules says of them: the right alert wakes somebody, no other one does, and it ends when the
 * fault does.
 */

/** Times of the rules, `for` and windows, are so many times shorter here: 5 minutes are 15 seconds. Limits in seconds stay. */
const hurry = 20;
/** s. A `for` of 30 s is three scrapes then. */
const intervalSeconds = 0.5;

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const shorter = (count: string, unit: string): string =>
  `${(Number(count) * unitSeconds[unit as keyof typeof unitSeconds] * 1000) / hurry}ms`;
const hurried = (rules: string): string =>
  rules
    .replaceAll(
      /^( {8}for: )(\d+)([smhd])$/gm,
      (_, before: string, count: string, unit: string) => before + shorter(count, unit),
    )
    .replaceAll(/\[(\d+)([smhd])\]/g, (_, count: string, unit: string) => `[${shorter(count, unit)}]`);

/** About how fast a machine is: where tests run, it may be slow, and that is no fault of the network. */
const ofSlowMachines = new Set([
  'PrimeThreadBusy',
  'PrimeThreadLate',
  'PrimeDiskSlow',
  'PrimeExecutionSlow',
  'PrimeRpcSlow',
  'PrimeRpcSheds',
]);
/** What others see while one of four validators takes no part: a quarter of the power, and the turns of a proposer. */
const withoutOne = ['PrimeMissingPower', 'PrimeLateRounds'];

const isHere = prometheusAtHand();
const nodes = { killed: 1, stalled: 2, cut: 3, full: 0, late: 2 } as const;
let network: WatchedNetwork;
let isolation: Isolation;
let customer: Customer;
/** Homes that are disks. */
const mounted: string[] = [];

const diskBytes = 8 * 2 ** 30;
const mount = (...args: readonly string[]): boolean => {
  try {
    execFileSync('mount', [...args], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

beforeAll(async () => {
  if (!isHere) return;
  network = await watchedNetwork(
    {
      validators: 4,
      genesis: (genesis) => {
        // Nobody is jailed for what is done here.
        genesis['staking'] = {};
      },
    },
    { intervalSeconds, rules: [hurried(readText('deploy/prometheus/prime.rules.yaml'))] },
    async (testnet) => {
      isolation = await isolatable(testnet, nodes.cut);
      // A disk of its own for each home: what else goes on on this machine's disk is nobody's fault here.
      for (let node = 0; node < testnet.count; node++) {
        const home = testnet.home(node);
        const copy = `${home}.before`;
        execFileSync('cp', ['-a', home, copy]);
        if (!mount('-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', home)) return;
        mounted.push(home);
        execFileSync('cp', ['-a', `${copy}/.`, home]);
      }
    },
  );
  customer = new Customer(network.testnet, nodes.full);
  customer.start();
});
afterAll(async () => {
  await customer?.end();
  await isolation?.close();
  for (const [node, home] of mounted.entries()) {
    await network?.testnet.kill(node, 'SIGKILL');
    execFileSync('umount', [home]);
  }
  await network?.close();
});

/** Alerts that fire or will soon, but those about the speed of this machine. */
async function raised(): Promise<readonly PrometheusAlert[]> {
  const alerts = await network.prometheus.alerts();
  const isOfMachine = (name: string): boolean =>
    ofSlowMachines.has(name) || (mounted.length === 0 && name.startsWith('PrimeDisk'));
  return alerts.filter(({ name }) => !isOfMachine(name));
}
const firing = async (): Promise<readonly PrometheusAlert[]> =>
  (await raised()).filter(({ state }) => state === 'firing');
const isPage = ({ labels }: PrometheusAlert): boolean => labels['severity'] === 'critical';
const namesOf = (alerts: readonly PrometheusAlert[]): string[] =>
  [...new Set(alerts.map(({ name }) => name))].toSorted();

/** One that is pending is of the fault before: rates look back for minutes. */
const peace = (): Promise<unknown> => until('no alert fires or is pending', async () => (await raised()).length === 0);

interface Fault {
  /** The one alert that wakes somebody; null where none should. */
  readonly page: string | null;
  /** The one that says what is wrong. */
  readonly alert: string;
  readonly instance: string;
  /** Warnings that follow from it. */
  readonly follows: readonly string[];
  begin(): unknown;
  end(): unknown;
}

/** Brings a fault about and watches until its alert fires, and for as long again; then ends it and waits for peace. @returns all that fired meanwhile */
async function seen({ alert, instance, begin, end }: Fault): Promise<readonly PrometheusAlert[]> {
  await peace();
  const all: PrometheusAlert[] = [];
  const look = async (): Promise<boolean> => {
    all.push(...(await firing()));
    return all.some(({ name, labels }) => name === alert && labels['instance'] === instance);
  };
  await begin();
  try {
    await until(`${alert} fires`, look);
    // What would come with it has come by then: the longest `for` of a page is five minutes.
    const later = Date.now() + 300_000 / hurry;
    await until('others had their time', async () => (await look()) && Date.now() > later);
  } finally {
    await end();
  }
  await peace();
  return all;
}

const expectOnly = async (fault: Fault): Promise<void> => {
  const all = await seen(fault);
  expect(namesOf(all.filter(isPage))).toEqual(fault.page === null ? [] : [fault.page]);
  const warnings = namesOf(all.filter((each) => !isPage(each)));
  expect(warnings.filter((name) => name !== fault.alert && !fault.follows.includes(name))).toEqual([]);
  const own = all.filter(({ name }) => name === fault.alert);
  expect([...new Set(own.map(({ labels }) => labels['instance']))]).toEqual([fault.instance]);
  expect(own[0]!.annotations).toMatchObject({
    summary: expect.stringContaining(fault.instance),
    runbook_url: `docs/runbooks.md#${fault.alert.toLowerCase()}`,
  });
};

describe('alerts of a real network', () => {
  it('a healthy one raises none', async () => {
    if (!isHere) return;
    await until('all are scraped', async () => (await network.prometheus.query('up == 1')).length === 4);
    await peace();
    const rules = await network.prometheus.query('prime_consensus_height > 3');
    expect(rules.length).toBe(4);
  });

  it('a validator that is killed is down, until it is started again', async () => {
    if (!isHere) return;
    await expectOnly({
      page: 'PrimeNodeDown',
      alert: 'PrimeNodeDown',
      instance: network.instance(nodes.killed),
      follows: withoutOne,
      begin: () => network.testnet.kill(nodes.killed, 'SIGKILL'),
      end: () => network.testnet.start(nodes.killed),
    });
  });

  it('one that stands still does not answer, which is the same alert', async () => {
    if (!isHere) return;
    await expectOnly({
      page: 'PrimeNodeDown',
      alert: 'PrimeNodeDown',
      instance: network.instance(nodes.stalled),
      follows: [...withoutOne, 'PrimeSlowPeers'],
      begin: () => network.testnet.pause(nodes.stalled),
      end: () => network.testnet.resume(nodes.stalled),
    });
  });

  it('one that is cut off hears too few of the others', async () => {
    if (!isHere) return;
    await expectOnly({
      page: 'PrimePeersBelowQuorum',
      alert: 'PrimePeersBelowQuorum',
      instance: network.instance(nodes.cut),
      follows: [...withoutOne, 'PrimeSlowPeers'],
      begin: () => isolation.cut(),
      end: () => isolation.heal(),
    });
  });

  it('a clock that is ahead is told, and wakes nobody', async () => {
    if (!isHere) return;
    const restart = async (offsetMs: string | undefined): Promise<void> => {
      await network.testnet.kill(nodes.late, 'SIGTERM');
      network.testnet.environment(nodes.late, { PRIME_CLOCK_OFFSET_MS: offsetMs });
      await network.testnet.start(nodes.late);
    };
    await expectOnly({
      page: null,
      alert: 'PrimeClockOff',
      instance: network.instance(nodes.late),
      follows: withoutOne,
      begin: async () => {
        await restart('3000');
        // A slow machine takes so long for a restart that the node counts as down.
        const isDown = async (): Promise<boolean> => namesOf(await raised()).includes('PrimeNodeDown');
        await until('the node is back', async () => !(await isDown()));
      },
      end: () => restart(undefined),
    });
  });

  it('a disk that fills up is told before the node ends', async () => {
    if (!isHere) return;
    if (mounted.length === 0) return console.log('skipped: no right to mount a disk here');
    const home = network.testnet.home(nodes.full);
    const [free] = await network.prometheus.query(`prime_disk_free_bytes{instance="${network.instance(nodes.full)}"}`);
    // As another program would that takes what is left but half a gigabyte.
    const rest = diskBytes - free!.value + 2 ** 29;
    await expectOnly({
      page: 'PrimeDiskFull',
      alert: 'PrimeDiskFull',
      instance: network.instance(nodes.full),
      follows: ['PrimeDiskSpace'],
      begin: () => expect(mount('-o', `remount,size=${rest}`, home)).toBe(true),
      end: () => expect(mount('-o', `remount,size=${diskBytes}`, home)).toBe(true),
    });
    return undefined;
  });
});
