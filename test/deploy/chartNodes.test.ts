/** What the chart tells nodes, read by the nodes' own configuration; and that Kubernetes asks them where they listen. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { configKeys, loadConfig, type NodeConfig, parseSignerConfig, presetConfig } from '@prime/config';
import { cli } from '../e2e/operations/program.ts';
import { exampleNames, hasHelm, render, type Values } from './helm.ts';
import { type Container, type KubernetesObject, named, ofKind, type Workload, workloadsOf } from './kubernetes.ts';
import { validatorValues } from './values.ts';

/** SIGTERM is a graceful stop within that, docs/operate/exit-codes.md. */
const stopSeconds = 10;

/** Whose names an init container reads: what `--config` names, as files. */
function mountedFor(objects: readonly KubernetesObject[], { template }: Workload): Readonly<Record<string, string>> {
  const { sources } = template.spec.volumes!.find(({ name }) => name === 'config')!.projected!;
  const made = sources.flatMap(({ configMap }) =>
    ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.name === configMap!.name),
  );
  return Object.assign({}, ...made.map(({ data }) => data)) as Record<string, string>;
}

const configOf = (objects: readonly KubernetesObject[], name: string): NodeConfig => {
  const workload = workloadsOf(objects).find((each) => each.name === name)!;
  const [container] = workload.template.spec.containers;
  const environment = Object.fromEntries((container!.env ?? []).map((each) => [each.name, each.value]));
  // Of a file with a password, which is no key of the configuration.
  delete environment['PRIME_KEY_PASSWORD_FILE'];
  const text = mountedFor(objects, workload)['config.toml']!;
  return loadConfig({ file: { name: 'config.toml', text }, environment }).config;
};
const portsOf = ({ ports = [] }: Container): Record<string, number> =>
  Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));
const defaultPort = (path: string): number =>
  Number(
    String(configKeys.find((key) => key.path === path)!.schema['default'])
      .split(':')
      .at(-1),
  );

const nodesOf = (objects: readonly KubernetesObject[]): Workload[] =>
  workloadsOf(objects).filter(({ template }) => template.spec.containers[0]!.args?.[0] === 'node');

