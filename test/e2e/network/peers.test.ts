import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { homePaths } from '@prime/config';
import { rpc } from '@prime/load/rpc';
import { createTestnet, prometheusAtHand, promtool, run, type Testnet, until } from '@prime/testkit';
import { readText } from '../../repo/repository.ts';

/** An operator who looks after running nodes, with the command line and what they export. */

const follower = 4;
let testnet: Testnet;
let followerAddress: string;

interface List {
  readonly peers: readonly { readonly address: string; readonly role: string; readonly head: number }[];
  readonly bans: readonly { readonly address: string; readonly reason: string; readonly byOperator?: boolean }[];
}
const peers = (index: number, ...args: readonly string[]) => run(['peers', ...args, '--home', testnet.home(index)]);
const list = async (index: number): Promise<List> => JSON.parse((await peers(index, 'list', '--json')).output) as List;
const isConnected = async (index: number, address: string): Promise<boolean> =>
  (await list(index)).peers.some((peer) => peer.address === address);
const head = async (index: number): Promise<number> => {
  const status = (await (await fetch(`${testnet.adminUrl(index)}/consensus`)).json()) as { readonly head: number };
  return status.head;
};

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4, followers: 1 });
  await testnet.startAll();
  const found = await until(
    'the follower connects with validator 0',
    async () => (await list(0)).peers.find(({ role }) => role === 'full') ?? null,
  );
  followerAddress = found.address;
});
afterAll(() => testnet.destroy());

describe('metrics of a running node', () => {
  const metrics = async (): Promise<string> => (await fetch(`${testnet.adminUrl(0)}/metrics`)).text();
  const valueOf = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);

  it('are all that the reference names', async () => {
    const text = await metrics();
    const [ofNodes] = readText('docs/reference/metrics.md').split('\n## ');
    const names = [...ofNodes!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(30);
    // Nobody traded here, no upgrade is planned, and no price comes from outside.
    expect(
      names.filter((name) => !new RegExp(`^${name}(?:_count|_total)?(?:\\{.*\\})? [-+.\\d]`, 'm').test(text)),
    ).toEqual([
      'prime_upgrade_height',
      'prime_upgrade_known',
      'prime_upgrade_ready_voting_power',
      'prime_market_mark_price',
      'prime_market_last_price',
      'prime_market_spread_ratio',
      'prime_market_index_price',
      'prime_market_index_stale_seconds',
      'prime_oracle_report_age_seconds',
      'prime_oracle_minutes',
      'prime_oracle_reported_minutes',
    ]);
    const typed = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!);
    expect(typed.toSorted()).toEqual(names.toSorted());
  });

  it("have names and units as Prometheus' conventions want them", async () => {
    if (!prometheusAtHand()) return;
    expect(promtool(['check', 'metrics'], await metrics())).toEqual({ status: 0, output: '' });
    // It can say no.
    expect(promtool(['check', 'metrics'], '# TYPE lag_ms gauge\nlag_ms 1\n').status).not.toBe(0);
  });

  it('tell of the others: peers, power, and whose signatures are missing', async () => {
    const text = await metrics();
    expect(text).toMatch(/^prime_peers\{role="validator"\} 3$/m);
    expect(text).toMatch(/^prime_peers\{role="full"\} 1$/m);
    expect(valueOf(text, 'prime_voting_power_connected')).toBe(valueOf(text, 'prime_voting_power'));
    expect([valueOf(text, 'prime_validator_in_set'), valueOf(text, 'prime_validator_jailed')]).toEqual([1, 0]);
    expect(valueOf(text, 'prime_disk_free_bytes')).toBeGreaterThan(0);
    expect(valueOf(text, 'prime_home_bytes')).toBeGreaterThan(0);
    expect(text).toMatch(/^prime_log_lines_total\{level="error"\} 0$/m);
    const warnings = async (): Promise<number> => valueOf(await metrics(), 'prime_log_lines_total{level="warn"}');
    const warned = await warnings();
    await testnet.kill(1, 'SIGKILL');
    // The thread that warns is another one than that which tells.
    await until('a warning that a validator is away', async () => (await warnings()) > warned);
    const quarter = valueOf(text, 'prime_voting_power') / 4;
    await until(
      'a quarter of the power is missing',
      async () => valueOf(await metrics(), 'prime_voting_power_missing') === quarter,
    );
    await testnet.start(1);
    await until('nobody is missing', async () => valueOf(await metrics(), 'prime_voting_power_missing') === 0);
    await until('all are connected', async () => /^prime_peers\{role="validator"\} 3$/m.test(await metrics()));
  });
});

