/** deploy/compose.yaml and what it mounts, as far as can be seen without a container engine; and the program that makes its homes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configKeys, homePaths, loadConfig, parseSignerConfig } from '@prime/config';
import { parse } from 'yaml';
import { cli } from '../e2e/operations/program.ts';
import { pathExists, readText, root } from '../repo/repository.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly context: string; readonly target?: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly logging?: { readonly driver: string };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly user?: string;
  readonly stop_grace_period?: string;
}

/** As compose reads it, with its anchors. */
const yaml = <Value>(path: string): Value => parse(readText(path), { merge: true }) as Value;
const { services, volumes } = yaml<{
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}>('deploy/compose.yaml');
const validators = ['validator0', 'validator1', 'validator2', 'validator3'];
/** Ends before the others begin. */
const { init, ...lasting } = services;
const mountsOf = ({ volumes: mounts = [] }: Service): { readonly source: string; readonly target: string }[] =>
  mounts.map((mount) => {
    const [source, target] = mount.split(':') as [string, string];
    return { source, target };
  });
const defaultPort = (path: string): string =>
  String(configKeys.find((key) => key.path === path)!.schema['default'])
    .split(':')
    .at(-1)!;

describe('the compose file', () => {
  it('no volume is written by two, and all of them are declared and used', () => {
    const { feeder, ...writing } = lasting;
    // It reads the keys with which it signs.
    expect(feeder!.volumes!.every((mount) => mount.endsWith(':ro'))).toBe(true);
    const used = Object.values(writing).flatMap((service) =>
      mountsOf(service).filter(({ source }) => !source.startsWith('.')),
    );
    const names = used.map(({ source }) => source);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    // The genesis and the owners' keys are for people.
    expect([...names, 'network'].toSorted()).toEqual(Object.keys(volumes).toSorted());
  });

  it('each validator and the signer have a volume of their own name, at the home that they are started with', () => {
    for (const name of [...validators, 'signer3']) {
      const { command, volumes: mounts } = services[name]!;
      expect([name, mounts]).toEqual([name, [`${name}:/var/lib/prime`]]);
      expect(command).toEqual([
        name === 'signer3' ? 'signer' : 'node',
        'start',
        '--home',
        '/var/lib/prime',
        '--log-format',
        'json',
      ]);
      expect(mountsOf(init!)).toContainEqual({ source: name, target: `/volumes/${name}` });
    }
  });

  it('what it mounts from here is here', () => {
    for (const [name, service] of Object.entries(services))
      for (const { source } of mountsOf(service))
        if (source.startsWith('.')) {
          const path = posix.join('deploy', source);
          expect([name, path, pathExists(path)]).toEqual([name, path, true]);
        }
  });

  it('ports are open on this machine alone, each once, and are those of the programs', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((text) => ({ name, parts: text.split(':') })),
    );
    const outer = published.map(({ parts }) => parts[1]!);
    expect(new Set(outer).size).toBe(outer.length);
    for (const { name, parts } of published) {
      expect([name, parts[0]]).toEqual([name, '127.0.0.1']);
      const inner = { explorer: '8500', prometheus: '9090', grafana: '3000' }[name] ?? defaultPort('rpc.listen');
      expect([name, parts[2]]).toEqual([name, inner]);
    }
    expect(published.map(({ name }) => name).toSorted()).toEqual(
      [...validators, 'explorer', 'grafana', 'prometheus'].toSorted(),
    );
    // Pages ask the nodes at the addresses of this machine.
    expect(services['explorer']!.command![2]).toBe(
      published
        .filter(({ name }) => validators.includes(name))
        .map(({ parts }) => `http://127.0.0.1:${parts[1]}`)
        .join(','),
    );
  });

  it('everything runs confined, logs JSON by the same driver, and is asked without a shell', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          logging: expect.objectContaining({ driver: 'json-file' }),
        }),
      ]);
      if (service.healthcheck?.test !== undefined) expect([name, service.healthcheck.test[0]]).toEqual([name, 'CMD']);
    }
    // Volumes begin as root's, and somebody has to give them away.
    expect(
      Object.entries(services)
        .filter(([, { user }]) => user !== undefined)
        .map(([name]) => name),
    ).toEqual(['init']);
  });
});

