import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { homePaths, loadConfig, parseGenesis, parseSignerConfig } from '@prime/config';
import { spkiOf } from '@prime/network';
import fc from 'fast-check';
import { parse } from 'yaml';
import { manifestOf, useExportFolder } from '../../testing/exportFolder.ts';
import { parseFeeder } from '../../oracle/feederFile.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { placeHere, planNetwork } from '../manifest/plan.ts';
import type { NetworkFile } from '../networkFile.ts';
import { writePlannedNetwork } from '../plannedHomes.ts';
import { exportNetwork } from './export.ts';

const { at } = useExportFolder();

/** A process with a home, as its configuration makes it. */
interface Described {
  readonly role: string;
  readonly genesis: string;
  readonly ports: readonly (number | undefined)[];
  /** By name. */
  readonly peers: readonly string[];
  readonly sentries: readonly string[];
  readonly privatePeers: readonly string[];
  /** Where it dials the peers: a port that is the peer's own. */
  readonly dials: readonly string[];
  readonly signer: string | null;
}

/** Every home below a folder, by name; those of the processes of an export or of `up`. */
function homesBelow(place: string): ReadonlyMap<string, string> {
  const found = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)(validator|sentry|follower|signer)\d+$/.test(path))
    .map((path) => [path.split('/').at(-1)!, join(place, path)] as const);
  return new Map(found);
}

function describeHomes(place: string): Record<string, Described> {
  const homes = homesBelow(place);
  const nameOf = new Map(
    [...homes].map(([name, home]) => [spkiOf(readFileSync(homePaths(home).tlsCertificate, 'utf8')), name] as const),
  );
  const described: Record<string, Described> = {};
  for (const [name, home] of homes) {
    const paths = homePaths(home);
    const genesis = genesisHash(parseGenesis(readFileSync(paths.genesis, 'utf8')));
    const none = { peers: [], sentries: [], privatePeers: [], dials: [], signer: null };
    if (existsSync(paths.signerConfig)) {
      const { listen, nodes } = parseSignerConfig(readFileSync(paths.signerConfig, 'utf8'), name);
      const peers = nodes.map(({ spki }) => nameOf.get(spki)!);
      described[name] = { ...none, role: 'signer', genesis, ports: [listen.port], peers };
      continue;
    }
    const { config } = loadConfig({ file: { name, text: readFileSync(paths.config, 'utf8') } });
    const { rpc, p2p, admin, node, signer } = config;
    const byAddress = new Map(
      p2p.peers.map(({ address, spki }) => [address.toLowerCase(), nameOf.get(spki)!] as const),
    );
    const names = (addresses: readonly string[]): string[] =>
      addresses.map((each) => byAddress.get(each.toLowerCase())!);
    described[name] = {
      role: node.role,
      genesis,
      ports: [rpc.listen?.port, p2p.listen?.port, admin.listen?.port],
      peers: p2p.peers.map(({ spki }) => nameOf.get(spki)!),
      sentries: names(p2p.sentries),
      privatePeers: names(p2p.privatePeers),
      dials: p2p.peers.map(({ spki, port }) => `${nameOf.get(spki)} ${port}`),
      signer: signer.address === null ? null : `${nameOf.get(signer.spki)} ${signer.address.port}`,
    };
  }
  return described;
}

interface Values {
  readonly genesis: { readonly json: string };
  readonly feeder: { readonly config: string };
  readonly validators: readonly {
    readonly name: string;
    readonly address: string;
    readonly spki: string;
    readonly keysSecret: string;
    readonly feeder: { readonly keysSecret: string };
    readonly signer?: { readonly spki: string; readonly keysSecret: string };
  }[];
  readonly followers?: { readonly replicas: number };
}
interface Secret {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
}

