import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { homePaths, loadConfig, type NodeConfig, parseSignerConfig } from '@prime/config';
import { plainLink } from '@prime/chaos/plain';
import type { GivenManifest } from './manifest/given.ts';
import { parseTestnetManifest } from './manifest/parse.ts';
import { nodesOfFile } from './networkFile.ts';
import { prepareNetwork, type PreparedNetwork, type PrepareOptions } from './prepare.ts';

let directory: string;
let base: number;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'prime-planned-'));
  base = 26_000 + 100 * (process.pid % 50);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const shape = (): string =>
  `format = "prime-testnet-1"\nbase_port = ${base}\nvalidators = 2\nfollowers = 1\nremote_signers = ["validator1"]\n[[sentries]]\nvalidators = ["validator0"]\n`;
const given = (text: string): GivenManifest => ({
  path: 'net.toml',
  text,
  manifest: parseTestnetManifest(text, 'net.toml'),
});

/** Prepares as a start would, which ends at once. */
async function prepare(options: Partial<PrepareOptions> = {}): Promise<PreparedNetwork> {
  const defaults = { directory, validators: null, fresh: false, explorerPort: null, say: () => undefined };
  const prepared = await prepareNetwork({ ...defaults, ...options });
  prepared.lock.release();
  await prepared.mesh.close();
  return prepared;
}

const configOf = (name: string): NodeConfig =>
  loadConfig({ file: { name, text: readFileSync(homePaths(join(directory, name)).config, 'utf8') } }).config;
const dialled = (name: string): number[] => configOf(name).p2p.peers.map(({ port }) => port);
const namesIn = ({ network }: PreparedNetwork): string[] => nodesOfFile(network).map(({ name }) => name);
const nodes = ['validator0', 'validator1', 'sentry0', 'follower0'];

describe('preparing the network of a manifest', () => {
  it('makes a home for each node and signer, and goes on with them without the manifest', async () => {
    const made = await prepare({ manifest: given(shape()) });
    expect(namesIn(made)).toEqual(nodes);
    expect(made.network.rpcUrls).toEqual([base + 10, base + 30].map((port) => `http://127.0.0.1:${port}`));
    expect(
      readdirSync(directory)
        .filter((name) => /\d$/.test(name))
        .sort(),
    ).toEqual([...nodes, 'signer1'].sort());
    const again = await prepare();
    expect([namesIn(again), again.network.genesisHash]).toEqual([nodes, made.network.genesisHash]);
    expect((await prepare({ fresh: true })).network.validators).toHaveLength(2);
  });

  it('--fresh makes the same network anew, unless another number of validators is asked for', async () => {
    const made = await prepare({ manifest: given(shape()) });
    const fresh = await prepare({ fresh: true });
    expect(namesIn(fresh)).toEqual(nodes);
    expect(fresh.network.genesisHash).not.toBe(made.network.genesisHash);
    expect(namesIn(await prepare({ fresh: true, validators: 1 }))).toEqual(['validator0']);
    expect(readdirSync(directory).sort()).toEqual(['feeder.toml', 'network.json', 'owners', 'validator0']);
  });

  it('what runs beside the nodes may change on a kept network, and nothing else', async () => {
    const { network } = await prepare({ manifest: given(shape()) });
    const livelier = `${shape()}[makers]\n[[faults]]\nat_seconds = 1\nfor_seconds = 1\nkind = "kill"\nvalidators = ["sentry0"]\n`;
    const changed = await prepare({ manifest: given(livelier) });
    expect([changed.plan.faults.length, changed.network.genesisHash]).toEqual([1, network.genesisHash]);
    expect((await prepare()).plan.faults).toHaveLength(1);
    const before = readFileSync(join(directory, 'manifest.toml'), 'utf8');
    const other = given(shape().replace('followers = 1', 'followers = 2'));
    await expect(prepare({ manifest: other })).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--manifest' },
    });
    expect(readFileSync(join(directory, 'manifest.toml'), 'utf8')).toBe(before);
    expect(readdirSync(directory)).not.toContain('follower1');
  });

  it('a plain network does not become one of a manifest', async () => {
    await prepare({ validators: 2 });
    await expect(prepare({ manifest: given(shape()) })).rejects.toMatchObject({ detail: { argument: '--manifest' } });
  });

  it('with latency the ways lead through proxies, which have it; without it again they do not', async () => {
    const far = `${shape()}[latency]\nregions = { a = ["validator1"], b = ["sentry0"] }\nms = { a = { b = 7 } }\n`;
    const { mesh, plan } = await prepare({ manifest: given(far) });
    const own = plan.nodes.map(({ ports }) => ports.p2pPort);
    expect(mesh.rule({ from: 1, to: 2 })).toEqual({ ...plainLink, latencyMs: 7 });
    expect(mesh.rule({ from: 0, to: 2 })).toEqual(plainLink);
    expect(dialled('validator1')).toEqual([mesh.port({ from: 1, to: 2 })]);
    for (const name of nodes) for (const port of dialled(name)) expect(own).not.toContain(port);
    await prepare({ manifest: given(shape()) });
    expect([dialled('validator0'), dialled('validator1'), dialled('follower0')]).toEqual([
      [own[2]],
      [own[2]],
      [own[1], own[2]],
    ]);
  });

  it('busy ports of a sentry and of a signer move, and who looks for them is told', async () => {
    const busy = [base + 21, base + 15].map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(busy.map((server) => once(server, 'listening')));
    try {
      await prepare({ manifest: given(shape()) });
      const moved = configOf('sentry0').p2p.listen!.port;
      expect(moved).not.toBe(base + 21);
      expect([dialled('validator0'), dialled('validator1')]).toEqual([[moved], [moved]]);
      const path = homePaths(join(directory, 'signer1')).signerConfig;
      const signer = parseSignerConfig(readFileSync(path, 'utf8'), path);
      expect(signer.listen.port).not.toBe(base + 15);
      expect(configOf('validator1').signer.address).toEqual(signer.listen);
    } finally {
      for (const server of busy) server.close();
    }
    await prepare();
    expect([configOf('sentry0').p2p.listen!.port, ...dialled('validator0')]).toEqual([base + 21, base + 21]);
    expect(configOf('validator1').signer.address!.port).toBe(base + 15);
  });
});