describe('Prometheus and Grafana of the compose file', () => {
  const prometheus = yaml<{
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly {
      readonly job_name: string;
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }[];
  }>('deploy/compose/prometheus.yaml');

  it('every node and signer is scraped, under the names of the jobs', () => {
    const jobs = Object.fromEntries(
      prometheus.scrape_configs.map(({ job_name: name, static_configs: groups }) => [
        name,
        groups.flatMap(({ targets }) => targets),
      ]),
    );
    expect(jobs).toEqual({
      prime: validators.map((name) => `${name}:${defaultPort('admin.listen')}`),
      'prime-signer': ['signer3:9200'],
    });
    for (const name of [...validators, 'signer3']) expect(services[name]!.networks).toContain('validators');
    expect(services['prometheus']!.networks).toContain('validators');
  });

  it('the alerts are those of deploy/prometheus, beside the file that names them', () => {
    const mounts = mountsOf(services['prometheus']!);
    const placeOf = (source: string): string => mounts.find((mount) => mount.source === source)!.target;
    const config = placeOf('./compose/prometheus.yaml');
    expect(services['prometheus']!.command).toContain(`--config.file=${config}`);
    expect(prometheus.rule_files.map((file) => posix.join(posix.dirname(config), file))).toEqual([
      placeOf('./prometheus/prime.rules.yaml'),
    ]);
  });

  it('Grafana asks that Prometheus, and shows every dashboard that is here', () => {
    const { datasources } = yaml<{
      readonly datasources: readonly { readonly uid: string; readonly url: string; readonly isDefault: boolean }[];
    }>('deploy/grafana/provisioning/datasources/prometheus.yaml');
    expect(datasources).toMatchObject([{ uid: 'prometheus', url: 'http://prometheus:9090', isDefault: true }]);
    const { providers } = yaml<{ readonly providers: readonly { readonly options: { readonly path: string } }[] }>(
      'deploy/grafana/provisioning/dashboards/prime.yaml',
    );
    const mounts = mountsOf(services['grafana']!);
    expect(mounts).toContainEqual({ source: './grafana/dashboards', target: providers[0]!.options.path });
    expect(mounts).toContainEqual({ source: './grafana/provisioning', target: '/etc/grafana/provisioning' });
    const shared = services['grafana']!.networks!.filter((name) => services['prometheus']!.networks!.includes(name));
    expect(shared).toEqual(['monitoring']);
  });
});

describe('the program that makes the homes', () => {
  let folder: string;
  const volume = (name: string): string => join(folder, 'volumes', name);
  const names = [...validators, 'signer3', 'network'];
  const make = () =>
    spawnSync(
      process.execPath,
      [
        join(root, 'deploy/compose/init.mjs'),
        '--volumes',
        join(folder, 'volumes'),
        '--uid',
        String(process.getuid!()),
        '--program',
        cli,
      ],
      { encoding: 'utf8' },
    );
  const contents = (): string[] =>
    names.flatMap((name) =>
      readdirSync(volume(name), { recursive: true, encoding: 'utf8' })
        .filter((path) => statSync(join(volume(name), path)).isFile())
        .map((path) => `${name}/${path} ${readFileSync(join(volume(name), path), 'base64')}`),
    );

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'prime-compose-'));
    for (const name of names) mkdirSync(volume(name), { recursive: true });
    // A start that was cut off.
    writeFileSync(join(volume('validator0'), 'genesis.json'), 'half');
    mkdirSync(join(volume('signer3'), 'keys'));
    const { status, stderr } = make();
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives each validator a home that it takes with the environment of its container', () => {
    for (const [index, name] of validators.entries()) {
      const { config } = loadConfig({
        file: { name, text: readFileSync(homePaths(volume(name)).config, 'utf8') },
        environment: services[name]!.environment!,
      });
      expect(config.p2p.advertise).toEqual({ host: name, port: Number(defaultPort('p2p.listen')) });
      expect(config.p2p.peers.map(({ host }) => host)).toEqual(validators.filter((other) => other !== name));
      for (const listen of [config.rpc.listen, config.p2p.listen, config.admin.listen])
        expect(listen!.host).toBe('0.0.0.0');
      expect(config.signer.address).toEqual(index === 3 ? { host: 'signer3', port: 26_670 } : null);
    }
  });

  it('the key of the last one is in its signer, which its node and Prometheus reach', () => {
    expect(readdirSync(homePaths(volume('validator3')).keys)).not.toContain('signer.json');
    expect(readdirSync(homePaths(volume('signer3')).keys)).toContain('signer.json');
    const path = homePaths(volume('signer3')).signerConfig;
    expect(parseSignerConfig(readFileSync(path, 'utf8'), path)).toMatchObject({
      listen: { host: '0.0.0.0', port: 26_670 },
      admin: { host: '0.0.0.0', port: 9_200 },
    });
  });

  it('keys that own the stakes are beside none of the others', () => {
    for (const name of [...validators, 'signer3'])
      expect(readdirSync(homePaths(volume(name)).keys)).not.toContain('owner.json');
    expect(readdirSync(join(volume('network'), 'owners')).toSorted()).toEqual([
      'password',
      ...validators.map((name) => `${name}.json`),
    ]);
  });

  it('again: nothing is changed', () => {
    const before = contents();
    expect(make().status).toBe(0);
    expect(contents()).toEqual(before);
  });
});
