import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prometheusAtHand, promtool, type Testnet, until } from '@prime/testkit';
import { readDashboards } from '../../repo/operations/dashboards.ts';
import { exportedSeries } from '../../repo/operations/metricNames.ts';
import { PrimeProcess } from './program.ts';
import { Customer, type WatchedNetwork, watchedNetwork } from './watchedNetwork.ts';

/** Each panel of each dashboard, asked of a real Prometheus that reads four real validators with remote signers, under load and with one that is killed. */

const isHere = prometheusAtHand();
const killed = 3;
let network: WatchedNetwork;
let customer: Customer;
let feeder: PrimeProcess;
const fed = 'ETH/USD';

/** One for all validators, with a price that is made up. */
async function startFeeder({ directory, url }: Testnet): Promise<PrimeProcess> {
  const config = join(directory, 'fed.toml');
  const source = { kind: 'sim', seed: 1, price: 3000, volatility_bps: 100, jump_bps: 0 };
  await writeFile(config, JSON.stringify({ interval_ms: 1_000, markets: [{ symbol: fed, sources: [source] }] }));
  return new PrimeProcess(['oracle', 'feed', '--network', directory, '--config', config, '--rpc', url(0)]);
}

beforeAll(async () => {
  if (!isHere) return;
  network = await watchedNetwork(
    {
      validators: 4,
      remoteSigners: true,
      environment: { PRIME_SNAPSHOTS_INTERVAL_BLOCKS: '10' },
      genesis: (genesis) => {
        // So that there is something to tell of an upgrade.
        genesis['upgrades'] = [{ version: 2, height: 1_000_000 }];
        // Of prices from outside as well, in the market that nobody trades in.
        Object.assign(genesis['clob'] as object, { oracle: { premiumMaxBps: 200 } });
        (genesis['markets'] as { symbol: string; oracle?: boolean }[]).find(({ symbol }) => symbol === fed)!.oracle =
          true;
      },
    },
    { intervalSeconds: 1 },
  );
  feeder = await startFeeder(network.testnet);
  customer = new Customer(network.testnet, 0);
  customer.start();
});
afterAll(async () => {
  await customer?.end();
  await feeder?.end('SIGTERM');
  await network?.close();
});

/** As Grafana asks, for all nodes and over a short time. */
const asked = (expression: string): string =>
  expression.replaceAll(/\$(?:job|instance)\b/g, '.+').replaceAll('$__rate_interval', '20s');

/** How many series have a value that is a number. */
const numbersOf = async (expression: string): Promise<number> =>
  (await network.prometheus.query(asked(expression))).filter(({ value }) => Number.isFinite(value)).length;

describe('dashboards on a real network', () => {
  it('a node that is killed is seen to be down, and up again', async () => {
    if (!isHere) return;
    const up = async (value: number): Promise<boolean> => {
      const [sample] = await network.prometheus.query(`up{instance="${network.instance(killed)}"}`);
      return sample?.value === value;
    };
    await until('it is up', () => up(1));
    await network.testnet.kill(killed, 'SIGKILL');
    await until('it is down', () => up(0));
    await network.testnet.start(killed);
    await until('it is up again', () => up(1));
    expect((await network.prometheus.query('up == 1')).length).toBe(8);
  });

  it('no panel is empty', async () => {
    if (!isHere) return;
    const panels = readDashboards().flatMap((dashboard) => dashboard.panels);
    const empty = async (): Promise<string[]> => {
      const looked = panels.flatMap(({ at, expressions }) =>
        expressions.map(async (expression) => ((await numbersOf(expression)) > 0 ? [] : [`${at}: ${expression}`])),
      );
      return (await Promise.all(looked)).flat();
    };
    await until('each panel shows something', async () => (await empty()).length === 0).catch(() => undefined);
    expect(await empty()).toEqual([]);
  });

  it('each class of methods, part of a block, link and file was measured', async () => {
    if (!isHere) return;
    const ofBlocks = ['prime_execution_phase_seconds', 'prime_commit_seconds', 'prime_consensus_step_seconds'];
    const histograms = [
      ...ofBlocks,
      'prime_rpc_request_seconds',
      'prime_bus_request_seconds',
      'prime_disk_sync_seconds',
    ];
    const silent = `{__name__=~"(${histograms.join('|')})_count",instance="${network.instance(0)}"} == 0`;
    await until('all were', async () => (await network.prometheus.query(silent)).length === 0).catch(() => undefined);
    expect(await network.prometheus.query(silent)).toEqual([]);
  });

  it('Prometheus has all metrics that the reference names and no other of ours, and their names are as it wants them', async () => {
    if (!isHere) return;
    const found = await network.prometheus.query('count by (__name__) ({__name__=~"(prime|process)_.+"})');
    const names = found.map(({ labels }) => labels['__name__']!);
    expect(names.toSorted()).toEqual([...exportedSeries().keys()].toSorted());
    const targets = await network.prometheus.query('up{job="prime-signer"}');
    expect(targets.length).toBe(4);
    const text = await (await fetch(`http://${targets[0]!.labels['instance']}/metrics`)).text();
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
  });
});
