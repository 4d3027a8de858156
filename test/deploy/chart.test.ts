/** deploy/helm/prime as helm renders it, against the schemas of Kubernetes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, readManifest, readText } from '../repo/repository.ts';
import { chart, exampleNames, hasHelm, objectsOf, problemsOf, render, withValues } from './helm.ts';
import { named, ofKind } from './kubernetes.ts';

(hasHelm ? describe : describe.skip)('the chart', () => {
  it('all examples are looked at', () => {
    const files = readdirSync(join(chart, 'examples'));
    expect(files.toSorted()).toEqual(exampleNames.map((name) => `${name}.yaml`).toSorted());
  });

  it.each(exampleNames)('%s: helm lint finds nothing', (example) => {
    const { status, stdout, stderr } = withValues({ example }, 'lint');
    expect({ status, words: `${stdout}${stderr}` }).toEqual({
      status: 0,
      words: expect.stringContaining('0 chart(s) failed'),
    });
  });

  it.each(exampleNames)('%s: every object is one of the API, without a field that it does not know', (example) => {
    const objects = render({ example });
    expect(objects.length).toBeGreaterThan(5);
    expect(problemsOf(objects)).toEqual([]);
  });

  it('a wrong field, a wrong type and an unknown kind would be found', () => {
    const [service] = ofKind(render({ example: 'minimal' }), 'Service');
    const wrong = [
      { ...service!, spec: { ...service!.spec!, clusterIp: 'None' } },
      { ...service!, spec: { ...service!.spec!, ports: [{ name: 'p2p', port: '26656', targetPort: 'p2p' }] } },
      { ...service!, kind: 'Servce' },
    ] as never;
    expect(problemsOf(wrong)).toEqual([
      expect.stringContaining('spec.clusterIp is no field'),
      expect.stringContaining('/spec/ports/0/port type'),
      expect.stringContaining('no schema of v1 Servce'),
    ]);
  });

  it.each(exampleNames)('%s: no two objects have one name', (example) => {
    const names = render({ example }).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has the version of the program', () => {
    const [about] = objectsOf(readText('deploy/helm/prime/Chart.yaml')) as unknown as [Record<string, string>];
    const { version } = readManifest('package.json') as { readonly version?: string };
    expect(about).toMatchObject({ version, appVersion: version });
  });

  it('has all alerts of deploy/prometheus', () => {
    const rule = named(render({ example: 'production' }), 'PrometheusRule', 'prime');
    const alerts = rule.spec!.groups!.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const wanted = [...readText('deploy/prometheus/prime.rules.yaml').matchAll(/^ {6}- alert: (\w+)$/gm)];
    expect(alerts).toEqual(wanted.map(([, name]) => name));
    expect(alerts.length).toBeGreaterThan(15);
    // Text of Prometheus with braces goes through the templates of helm as it is.
    expect(JSON.stringify(rule)).toContain('{{ $labels.instance }}');
  });

  it('has every dashboard as a ConfigMap that the sidecar of Grafana finds', () => {
    const folder = 'deploy/helm/prime/files/dashboards';
    const files = filesBelow(folder).map((path) => path.slice(folder.length + 1));
    const maps = ofKind(render({ example: 'production' }), 'ConfigMap').filter(
      ({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1',
    );
    expect(maps.flatMap(({ data = {} }) => Object.keys(data)).toSorted()).toEqual(files.toSorted());
    for (const { data = {} } of maps)
      for (const [name, text] of Object.entries(data)) expect(text).toBe(readText(`${folder}/${name}`));
  });
});
