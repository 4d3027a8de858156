import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { genesisHash } from '@prime/codec';
import { homePaths, loadConfig, parseGenesis, parseSignerConfig } from '@prime/config';
import { spkiOf } from '@prime/network';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Manifest } from '../manifest/manifest.ts';
import { parseTestnetManifest } from '../manifest/parse.ts';
import { placeHere, planNetwork } from '../manifest/plan.ts';
import type { NetworkFile } from '../networkFile.ts';
import { writePlannedNetwork } from '../plannedHomes.ts';
import { exportNetwork } from './export.ts';
import type { ExportTarget } from './render.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-export-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const repository = fileURLToPath(new URL('../../../../../', import.meta.url));
const manifestOf = (text: string): Manifest => parseTestnetManifest(`format = "prime-testnet-1"\n${text}`, 'net.toml');
const textOf = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

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
  readonly validators: readonly {
    readonly name: string;
    readonly address: string;
    readonly spki: string;
    readonly keysSecret: string;
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
        const place = await mkdtemp(join(folder, 'net-'));
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
  const named = values.validators.flatMap(({ keysSecret, signer }) => [
    keysSecret,
    ...(signer === undefined ? [] : [signer.keysSecret]),
  ]);
  expect([...secrets.keys()].sort()).toEqual(named.sort());
  for (const { spki, keysSecret, signer } of values.validators) {
    const files = secrets.get(keysSecret)!;
    expect(spkiOf(files['tls.cert.pem']!)).toBe(spki);
    expect(Object.keys(files)).not.toContain('owner.json');
    // The hot key is with whoever signs, and in no other place.
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

const whole =
  'validators = 2\nfollowers = 1\nremote_signers = ["validator1"]\n[[sentries]]\nvalidators = ["validator0"]\n[makers]\nmarkets = ["ETH/USD"]\n[load]\nscenario = "transfers"\nrate = 5\nseconds = 10\n[monitoring]\n';

describe('a network as containers', () => {
  interface Service {
    readonly command: readonly string[];
    readonly networks: readonly string[];
    readonly ports?: readonly string[];
    readonly volumes: readonly string[];
    readonly profiles?: readonly string[];
  }
  const composeOf = async (text: string) => {
    await exportNetwork(manifestOf(text), 'compose', join(folder, 'out'));
    return parse(textOf('out', 'compose.yaml')) as {
      readonly name: string;
      readonly services: Readonly<Record<string, Service>>;
      readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
    };
  };

  it('has a service for each process, each with its own home', async () => {
    const { services, networks, name } = await composeOf(whole);
    expect(name).toBe('prime-local');
    const nodes = ['validator0', 'validator1', 'sentry0', 'follower0', 'signer1'];
    expect(Object.keys(services).sort()).toEqual(
      [...nodes, 'explorer', 'makers', 'load', 'prometheus', 'grafana'].sort(),
    );
    for (const node of nodes) {
      expect(services[node]!.volumes).toEqual([`./homes/${node}:/var/lib/prime`]);
      expect(existsSync(join(folder, 'out', 'homes', node, 'genesis.json'))).toBe(true);
    }
    for (const { networks: own } of Object.values(services))
      for (const network of own) expect(Object.keys(networks)).toContain(network);
    expect(services['load']!.profiles).toEqual(['load']);
  });

  it('who is behind a sentry shares a network with it alone, and so does a signer with its validator', async () => {
    const { services, networks } = await composeOf(whole);
    const sharing = (name: string): string[] =>
      Object.keys(services).filter((other) =>
        services[other]!.networks.some((network) => services[name]!.networks.includes(network)),
      );
    expect(sharing('validator0').sort()).toEqual(['prometheus', 'sentry0', 'validator0']);
    expect(sharing('signer1').sort()).toEqual(['prometheus', 'signer1', 'validator1']);
    const closed = [...services['validator0']!.networks, ...services['signer1']!.networks];
    for (const network of closed) expect(networks[network]).toEqual({ internal: true });
    expect(services['validator0']!.ports).toBeUndefined();
  });

  it('everything that is published is for this machine', async () => {
    const { services } = await composeOf(whole);
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.length).toBe(5);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  it('bots and Prometheus know the nodes by their names', async () => {
    await composeOf(whole);
    const inside = JSON.parse(textOf('out', 'makers', 'network.json')) as NetworkFile;
    expect(inside.rpcUrls).toEqual(['http://validator1:8546', 'http://follower0:8548']);
    const { scrape_configs: jobs } = parse(textOf('out', 'prometheus', 'prometheus.yml')) as {
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly static_configs: readonly { readonly targets: readonly string[] }[];
      }[];
    };
    expect(
      jobs.map(({ job_name: job, static_configs: configs }) => [job, configs.flatMap(({ targets }) => targets)]),
    ).toEqual([
      ['prime', ['validator0:9100', 'validator1:9101', 'sentry0:9102', 'follower0:9103']],
      ['prime-signer', ['signer1:9401']],
    ]);
  });

  it('Prometheus has the alerts, and Grafana finds it and the dashboards where they are mounted', async () => {
    const { services } = await composeOf(whole);
    const config = parse(textOf('out', 'prometheus', 'prometheus.yml')) as { readonly rule_files: readonly string[] };
    const [rules] = config.rule_files;
    expect(textOf('out', 'prometheus', rules!)).toBe(
      readFileSync(join(repository, 'deploy/prometheus/prime.rules.yaml'), 'utf8'),
    );
    expect(services['prometheus']!.volumes).toContain(`./prometheus/${rules}:/etc/prometheus/${rules}:ro`);
    const names = readdirSync(join(folder, 'out', 'grafana', 'dashboards'));
    expect(names.toSorted()).toEqual(
      readdirSync(join(repository, 'deploy/grafana/dashboards'))
        .filter((name) => name.endsWith('.json'))
        .toSorted(),
    );
    const { datasources } = parse(textOf('out', 'grafana', 'provisioning', 'datasources', 'prometheus.yaml')) as {
      readonly datasources: readonly { readonly type: string; readonly url: string }[];
    };
    const [{ type, url }] = datasources as [(typeof datasources)[0]];
    expect(textOf('out', 'grafana', 'dashboards', names[0]!)).toContain(`"query": "${type}"`);
    // Folders of an export are closed to the container's user: it gets each file.
    const mounted = services['grafana']!.volumes.flatMap((volume) => /^\.\/(.+):\/.+:ro$/.exec(volume)?.[1] ?? []);
    const written = readdirSync(join(folder, 'out', 'grafana'), { recursive: true, encoding: 'utf8' });
    const isFile = (path: string): boolean => statSync(join(folder, 'out', path)).isFile();
    expect(mounted.toSorted()).toEqual(
      written
        .map((path) => `grafana/${path}`)
        .filter(isFile)
        .toSorted(),
    );
    for (const path of mounted) expect(statSync(join(folder, 'out', path)).mode & 0o777).toBe(0o644);
    const address = new URL(url);
    expect(services).toHaveProperty(address.hostname);
    const { dashboards } = JSON.parse(textOf('out', 'network.json')) as NetworkFile;
    expect([new URL(dashboards.prometheus!).port, new URL(dashboards.grafana!).port]).toEqual([address.port, '3000']);
  });
});

const unitsBelow = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.service'))
    .toSorted();

describe('a network as units of systemd', () => {
  it('has a unit for each process, in the folder of its machine, with its home beside it', async () => {
    const text =
      'remote_signers = ["validator0"]\n[[validators]]\nhost = "a.example"\nsigner_host = "s.example"\n[[followers]]\nhost = "f.example"\n';
    await exportNetwork(manifestOf(text), 'systemd', join(folder, 'out'));
    expect(unitsBelow(join(folder, 'out'))).toEqual([
      'a.example/systemd/prime-local-validator0.service',
      'f.example/systemd/prime-local-explorer.service',
      'f.example/systemd/prime-local-follower0.service',
      's.example/systemd/prime-local-signer0.service',
    ]);
    for (const home of ['a.example/prime/validator0', 'f.example/prime/follower0', 's.example/prime-signer/signer0'])
      expect(existsSync(join(folder, 'out', home, 'genesis.json'))).toBe(true);
    const { config } = loadConfig({
      file: { name: 'v', text: textOf('out', 'a.example', 'prime', 'validator0', 'config.toml') },
    });
    expect(config.signer.address).toEqual({ host: 's.example', port: 26_900 });
    expect(config.p2p.advertise).toEqual({ host: 'a.example', port: 26_656 });
    // The hot key of a validator with a signer is on one machine.
    expect(existsSync(join(folder, 'out', 'a.example', 'prime', 'validator0', 'keys', 'signer.json'))).toBe(false);
    expect(existsSync(join(folder, 'out', 's.example', 'prime-signer', 'signer0', 'keys', 'signer.json'))).toBe(true);
  });

  it('nodes and signers are confined, stopped and restarted as the units of deploy/systemd are', async () => {
    await exportNetwork(manifestOf(whole), 'systemd', join(folder, 'out'));
    // Passwords of a test network lie in its homes.
    const own = /^(Description|Documentation|ExecStart|StateDirectory|LoadCredential)=/;
    const linesOf = (text: string): string[] =>
      text.split('\n').filter((line) => /^\w+=/.test(line) && !own.test(line));
    for (const [name, example] of [
      ['validator0', 'prime'],
      ['signer1', 'prime-signer'],
    ]) {
      const written = linesOf(textOf('out', 'localhost', 'systemd', `prime-local-${name}.service`));
      const kept = linesOf(readFileSync(join(repository, 'deploy', 'systemd', `${example}.service`), 'utf8'));
      expect(written.filter((line) => !line.includes('PRIME_RPC_EXPLORER_URL')).sort()).toEqual(kept.sort());
    }
  });
});

describe('what a target has no form for', () => {
  it('is refused where the network would be another one, before anything is written', async () => {
    const place = join(folder, 'out');
    await expect(exportNetwork(manifestOf(whole), 'helm', place)).rejects.toMatchObject({
      code: 'CLI_EXPORT_UNFIT',
      detail: { target: 'helm', reasons: [expect.stringContaining('sentries')] },
    });
    expect(existsSync(place)).toBe(false);
    const named = (length: number): Manifest => manifestOf(`validators = 1\nname = "${'n'.repeat(length)}"`);
    await exportNetwork(named(30), 'helm', place);
    await expect(exportNetwork(named(31), 'helm', join(folder, 'other'))).rejects.toMatchObject({
      code: 'CLI_EXPORT_UNFIT',
    });
  });

  const timed =
    'validators = 1\nfollowers = 1\n[latency]\nregions = { a = ["validator0"], b = ["follower0"] }\nms = { a = { b = 9 } }\n[[faults]]\nat_seconds = 1\nfor_seconds = 1\nkind = "kill"\nvalidators = ["follower0"]\n[makers]\n[load]\nscenario = "transfers"\n';
  it.each<[ExportTarget, readonly string[]]>([
    ['compose', ['latency', 'faults']],
    ['systemd', ['latency', 'faults']],
    ['helm', ['makers', 'load', 'latency', 'faults']],
  ])('is left out of %s, told, and written down', async (target, parts) => {
    const left = await exportNetwork(manifestOf(timed), target, join(folder, 'out'));
    expect(left.map((words) => /^\w+/.exec(words)![0])).toEqual(parts);
    for (const words of left) expect(textOf('out', 'README.md')).toContain(`- ${words}`);
  });

  it('a folder with something in it: CLI_NOT_EMPTY, and it stays as it is', async () => {
    const manifest = manifestOf('validators = 1');
    await exportNetwork(manifest, 'compose', join(folder, 'out'));
    const before = readdirSync(join(folder, 'out'), { recursive: true }).length;
    await expect(exportNetwork(manifest, 'compose', join(folder, 'out'))).rejects.toMatchObject({
      code: 'CLI_NOT_EMPTY',
    });
    expect(readdirSync(join(folder, 'out'), { recursive: true }).length).toBe(before);
  });

  const everything = readdirSync(join(repository, 'deploy', 'manifests'));
  it.each(everything)('every part of the example %s has a form somewhere', async (name) => {
    const manifest = parseTestnetManifest(readFileSync(join(repository, 'deploy', 'manifests', name), 'utf8'), name);
    for (const target of ['compose', 'systemd'] as const) {
      await exportNetwork(manifest, target, join(folder, target));
      const { name: written } = JSON.parse(textOf(target, 'network.json')) as NetworkFile;
      expect(`${written}.toml`).toBe(name);
    }
  });
});