(hasHelm ? describe : describe.skip)('nodes of the chart', () => {
  it.each(exampleNames)('%s: take their settings, and listen on the ports of their pods', (example) => {
    const objects = render({ example });
    const nodes = nodesOf(objects);
    expect(nodes.length).toBeGreaterThan(0);
    for (const { name, template } of nodes) {
      const { rpc, p2p, admin } = configOf(objects, name);
      const listening = {
        rpc: rpc.listen?.port,
        ...(p2p.listen !== null && { p2p: p2p.listen.port }),
        admin: admin.listen?.port,
      };
      expect([name, portsOf(template.spec.containers[0]!)]).toEqual([name, listening]);
      for (const listen of [rpc.listen, admin.listen]) expect(listen!.host).toBe('0.0.0.0');
    }
  });

  it('the ports are those that a node has by itself', () => {
    const [container] = nodesOf(render({ example: 'minimal' }))[0]!.template.spec.containers;
    expect(portsOf(container!)).toEqual({
      rpc: defaultPort('rpc.listen'),
      p2p: defaultPort('p2p.listen'),
      admin: defaultPort('admin.listen'),
    });
  });

  it.each(exampleNames)('%s: Services lead to ports of pods that are there', (example) => {
    const objects = render({ example });
    const workloads = workloadsOf(objects);
    for (const { metadata, spec } of ofKind(objects, 'Service')) {
      const labels = spec!.selector as Readonly<Record<string, string>>;
      const behind = workloads.filter(({ template }) =>
        Object.entries(labels).every(([name, value]) => template.metadata.labels[name] === value),
      );
      expect([metadata.name, behind.length > 0]).toEqual([metadata.name, true]);
      for (const { template } of behind)
        for (const { targetPort } of spec!.ports!)
          expect([metadata.name, Object.keys(portsOf(template.spec.containers[0]!))]).toEqual([
            metadata.name,
            expect.arrayContaining([targetPort]),
          ]);
    }
  });

  it('a validator names the others by the names that their pods keep, and not itself', () => {
    const objects = render({ example: 'minimal', namespace: 'exchange' });
    const headless = named(objects, 'Service', 'prime-validators');
    expect(headless.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    const hosts = [0, 1, 2, 3].map((index) => {
      const { metadata, spec } = named(objects, 'StatefulSet', `prime-v${index}`);
      expect(spec!.serviceName).toBe('prime-validators');
      return `${metadata.name}-0.${spec!.serviceName!}.exchange.svc`;
    });
    for (const [index, host] of hosts.entries()) {
      const { node, p2p } = configOf(objects, `prime-v${index}`);
      expect(node.role).toBe('validator');
      expect(p2p.advertise).toEqual({ host, port: 26_656 });
      expect(p2p.peers.map((peer) => `${peer.host}:${peer.port}`)).toEqual(
        hosts.filter((other) => other !== host).map((other) => `${other}:26656`),
      );
    }
  });

  it('followers follow all validators, make their keys, and listen to nobody', () => {
    const objects = render({ example: 'production' });
    const { node, p2p, sync } = configOf(objects, 'prime-followers');
    expect(node.role).toBe('full');
    expect(p2p.listen).toBeNull();
    expect(p2p.peers).toHaveLength(7);
    expect(sync.trustedHeight).toBe(1_200_000);
    const { initContainers } = named(objects, 'Deployment', 'prime-followers').spec!.template!.spec;
    expect(initContainers![0]!.args).not.toContain('--keys');
    // Nobody could list them beforehand, so validators take those that come.
    expect(configOf(objects, 'prime-v0').p2p.followers).toBe('all');
    expect(configOf(render({ example: 'minimal' }), 'prime-v0').p2p.followers).toBe('auto');
  });

  it('settings of one validator count before those of all', () => {
    const objects = render({ example: 'production' });
    expect(configOf(objects, 'prime-v0').history).toMatchObject({ blocks: 'archive', states: 'recent' });
    expect(configOf(objects, 'prime-v1').history).toMatchObject({ blocks: 'recent', recentBlocks: 2_000_000 });
    expect(configOf(objects, 'prime-followers').limits.clientRequestsPerSecond).toBe(200);
  });

  it.each(['production', 'remote-signer'] as const)('%s: validators wait as long as machines apart need', (example) => {
    const objects = render({ example });
    const wanted = Object.entries(presetConfig({ testNetwork: false }));
    const { consensus } = configOf(objects, nodesOf(objects)[0]!.name);
    const camel = (key: string): string =>
      key.replace(/^\w+\./, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(consensus).toMatchObject(Object.fromEntries(wanted.map(([key, value]) => [camel(key), value])));
  });

  it('tables, lists, large numbers and signs of settings arrive as they were written', () => {
    const hash = `sha256:${'ab'.repeat(32)}`;
    const config = {
      rpc: {
        cors_origins: ['https://a.example', 'https://b.example'],
        api_keys: [{ name: 'web', hash, operator: true }],
      },
      limits: { body_bytes: 12_345_678 },
      log: { level: 'debug' },
      ws: { enabled: false },
    };
    const objects = render({ example: null, values: { validators: validatorValues(1), config } });
    const { rpc, limits, log, ws } = configOf(objects, 'prime-v0');
    expect(rpc.corsOrigins).toEqual(['https://a.example', 'https://b.example']);
    expect(rpc.apiKeys).toEqual([{ name: 'web', hash, operator: true }]);
    expect([limits.bodyBytes, log.level, ws.enabled]).toEqual([12_345_678, 'debug', false]);
  });

  it('a node and its signer find each other', () => {
    const objects = render({ example: 'remote-signer', namespace: 'exchange' });
    const signer = named(objects, 'StatefulSet', 'prime-east-signer');
    const workload = workloadsOf(objects).find(({ name }) => name === 'prime-east-signer')!;
    const settings = parseSignerConfig(mountedFor(objects, workload)['signer.toml']!, 'signer.toml');
    const east = configOf(objects, 'prime-east');
    expect(east.signer).toEqual({
      address: { host: `prime-east-signer-0.${signer.spec!.serviceName!}.exchange.svc`, port: settings.listen.port },
      spki: `0x${'0'.repeat(62)}e0`,
    });
    expect(settings.nodes).toEqual([{ name: 'east', spki: `0x${'0'.repeat(62)}d0` }]);
    expect(portsOf(workload.template.spec.containers[0]!)).toEqual({
      signer: settings.listen.port,
      admin: settings.admin!.port,
    });
    expect(configOf(objects, 'prime-west').signer.address).toEqual({ host: 'signer.example.org', port: 26_670 });
    expect(ofKind(objects, 'StatefulSet').map(({ metadata }) => metadata.name)).not.toContain('prime-west-signer');
  });

  it('an encrypted key has its password in a file, named to the program that opens it', () => {
    const password = { name: 'PRIME_KEY_PASSWORD_FILE', value: '/password/password' };
    for (const [example, name] of [
      ['production', 'prime-v0'],
      ['remote-signer', 'prime-east-signer'],
    ] as const) {
      const [container] = workloadsOf(render({ example })).find((each) => each.name === name)!.template.spec.containers;
      expect(container!.env).toEqual([password]);
      expect(container!.volumeMounts).toContainEqual({ name: 'password', mountPath: '/password', readOnly: true });
    }
    for (const { template } of workloadsOf(render({ example: 'minimal' })))
      expect(template.spec.containers[0]!.env).toBeUndefined();
  });
});

(hasHelm ? describe : describe.skip)('feeders of the chart', () => {
  const feedersOf = (objects: readonly KubernetesObject[]): Workload[] =>
    workloadsOf(objects).filter(({ template }) => template.spec.containers[0]!.args?.[0] === 'oracle');
  const feeder = { config: 'interval_ms = 3000\n' };
  const secretsOf = ({ template }: Workload) =>
    template.spec.volumes!.flatMap(({ secret, projected }) => [
      ...(secret === undefined ? [] : [secret.secretName]),
      ...(projected?.sources ?? []).flatMap((source) => (source.secret === undefined ? [] : [source.secret.name])),
    ]);

  it('there are none before somebody says what they read', () => {
    expect(feedersOf(render({ example: 'minimal' }))).toEqual([]);
  });

  it('each validator has one, which reports to its node with a Secret that nobody else has', () => {
    const objects = render({ example: 'minimal', values: { feeder } });
    const feeders = feedersOf(objects);
    expect(feeders.map(({ name, kind, spec }) => [name, kind, spec.replicas])).toEqual(
      [0, 1, 2, 3].map((index) => [`prime-v${index}-feeder`, 'Deployment', 1]),
    );
    expect(feeders.map(secretsOf)).toEqual([0, 1, 2, 3].map((index) => [`prime-v${index}-feeder-keys`]));
    expect(feeders[1]!.template.spec.containers[0]!.args!.join(' ')).toBe(
      'oracle feed --home /var/lib/prime --config /config/feeder.toml ' +
        '--rpc http://prime-v1-0.prime-validators.default.svc:8545 ' +
        '--password-file /var/lib/prime/keys/password --log-format json',
    );
    expect(named(objects, 'ConfigMap', 'prime-feeder').data).toEqual({ 'feeder.toml': feeder.config });
  });

  it('with oracle keys they name the owner, and the password of the key', () => {
    const [first, ...others] = feedersOf(render({ example: 'production' }));
    expect(others).toHaveLength(6);
    const [{ args, volumeMounts }] = first!.template.spec.containers as [Container];
    expect(args!.slice(8, 14).join(' ')).toBe(
      `--key /var/lib/prime/keys/oracle.json --validator 0x${'b0'.padStart(40, '0')} --password-file /password/password`,
    );
    expect(volumeMounts).toContainEqual({ name: 'password', mountPath: '/password', readOnly: true });
    expect(secretsOf(first!)).toEqual(['prime-v0-feeder-keys', 'prime-v0-feeder-password']);
  });

  it('read what a feeder takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'prime-feeder-'));
    const fed = (text: string): string => {
      const config = join(folder, 'feeder.toml');
      writeFileSync(config, text);
      const args = ['oracle', 'feed', '--config', config, '--rpc', 'http://127.0.0.1:1'];
      return spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' }).stderr;
    };
    try {
      const text = named(render({ example: 'production' }), 'ConfigMap', 'prime-feeder').data!['feeder.toml']!;
      // The file is read first; then it asks for whom.
      expect(fed(text)).toContain('give either --home or --network');
      expect(fed(text.replace('quorum = 2', 'quorum = 4'))).toContain('CLI_FEEDER_INVALID');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are left out where somebody else reports, and start anew with another configuration', () => {
    const validators = validatorValues(2).map((validator, index) => ({
      ...validator,
      feeder: { enabled: index === 1 },
    }));
    const pods = (config: string): Workload[] =>
      feedersOf(render({ example: null, values: { validators, feeder: { config } } }));
    expect(pods('a').map(({ name }) => name)).toEqual(['prime-v1-feeder']);
    const checksum = (config: string): string => pods(config)[0]!.template.metadata.annotations!['prime-config']!;
    expect(checksum('a')).not.toBe(checksum('b'));
  });
});

(hasHelm ? describe : describe.skip)('pods of the chart', () => {
  const all = exampleNames.flatMap((example) =>
    hasHelm ? workloadsOf(render({ example })).map((workload) => [example, workload] as const) : [],
  );

  it('run without rights, and without variables that a node would take for its own', () => {
    for (const [example, { name, template }] of all) {
      const { containers, initContainers = [], ...spec } = template.spec;
      expect([example, name, spec]).toEqual([
        example,
        name,
        expect.objectContaining({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: expect.objectContaining({ runAsNonRoot: true, runAsUser: 1000 }),
        }),
      ]);
      for (const { securityContext, resources, command } of [...containers, ...initContainers]) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({
          requests: { cpu: expect.anything() },
          limits: { memory: expect.anything() },
        });
        // The entry of the image is the program: there is no shell to need.
        expect(command).toBeUndefined();
      }
    }
  });

  it('are asked whether they are alive apart from whether they have caught up', () => {
    // A feeder has nothing to ask: prices that stay away are an alert of its node.
    for (const [, workload] of all.filter(([, { name }]) => !name.endsWith('-feeder'))) {
      const [{ startupProbe, livenessProbe, readinessProbe, args, ports }] = workload.template.spec.containers as [
        Container,
      ];
      const isNode = args![0] === 'node';
      const port = args![0] === 'explorer' ? 'http' : 'admin';
      expect(startupProbe!.httpGet).toEqual({ path: '/health', port });
      expect(livenessProbe!.httpGet).toEqual({ path: '/health', port });
      expect(readinessProbe!.httpGet).toEqual({ path: isNode ? '/ready' : '/health', port });
      expect(ports!.map(({ name }) => name)).toContain(port);
      // A start that executes blocks again takes minutes.
      if (isNode) expect(startupProbe!.periodSeconds! * startupProbe!.failureThreshold!).toBeGreaterThanOrEqual(300);
    }
  });

  it.each([0, 5, 60])('have the time for %d s of calls and the stop', (drainSeconds) => {
    const values: Values = {
      validators: validatorValues(1),
      validator: { drainSeconds },
      followers: { enabled: true, drainSeconds },
    };
    for (const { template } of nodesOf(render({ example: null, values }))) {
      const { terminationGracePeriodSeconds, containers } = template.spec;
      expect(containers[0]!.lifecycle!.preStop).toEqual({ sleep: { seconds: drainSeconds } });
      expect(terminationGracePeriodSeconds!).toBeGreaterThan(drainSeconds + stopSeconds);
    }
  });

  it('are given new settings when they start: each change of one is in the description of its pod', () => {
    const checksums = (values: Values): (string | undefined)[] =>
      nodesOf(render({ example: 'production', values })).map(
        ({ template }) => template.metadata.annotations!['prime-config'],
      );
    const before = checksums({});
    const after = checksums({ config: { log: { level: 'debug' } } });
    expect(after).toHaveLength(8);
    expect(after.filter((text, index) => text === before[index])).toEqual([]);
    expect(checksums({})).toEqual(before);
  });

  it('keep apart: validators by machine and zone, as far as it is asked for', () => {
    const antiAffinity = (values: Values) =>
      named(render({ example: 'minimal', values }), 'StatefulSet', 'prime-v0').spec!.template!.spec.affinity!
        .podAntiAffinity!;
    const soft = antiAffinity({});
    expect(soft.requiredDuringSchedulingIgnoredDuringExecution).toBeUndefined();
    expect(soft.preferredDuringSchedulingIgnoredDuringExecution).toHaveLength(1);
    const hard = antiAffinity({ validator: { antiAffinity: 'required' } });
    expect(hard.preferredDuringSchedulingIgnoredDuringExecution).toBeUndefined();
    expect(hard.requiredDuringSchedulingIgnoredDuringExecution).toMatchObject([
      { topologyKey: 'kubernetes.io/hostname' },
    ]);
  });
});
