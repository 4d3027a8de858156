import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@prime/config';
import { parse } from 'yaml';
import { manifestOf, useExportFolder } from '../../testing/exportFolder.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { parseTestnetManifest } from '../manifest/parse.ts';
import type { NetworkFile } from '../networkFile.ts';
import { exportNetwork } from './export.ts';
import type { ExportTarget } from './render.ts';

const { at, textOf } = useExportFolder();
const repository = fileURLToPath(new URL('../../../../../', import.meta.url));
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
  const composeOf = (text: string) => composeIn('out', text);
  const composeIn = async (folder: string, text: string) => {
    await exportNetwork(manifestOf(text), 'compose', at(folder));
    return parse(textOf(folder, 'compose.yaml')) as {
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
      [...nodes, 'explorer', 'feeder', 'makers', 'load', 'prometheus', 'grafana'].sort(),
    );
    for (const node of nodes) {
      expect(services[node]!.volumes).toEqual([`./homes/${node}:/var/lib/prime`]);
      expect(existsSync(at('out', 'homes', node, 'genesis.json'))).toBe(true);
    }
    for (const { networks: own } of Object.values(services))
      for (const network of own) expect(Object.keys(networks)).toContain(network);
    expect(services['load']!.profiles).toEqual(['load']);
  });

  it('the load is the one of the manifest, option by option', async () => {
    const { load } = (
      await composeOf(whole.replace('seconds = 10', 'seconds = 10\nsize = 7\nseed = 3\ngap_seconds = 90'))
    ).services;
    expect(load!.command.join(' ')).toMatch(
      /^load run transfers --rpc \S+ --admin \S+ --rate 5 --duration 10s --size 7 --seed 3 --gap 90s --report \S+$/,
    );
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

  it('the feeder sees the keys of the validators, read-only, and no owner', async () => {
    const { feeder } = (await composeOf(whole)).services;
    expect(feeder!.volumes).toEqual(
      ['validator0', 'validator1', 'signer1', 'feeder.toml'].map((name) => `./homes/${name}:/var/lib/prime/${name}:ro`),
    );
    expect(feeder!.command).toContain('http://validator1:8546,http://follower0:8548');
    const { services } = await composeIn('none', `prices = "none"\n${whole}`);
    expect(services).not.toHaveProperty('feeder');
    expect(existsSync(at('none', 'homes', 'feeder.toml'))).toBe(false);
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
    const names = readdirSync(at('out', 'grafana', 'dashboards'));
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
    const written = readdirSync(at('out', 'grafana'), { recursive: true, encoding: 'utf8' });
    const isFile = (path: string): boolean => statSync(at('out', path)).isFile();
    expect(mounted.toSorted()).toEqual(
      written
        .map((path) => `grafana/${path}`)
        .filter(isFile)
        .toSorted(),
    );
    for (const path of mounted) expect(statSync(at('out', path)).mode & 0o777).toBe(0o644);
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
    await exportNetwork(manifestOf(text), 'systemd', at('out'));
    expect(unitsBelow(at('out'))).toEqual([
      'a.example/systemd/prime-local-validator0.service',
      'f.example/systemd/prime-local-explorer.service',
      'f.example/systemd/prime-local-follower0.service',
      's.example/systemd/prime-local-feeder-validator0.service',
      's.example/systemd/prime-local-signer0.service',
    ]);
    expect(existsSync(at('out', 's.example', 'prime-signer', 'feeder-validator0', 'feeder.toml'))).toBe(true);
    for (const home of ['a.example/prime/validator0', 'f.example/prime/follower0', 's.example/prime-signer/signer0'])
      expect(existsSync(at('out', home, 'genesis.json'))).toBe(true);
    const { config } = loadConfig({
      file: { name: 'v', text: textOf('out', 'a.example', 'prime', 'validator0', 'config.toml') },
    });
    expect(config.signer.address).toEqual({ host: 's.example', port: 26_900 });
    expect(config.p2p.advertise).toEqual({ host: 'a.example', port: 26_656 });
    // The hot key of a validator with a signer is on one machine.
    expect(existsSync(at('out', 'a.example', 'prime', 'validator0', 'keys', 'signer.json'))).toBe(false);
    expect(existsSync(at('out', 's.example', 'prime-signer', 'signer0', 'keys', 'signer.json'))).toBe(true);
  });

  it('nodes and signers are confined, stopped and restarted as the units of deploy/systemd are', async () => {
    await exportNetwork(manifestOf(whole), 'systemd', at('out'));
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
    const place = at('out');
    await expect(exportNetwork(manifestOf(whole), 'helm', place)).rejects.toMatchObject({
      code: 'CLI_EXPORT_UNFIT',
      detail: { target: 'helm', reasons: [expect.stringContaining('sentries')] },
    });
    expect(existsSync(place)).toBe(false);
    const named = (length: number): Manifest => manifestOf(`validators = 1\nname = "${'n'.repeat(length)}"`);
    await exportNetwork(named(30), 'helm', place);
    await expect(exportNetwork(named(31), 'helm', at('other'))).rejects.toMatchObject({
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
    const left = await exportNetwork(manifestOf(timed), target, at('out'));
    expect(left.map((words) => /^\w+/.exec(words)![0])).toEqual(parts);
    for (const words of left) expect(textOf('out', 'README.md')).toContain(`- ${words}`);
  });

  it('a folder with something in it: CLI_NOT_EMPTY, and it stays as it is', async () => {
    const manifest = manifestOf('validators = 1');
    await exportNetwork(manifest, 'compose', at('out'));
    const before = readdirSync(at('out'), { recursive: true }).length;
    await expect(exportNetwork(manifest, 'compose', at('out'))).rejects.toMatchObject({
      code: 'CLI_NOT_EMPTY',
    });
    expect(readdirSync(at('out'), { recursive: true }).length).toBe(before);
  });

  const everything = readdirSync(join(repository, 'deploy', 'manifests'));
  it.each(everything)('every part of the example %s has a form somewhere', async (name) => {
    const manifest = parseTestnetManifest(readFileSync(join(repository, 'deploy', 'manifests', name), 'utf8'), name);
    for (const target of ['compose', 'systemd'] as const) {
      await exportNetwork(manifest, target, at(target));
      const { name: written } = JSON.parse(textOf(target, 'network.json')) as NetworkFile;
      expect(`${written}.toml`).toBe(name);
    }
  });
});
