import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { patientRpc } from '@prime/load/rpc';
import { freeBasePort, run, until } from '@prime/testkit';
import { shieldedNetwork } from './manifests.ts';
import { PrimeProcess } from './program.ts';
import { environment, type NetworkFile, networkOf } from './upNetwork.ts';

/** A network of a manifest, as people run it here. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-manifest-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const heightOf = async (url: string): Promise<number> => Number(await patientRpc<string>(url, 'eth_blockNumber'));
const hashAt = async (url: string, height: number): Promise<string> =>
  (await patientRpc<{ hash: string }>(url, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])).hash;

/** One way between validator0 and the follower, ms. */
const latencyMs = 120;
const rest = `
[makers]
markets = ["ETH/USD"]

[latency]
regions = { near = ["validator0", "validator1", "sentry0"], far = ["follower0"] }
ms = { near = { far = ${latencyMs} } }

[[faults]]
at_seconds = 3
for_seconds = 5
kind = "partition"
groups = [["validator1"], ["validator0", "sentry0", "follower0"]]

[[faults]]
at_seconds = 14
for_seconds = 1
kind = "kill"
validators = ["validator1"]

[load]
scenario = "transfers"
rate = 5
seconds = 5
gap_seconds = 120
`;

/** Processes of this machine that have a word in their command line, but the one that looks. */
const processesWith = (word: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word));

describe('prime testnet up --manifest', () => {
  let network: PrimeProcess;
  let file: NetworkFile;
  const said = (words: string): Promise<string> => network.says(words);

  beforeAll(async () => {
    const manifest = join(folder, 'net.toml');
    await writeFile(manifest, shieldedNetwork(await freeBasePort(4)) + rest);
    const args = ['testnet', 'up', '--manifest', manifest, '--dir', join(folder, 'net'), '--no-explorer'];
    network = new PrimeProcess(args, { env: environment });
    await said('Ctrl-C stops');
    file = await networkOf(join(folder, 'net'));
  });
  afterAll(() => network.end('SIGTERM'));

  it('network.json names every process, and is of the network that runs', async () => {
    expect(file.name).toBe('trial');
    expect(
      [file.validators, file.sentries, file.followers, file.signers].map((list) => list.map(({ name }) => name)),
    ).toEqual([['validator0', 'validator1'], ['sentry0'], ['follower0'], ['signer0']]);
    expect(file.rpcUrls).toEqual([file.validators[0]!.rpc, file.followers[0]!.rpc]);
    for (const { rpc: url } of [...file.validators, ...file.sentries, ...file.followers])
      expect(await hashAt(url, 0)).toBe(file.genesisHash);
    const known = await patientRpc<{ moniker: string }[]>(file.rpcUrls[0]!, 'prime_validators');
    expect(known.map(({ moniker }) => moniker).sort()).toEqual(['heavy', 'hidden']);
  });

  it('the head goes on, and the remote signer signs for it', async () => {
    const before = await heightOf(file.rpcUrls[0]!);
    await until('two more blocks', async () => (await heightOf(file.rpcUrls[0]!)) >= before + 2);
    const status = (await (await fetch(`${file.signers[0]!.admin}/status`)).json()) as {
      newest: { height: number } | null;
    };
    expect(status.newest!.height).toBeGreaterThan(0);
    expect(readdirSync(join(folder, 'net', 'validator0', 'keys'))).not.toContain('signer.json');
  });

  it('a partition is there for its time, and heals: the hidden validator stands still, and comes back', async () => {
    const [heavy, hidden] = file.validators.map(({ rpc: url }) => url) as [string, string];
    await said('fault at 3 s begins: partition');
    // What was on its way has come when the hidden one lags while the other goes on.
    await until('the hidden validator is left behind', async () => {
      const behind = await heightOf(hidden);
      return (await heightOf(heavy)) > behind + 2;
    });
    await said('fault at 3 s is healed: partition');
    const head = await heightOf(heavy);
    await until('it has caught up', async () => (await heightOf(hidden)) >= head);
    // The next fault kills it, and where this machine is slow that is soon.
    const hash = await until('it answers', () => hashAt(hidden, head));
    expect(hash).toBe(await hashAt(heavy, head));
  });

  it('the hidden validator has its sentry as a peer and nobody else', async () => {
    // It may be the one that is killed and started meanwhile: then it has none for a moment.
    const peers = await until('it has a peer', async () => {
      const answer = await fetch(`${file.validators[1]!.admin}/consensus`);
      const status = (await answer.json()) as { peers: { role: string }[] };
      return status.peers.length > 0 && status.peers;
    });
    expect(peers.map(({ role }) => role)).toEqual(['full']);
  });

  it('a killed validator is started again, and comes back', async () => {
    await said('fault at 14 s is healed: kill');
    const head = await heightOf(file.rpcUrls[0]!);
    const { rpc: hidden } = file.validators[1]!;
    await until('it has caught up', async () => (await heightOf(hidden)) >= head);
    expect(await hashAt(hidden, head)).toBe(await hashAt(file.rpcUrls[0]!, head));
  });

  it('what comes from far takes its time', async () => {
    const rtt = await until('a ping has come back', async () => {
      const answer = await fetch(`${file.followers[0]!.admin}/peers`);
      const { peers } = (await answer.json()) as { peers: { rttMs: number | null }[] };
      return peers.find(({ rttMs }) => rttMs !== null)?.rttMs ?? null;
    });
    expect(rtt).toBeGreaterThanOrEqual(2 * latencyMs);
  });

  it('the maker quotes both sides of its market and of no other, and the load ends clean', async () => {
    const markets = await patientRpc<{ market_id: number; symbol: string }[]>(
      file.rpcUrls[0]!,
      'primeorders_getMarkets',
    );
    const book = (symbol: string) => {
      const { market_id: id } = markets.find((market) => market.symbol === symbol)!;
      return patientRpc<{ bids: unknown[]; asks: unknown[] }>(file.rpcUrls[0]!, 'primeorders_getOrderBook', [
        `0x${id.toString(16)}`,
      ]);
    };
    await until('both sides are quoted', async () => {
      const { bids, asks } = await book('ETH/USD');
      return bids.length > 0 && asks.length > 0;
    });
    expect(await book('PRM/USD')).toMatchObject({ bids: [], asks: [] });
    const end = await said('the load ');
    // What is not clean has its reasons in the log.
    expect(
      end.includes('the load is over: clean') ? end : await readFile(join(folder, 'net', 'load.log'), 'utf8'),
    ).toBe(end);
  });

  it('Ctrl-C ends every process', async () => {
    expect(processesWith(join(folder, 'net')).length).toBeGreaterThanOrEqual(6);
    expect(await network.end('SIGINT')).toBe(0);
    expect(processesWith(join(folder, 'net'))).toEqual([]);
    // Each of them ends by itself.
    expect(network.lines.filter((line) => line.includes('was killed'))).toEqual([]);
  });

  it('another manifest for the same folder is refused, and changes nothing', async () => {
    const other = join(folder, 'other.toml');
    await writeFile(
      other,
      (await readFile(join(folder, 'net.toml'), 'utf8')).replace('stake = 1000\n', 'stake = 999\n'),
    );
    const before = await readFile(join(folder, 'net', 'network.json'), 'utf8');
    await expect(run(['testnet', 'up', '--manifest', other, '--dir', join(folder, 'net')])).rejects.toThrow(
      /holds another network than that of .*other\.toml.*\[CLI_USAGE\]/s,
    );
    expect(await readFile(join(folder, 'net', 'network.json'), 'utf8')).toBe(before);
  });
});
