import { describe, expect, it } from '@jest/globals';
import { readText } from '../repo/repository.ts';
import { hasHelm, objectsOf, problemsOf, render } from './helm.ts';
import { named, ofKind, workloadsOf } from './kubernetes.ts';
import { validatorValues } from './values.ts';

/** deploy/load: names that stand in several places have to be the same, or workers wait for a coordinator that looks elsewhere. */

const workers = readText('deploy/load/workers.yaml');
const run = readText('deploy/load/run.yaml');
const reports = readText('deploy/load/reports.yaml');
const all = { workers, run, reports };

/** The documents of a file by their kind. */
const documents = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(/^---$/m).map((document) => [/^kind: (\w+)$/m.exec(document)?.[1] ?? '', document]));
const one = (text: string, pattern: RegExp): string => {
  const found = [...text.matchAll(pattern)];
  if (found.length !== 1) throw new Error(`${pattern} is found ${found.length} times`);
  return found[0]![1]!;
};
const nameOf = (document: string): string => one(document, /^ {2}name: (\S+)$/gm);

const service = documents(workers).get('Service')!;
const policy = documents(workers).get('NetworkPolicy')!;
const job = documents(workers).get('Job')!;
const coordinator = documents(run).get('Job')!;

/** Arguments of the coordinator, by their names. */
const flags = new Map(
  [...coordinator.matchAll(/^ {12}- --([a-z-]+)=(\S+)$/gm)].map(([, name, value]) => [name!, value!] as const),
);
const workerArguments = JSON.parse(one(job, /^ {10}args: (\[.*\])$/gm)) as readonly string[];
const after = (name: string): string => workerArguments[workerArguments.indexOf(name) + 1]!;

/** Labels that a Service, a policy or a Job selects or gives, `name/component`. */
const component = (line: string): string => one(line, /app\.kubernetes\.io\/component: ([a-z-]+)/g);

describe('the Kubernetes Jobs of a load run', () => {
  it('name the pods of the indexed Job as the coordinator looks for them', () => {
    const completions = Number(one(job, /^ {2}completions: (\d+)$/gm));
    expect(one(job, /^ {2}completionMode: (\w+)$/gm)).toBe('Indexed');
    expect(Number(one(job, /^ {2}parallelism: (\d+)$/gm))).toBe(completions);
    expect(one(job, /^ {6}subdomain: (\S+)$/gm)).toBe(nameOf(service));
    const port = Number(one(service, /, port: (\d+),/g));
    const places = Array.from(
      { length: completions },
      (_, index) => `${nameOf(job)}-${index}.${nameOf(service)}:${port}`,
    );
    expect(one(coordinator, /LOAD_WORKERS, value: "([^"]+)"/g).split(',')).toEqual(places);
    expect(flags.get('workers-at')).toBe('$(LOAD_WORKERS)');
    expect(after('--listen')).toBe(`0.0.0.0:${port}`);
    expect(Number(one(job, /containerPort: (\d+)/g))).toBe(port);
  });

  it('select the pods that they mean', () => {
    const labels = new Set([...job.matchAll(/^ +labels: (.*)$/gm)].map(([, line]) => component(line!)));
    expect([...labels]).toEqual([component(one(service, /^ {2}selector: (.*)$/gm))]);
    const [selected, allowed] = [...policy.matchAll(/matchLabels: (.*)$/gm)].map(([, line]) => component(line!));
    expect([selected]).toEqual([...labels]);
    const given = [...coordinator.matchAll(/^ +labels: (.*)$/gm)].map(([, line]) => component(line!));
    expect(new Set(given)).toEqual(new Set([allowed]));
  });

  it('mount what the arguments name, and no key that pays at the workers', () => {
    for (const text of [job, coordinator]) expect(text).toContain('mountPath: /secrets, readOnly: true');
    expect(flags.get('token-file')).toBe(after('--token-file'));
    expect(after('--token-file')).toBe('/secrets/token');
    expect([...job.matchAll(/\{ key: (\S+), path: (\S+) \}/g)].map(([, key, path]) => [key, path])).toEqual([
      ['token', 'token'],
    ]);
    expect(one(job, /secretName: (\S+)/g)).toBe(one(coordinator, /secretName: ([^\s,]+)/g));
    for (const key of ['token', 'funder-key']) expect(workers).toContain(`--from-file=${key}`);
    expect(flags.get('funder-key-file')).toBe('/secrets/funder-key');
  });

  it('write reports to the claim that the reader reads', () => {
    const claim = nameOf(documents(run).get('PersistentVolumeClaim')!);
    for (const text of [coordinator, reports]) expect(one(text, /claimName: ([^\s}]+)/g)).toBe(claim);
    expect(flags.get('report')).toMatch(/^\/reports\/.+\.html$/);
    for (const text of [coordinator, reports]) expect(text).toMatch(/name: reports, mountPath: \/reports\b/);
  });

  it('ask single nodes, each by its own name, for as many admin endpoints', () => {
    const validators = (flag: string): string[] =>
      flags
        .get(flag)!
        .split(',')
        .map((url) => one(url, /^http:\/\/(prime-v\d-0\.prime-validators):\d+$/g));
    expect(validators('rpc')).toHaveLength(new Set(validators('rpc')).size);
    expect(validators('admin')).toEqual(validators('rpc'));
  });

  it('run the image of the validators, as a user without rights', () => {
    const image = `prime:${JSON.parse(readText('package.json')).version as string}`;
    for (const [file, text] of Object.entries(all)) {
      const images = new Set([...text.matchAll(/image: (\S+)/g)].map(([, name]) => name));
      expect([file, ...images]).toEqual([file, image]);
      for (const rule of [
        'runAsNonRoot: true',
        'readOnlyRootFilesystem: true',
        'drop: [ALL]',
        'automountServiceAccountToken: false',
      ])
        expect([file, text.includes(rule)]).toEqual([file, true]);
    }
  });
});

(hasHelm ? describe : describe.skip)('the Jobs beside a release of the chart', () => {
  const objects = Object.values(all).flatMap(objectsOf);

  it('are objects of the API', () => {
    expect(problemsOf(objects)).toEqual([]);
  });

  it('name validators of the release by the names that their pods keep, and reach them where the policies say so', () => {
    const labels = workloadsOf(objects).find(({ name }) => name === 'load-run')!.template.metadata.labels;
    const from = [{ podSelector: { matchLabels: labels } }];
    const release = render({
      example: null,
      values: {
        validators: validatorValues(4),
        followers: { enabled: true },
        networkPolicy: { rpc: { validatorsFrom: from }, admin: { from } },
      },
    });
    const hosts = ofKind(release, 'StatefulSet').map(
      ({ metadata, spec }) => `http://${metadata.name}-0.${spec!.serviceName!}`,
    );
    const ports = named(release, 'Service', 'prime-validators').spec!.ports!;
    for (const [flag, name] of [
      ['rpc', 'rpc'],
      ['admin', 'admin'],
    ] as const) {
      const { port } = ports.find((each) => each.name === name)!;
      expect(flags.get(flag)!.split(',')).toEqual(hosts.map((host) => `${host}:${port}`));
      const { ingress } = named(release, 'NetworkPolicy', 'prime-validators').spec!;
      expect(ingress).toContainEqual({ from, ports: [{ protocol: 'TCP', port: name }] });
    }
  });
});