describe('inside of a running node', () => {
  it('the height in progress is shown vote by vote', async () => {
    const dump = await until('a height is in progress', async () => {
      const { output } = await run(['node', 'dump-consensus', '--json', '--home', testnet.home(0)]);
      return JSON.parse(output) as {
        readonly height: number;
        readonly totalPower: string;
        readonly lockedRound: number;
      } | null;
    });
    expect(dump.height).toBeGreaterThan(0);
    expect(Number(dump.totalPower)).toBe(4_000);
    const { output } = await run(['node', 'dump-consensus', '--home', testnet.home(0)]);
    expect(output).toMatch(/^(?:height +\d+, round -?\d+, \w|between two heights)/);
  });

  it('modules write more or less from now on', async () => {
    const level = (...args: readonly string[]) => run(['node', 'log-level', ...args, '--home', testnet.home(0)]);
    expect((await level()).output).toMatch(/^consensus +info$/m);
    expect((await level('debug', '--module', 'consensus')).output).toMatch(/^consensus +debug\n$/);
    const { output } = await level();
    expect(output).toMatch(/^consensus +debug$/m);
    expect(output).toMatch(/^supervisor +info$/m);
    await expect(level('debug', '--module', 'nobody')).rejects.toThrow('[CLI_NODE_REFUSED]');
    await expect(level('loud')).rejects.toThrow('[CLI_NODE_REFUSED]');
    await level('info');
    expect((await level()).output).not.toContain('debug');
  });

  it('requests have lines when they are asked for, without what was asked', async () => {
    const level = (to: string) => run(['node', 'log-level', to, '--home', testnet.home(0), '--module', 'requests']);
    const account = `0x${'5a'.repeat(20)}`;
    const ask = (method: string): Promise<unknown> => rpc(testnet.url(0), method, [account, 'latest']);
    await ask('eth_getCode');
    await level('debug');
    await ask('eth_getBalance');
    const line = await until(
      'the request has its line',
      async () => /^.*"eth_getBalance".*$/m.exec(testnet.tail(0))?.[0] ?? null,
    );
    const fields = { module: 'requests', transport: 'http', surface: 'public', address: '127.0.0.1', error: null };
    expect(JSON.parse(line)).toMatchObject(fields);
    expect(testnet.tail(0)).not.toContain('eth_getCode');
    expect(testnet.tail(0)).not.toContain('5a5a5a');
    await level('info');
  });
});

describe('peers of a running node', () => {
  it('a peer that is banned is gone at once, stays away over a restart, and comes back when the ban is lifted', async () => {
    const { output } = await peers(0, 'ban', followerAddress, '--for', '2d', '--reason', 'asked to');
    expect(output).toMatch(/is banned until .*; it was connected/);
    expect(output).not.toContain('WARNING');
    const after = await list(0);
    expect(after.peers.map(({ address }) => address)).not.toContain(followerAddress);
    expect(after.bans).toMatchObject([{ address: followerAddress, reason: 'asked to', byOperator: true }]);
    expect(await testnet.kill(0, 'SIGKILL')).toBeNull();
    await testnet.start(0);
    // The others are here again, and the follower had as much time as they.
    await until('validator 0 is with the others', async () => (await list(0)).peers.length === 3);
    expect((await list(0)).bans).toMatchObject([{ address: followerAddress, byOperator: true }]);
    expect(await isConnected(0, followerAddress)).toBe(false);
    // It follows the chain through the others.
    const reached = (await head(0)) + 3;
    await until('the follower goes on', async () => (await head(follower)) >= reached);
    await peers(0, 'unban', followerAddress);
    await until('the follower comes back', () => isConnected(0, followerAddress));
    expect((await list(0)).bans).toEqual([]);
  });

  it('warns of a validator that is banned, and the chain goes on without the link', async () => {
    const validator = (await list(0)).peers.find(({ role }) => role === 'validator')!.address;
    const { output } = await peers(0, 'ban', validator);
    expect(output).toMatch(/WARNING: it is a validator with \d+ of \d+ voting power/);
    const reached = (await head(0)) + 5;
    await until('blocks go on', async () => (await head(0)) >= reached);
    await peers(0, 'unban', validator);
    await until('the link is back', () => isConnected(0, validator));
  });

  it('a node does not ban itself, and nobody bans without its token', async () => {
    const { self } = (await (await fetch(`${testnet.adminUrl(0)}/consensus`)).json()) as { readonly self: string };
    await expect(peers(0, 'ban', self)).rejects.toThrow('[CLI_NODE_REFUSED]');
    const body = JSON.stringify({ address: followerAddress, seconds: 60, reason: 'x' });
    for (const url of [testnet.adminUrl(0), testnet.url(0), testnet.operatorUrl(0)]) {
      const answer = await fetch(`${url}/peers/ban`, { method: 'POST', body });
      expect(answer.ok).toBe(false);
    }
    expect((await list(0)).bans).toEqual([]);
  });

  it('the token goes with the process', async () => {
    const { adminToken } = homePaths(testnet.home(0));
    expect(existsSync(adminToken)).toBe(true);
    expect(await testnet.kill(0, 'SIGTERM')).toBe(0);
    expect(existsSync(adminToken)).toBe(false);
    await expect(peers(0, 'list')).rejects.toThrow('[CLI_UNREACHABLE]');
  });
});