const shapes = fc.record({
  validators: fc.integer({ min: 1, max: 5 }),
  followers: fc.integer({ min: 0, max: 2 }),
  signers: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
  sentries: fc.array(fc.nat(4), { maxLength: 2 }),
  seed: fc.nat(1_000_000),
  basePort: fc.option(fc.integer({ min: 10_000, max: 60_000 })),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

const textOfShape = ({ validators, followers, signers, sentries, seed, basePort }: Shape): string =>
  [
    `seed = "${seed}"`,
    `genesis_time_ms = ${1_700_000_000_000 + seed}`,
    `validators = ${validators}`,
    `followers = ${followers}`,
    `remote_signers = ${JSON.stringify([...new Set(signers.map((index) => `validator${index % validators}`))])}`,
    ...(basePort === null ? [] : [`base_port = ${basePort}`]),
    ...sentries.map((index) => `[[sentries]]\nvalidators = ["validator${index % validators}"]`),
  ].join('\n');

describe('one manifest, written out for several targets', () => {
  it('is the same network everywhere: genesis, roles, peers, signers and ports', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const place = await mkdtemp(at('net-'));
        const manifest = manifestOf(textOfShape(shape));
        const plan = planNetwork(manifest);
        await writePlannedNetwork(join(place, 'up'), plan, plan.nodes.map(placeHere));
        const here = describeHomes(join(place, 'up'));
        expect(Object.keys(here).sort()).toEqual([...plan.nodes, ...plan.signers].map(({ name }) => name).sort());
        for (const node of plan.nodes) {
          const { peers, sentries, privatePeers, dials } = here[node.name]!;
          expect([peers, sentries, privatePeers]).toEqual([node.peers, node.sentries, node.shields]);
          for (const dial of dials) {
            const [name, port] = dial.split(' ') as [string, string];
            expect(plan.nodes.find((each) => each.name === name)!.ports.p2pPort).toBe(Number(port));
          }
        }
        for (const target of ['compose', 'systemd'] as const) {
          await exportNetwork(manifest, target, join(place, target));
          expect([target, describeHomes(join(place, target))]).toEqual([target, here]);
          const file = JSON.parse(readFileSync(join(place, target, 'network.json'), 'utf8')) as NetworkFile;
          expect(file.genesisHash).toBe(here['validator0']!.genesis);
          const nodes = [...file.validators, ...file.sentries, ...file.followers];
          expect(nodes.map(({ ports }) => ports)).toEqual(plan.nodes.map(({ ports }) => ports));
          expect(file.rpcUrls).toEqual(
            plan.nodes.filter(({ isPublic }) => isPublic).map(({ ports }) => `http://127.0.0.1:${ports.rpcPort}`),
          );
        }
        if (shape.sentries.length === 0) await compareHelm(manifest, place, here);
      }),
      { numRuns: 4 },
    );
  });
});

/** Pods list each other by the chart; what an export decides is who they are, and which key is whose. */
async function compareHelm(manifest: Manifest, place: string, here: Record<string, Described>): Promise<void> {
  await exportNetwork(manifest, 'helm', join(place, 'helm'));
  const values = parse(readFileSync(join(place, 'helm', 'values.yaml'), 'utf8')) as Values;
  const genesis = parseGenesis(values.genesis.json);
  expect(genesisHash(genesis)).toBe(here['validator0']!.genesis);
  const of = (role: string): string[] =>
    Object.keys(here)
      .filter((name) => here[name]!.role === role)
      .sort();
  expect(values.validators.map(({ name }) => name).sort()).toEqual(of('validator'));
  expect(values.followers?.replicas ?? 0).toBe(of('full').length);
  expect(values.validators.map(({ address }) => address)).toEqual(genesis.validators.map(({ address }) => address));
  expect(
    values.validators.flatMap(({ name, signer }) => (signer === undefined ? [] : [`signer${name.slice(9)}`])).sort(),
  ).toEqual(of('signer'));
  const secrets = new Map(
    readdirSync(join(place, 'helm', 'secrets')).map((name) => {
      expect(statSync(join(place, 'helm', 'secrets', name)).mode & 0o777).toBe(0o600);
      const secret = parse(readFileSync(join(place, 'helm', 'secrets', name), 'utf8')) as Secret;
      return [secret.metadata.name, secret.stringData] as const;
    }),
  );
  const named = values.validators.flatMap(({ keysSecret, feeder, signer }) => [
    keysSecret,
    feeder.keysSecret,
    ...(signer === undefined ? [] : [signer.keysSecret]),
  ]);
  expect([...secrets.keys()].sort()).toEqual(named.sort());
  expect(parseFeeder(values.feeder.config, 'feeder.toml').markets.map(({ symbol }) => symbol)).toEqual(
    genesis.markets.map(({ symbol }) => symbol),
  );
  for (const { spki, keysSecret, feeder, signer } of values.validators) {
    const files = secrets.get(keysSecret)!;
    const { 'signer.json': hotKey, password } = secrets.get(signer?.keysSecret ?? keysSecret)!;
    expect(secrets.get(feeder.keysSecret)).toEqual({ 'signer.json': hotKey, password });
    expect(spkiOf(files['tls.cert.pem']!)).toBe(spki);
    expect(Object.keys(files)).not.toContain('owner.json');
    // The hot key is with whoever signs and with the feeder, and in no other place.
    const hot = [keysSecret, ...(signer === undefined ? [] : [signer.keysSecret])].filter(
      (name) => 'signer.json' in secrets.get(name)!,
    );
    expect(hot).toEqual([signer?.keysSecret ?? keysSecret]);
    if (signer !== undefined) expect(spkiOf(secrets.get(signer.keysSecret)!['tls.cert.pem']!)).toBe(signer.spki);
  }
  for (const secret of [...secrets.values()].flatMap((files) =>
    ['signer.json', 'tls.key.pem'].flatMap((name) => files[name] ?? []),
  ))
    expect(readFileSync(join(place, 'helm', 'values.yaml'), 'utf8')).not.toContain(secret.trim().split('\n')[1]);
}
