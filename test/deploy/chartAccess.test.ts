/** Who reaches which port, by the policies of the chart; whom callers and Prometheus are led to. */
import { describe, expect, it } from '@jest/globals';
import { nodeMetricNames } from './metrics.ts';
import { exampleNames, hasHelm, render, type Values } from './helm.ts';
import { type KubernetesObject, type Labels, matches, named, ofKind, type Peer, workloadsOf } from './kubernetes.ts';
import { validatorValues } from './values.ts';

/** Somebody who connects: a pod in the namespace of the release or elsewhere, or a machine outside. */
type Caller = { readonly labels: Labels; readonly namespace: string | null } | { readonly address: string };

const sameNamespace = null;
const monitoring: Caller = { labels: { app: 'prometheus' }, namespace: 'monitoring' };
const neighbour: Caller = { labels: { app: 'shop' }, namespace: sameNamespace };
const elsewhere: Caller = { labels: { app: 'shop' }, namespace: 'other' };
const internet: Caller = { address: '198.51.100.7' };

function isMeant({ podSelector, namespaceSelector, ipBlock }: Peer, caller: Caller): boolean {
  if ('address' in caller) return ipBlock?.cidr === '0.0.0.0/0';
  if (ipBlock !== undefined) return false;
  const isInPlace =
    namespaceSelector === undefined
      ? caller.namespace === sameNamespace
      : matches(namespaceSelector, { 'kubernetes.io/metadata.name': caller.namespace ?? 'default' });
  return isInPlace && (podSelector === undefined || matches(podSelector, caller.labels));
}

/** Ports of a workload's pods that a caller reaches: all of them where no policy is about them. */
function reached(objects: readonly KubernetesObject[], name: string, caller: Caller): string[] {
  const { template } = workloadsOf(objects).find((each) => each.name === name)!;
  const ports = template.spec.containers[0]!.ports!.map((port) => port.name);
  const policies = ofKind(objects, 'NetworkPolicy').filter(({ spec }) =>
    matches(spec!.podSelector!, template.metadata.labels),
  );
  if (policies.length === 0) return ports.toSorted();
  const open = policies.flatMap(({ spec }) =>
    (spec!.ingress ?? [])
      // No `from` would be everybody.
      .filter(({ from }) => from === undefined || from.some((peer) => isMeant(peer, caller)))
      .flatMap((rule) => rule.ports?.map(({ port }) => String(port)) ?? ports),
  );
  return [...new Set(open)].toSorted();
}

const podOf = (objects: readonly KubernetesObject[], name: string): Caller => ({
  labels: workloadsOf(objects).find((each) => each.name === name)!.template.metadata.labels,
  namespace: sameNamespace,
});

(hasHelm ? describe : describe.skip)('policies', () => {
  it.each(exampleNames)('%s: are about every pod', (example) => {
    const objects = render({ example });
    for (const { name, template } of workloadsOf(objects)) {
      const policies = ofKind(objects, 'NetworkPolicy').filter(({ spec }) =>
        matches(spec!.podSelector!, template.metadata.labels),
      );
      expect([name, policies.map(({ spec }) => spec!.policyTypes)]).toEqual([name, [['Ingress']]]);
    }
  });

  it('with followers: validators talk with validators and followers, and callers reach followers alone', () => {
    const objects = render({ example: 'production' });
    const ingress: Caller = { labels: { app: 'nginx' }, namespace: 'ingress' };
    for (const [caller, validator, follower] of [
      [podOf(objects, 'prime-v1'), ['p2p'], []],
      [podOf(objects, 'prime-followers'), ['p2p'], []],
      [podOf(objects, 'prime-explorer'), [], []],
      [monitoring, ['admin'], ['admin']],
      [ingress, [], ['rpc']],
      [neighbour, [], []],
      [elsewhere, [], []],
      [internet, [], []],
    ] as const)
      expect([caller, reached(objects, 'prime-v0', caller), reached(objects, 'prime-followers', caller)]).toEqual([
        caller,
        validator,
        follower,
      ]);
    expect(reached(objects, 'prime-explorer', ingress)).toEqual(['http']);
    expect(reached(objects, 'prime-explorer', neighbour)).toEqual([]);
  });

  it('without followers: callers reach the validators', () => {
    const objects = render({ example: 'minimal' });
    expect(reached(objects, 'prime-v0', podOf(objects, 'prime-v1'))).toEqual(['p2p', 'rpc']);
    expect(reached(objects, 'prime-v0', neighbour)).toEqual(['rpc']);
    expect(reached(objects, 'prime-v0', monitoring)).toEqual(['admin']);
    for (const caller of [elsewhere, internet]) expect(reached(objects, 'prime-v0', caller)).toEqual([]);
  });

  it('feeders reach the JSON-RPC of validators, also where nobody else does, and nobody reaches them', () => {
    const objects = render({ example: 'production' });
    expect(reached(objects, 'prime-v0', podOf(objects, 'prime-v0-feeder'))).toEqual(['rpc']);
    const policy = named(objects, 'NetworkPolicy', 'prime-feeders').spec!;
    expect([policy.policyTypes, policy.ingress]).toEqual([['Ingress'], []]);
  });

  it('a validator of another release is a neighbour like any other', () => {
    const objects = render({ release: 'one', example: 'production' });
    const stranger = podOf(render({ release: 'other', example: 'production' }), 'other-v0');
    expect(reached(objects, 'one-v0', stranger)).toEqual([]);
    expect(reached(objects, 'one-followers', stranger)).toEqual([]);
  });

  it('nobody asks a signer but its own validator', () => {
    const [first, second, ...others] = validatorValues(4);
    const signer = (spki: string): Values => ({ spki: spki.replace('a00', 'e00') });
    const validators = [
      { ...first!, signer: signer(first!.spki) },
      { ...second!, signer: signer(second!.spki) },
      ...others,
    ];
    const objects = render({ example: null, values: { validators, followers: { enabled: true } } });
    const ports = (caller: string): string[] => reached(objects, 'prime-v0-signer', podOf(objects, caller));
    expect(ports('prime-v0')).toEqual(['signer']);
    for (const caller of ['prime-v1', 'prime-v1-signer', 'prime-followers'])
      expect([caller, ports(caller)]).toEqual([caller, []]);
    expect(reached(objects, 'prime-v0-signer', monitoring)).toEqual(['admin']);
  });

  it('peers from outside come to the port of peers, where they may', () => {
    const objects = render({ example: 'remote-signer' });
    expect(reached(objects, 'prime-east', internet)).toEqual(['p2p']);
    expect(reached(objects, 'prime-east-signer', internet)).toEqual([]);
  });

  it.each([
    ['followers', { rpc: { from: [] }, admin: { from: [] } }],
    ['explorer', { explorer: { from: [] } }],
  ])('an empty list of %s lets nobody in', (component, networkPolicy) => {
    const objects = render({ example: 'observer', values: { networkPolicy } });
    for (const caller of [monitoring, neighbour, elsewhere, internet])
      expect(reached(objects, `prime-${component}`, caller)).toEqual([]);
  });

  it('are left out where somebody says so', () => {
    const objects = render({ example: 'minimal', values: { networkPolicy: { enabled: false } } });
    expect(ofKind(objects, 'NetworkPolicy')).toEqual([]);
  });
});

(hasHelm ? describe : describe.skip)('Services', () => {
  const behind = (objects: readonly KubernetesObject[], service: string): string[] => {
    const selector = named(objects, 'Service', service).spec!.selector as Labels;
    return workloadsOf(objects)
      .filter(({ template }) => matches({ matchLabels: selector }, template.metadata.labels))
      .map(({ name }) => name);
  };

  it('callers are led to followers, or to validators where there are none', () => {
    expect(behind(render({ example: 'production' }), 'prime-rpc')).toEqual(['prime-followers']);
    expect(behind(render({ example: 'minimal' }), 'prime-rpc').toSorted()).toEqual([
      'prime-v0',
      'prime-v1',
      'prime-v2',
      'prime-v3',
    ]);
  });

  it('callers meet nobody who is not ready; peers and Prometheus do', () => {
    const objects = render({ example: 'production' });
    const early = (name: string): boolean | undefined => named(objects, 'Service', name).spec!.publishNotReadyAddresses;
    expect(['prime-rpc', 'prime-validators', 'prime-followers'].map(early)).toEqual([undefined, true, true]);
  });

  it('peers from outside of the cluster reach one validator by its Service', () => {
    const objects = render({ example: 'remote-signer' });
    expect(behind(objects, 'prime-east-p2p')).toEqual(['prime-east']);
    expect(behind(objects, 'prime-west-p2p')).toEqual(['prime-west']);
  });

  it.each([
    ['production', { prime: ['prime-followers', 'prime-validators'], 'prime-signer': [] }],
    ['remote-signer', { prime: ['prime-validators'], 'prime-signer': ['prime-signers'] }],
  ] as const)('%s: Prometheus asks each pod once, under the names of its jobs', (example, jobs) => {
    const objects = render({ example });
    const found = ofKind(objects, 'ServiceMonitor').map(({ spec }) => {
      const selector = spec!.selector as { readonly matchLabels: Labels };
      const services = ofKind(objects, 'Service').filter(({ metadata }) => matches(selector, metadata.labels ?? {}));
      const [endpoint] = spec!.endpoints!;
      const label = (name: string): Labels => endpoint!.relabelings!.find(({ targetLabel }) => targetLabel === name)!;
      for (const service of services) expect(service.spec!.ports!.map(({ name }) => name)).toContain(endpoint!.port);
      expect(label('instance')['sourceLabels']).toEqual(['__meta_kubernetes_pod_name']);
      return [label('job')['replacement'], services.map(({ metadata }) => metadata.name).toSorted()];
    });
    expect(Object.fromEntries(found)).toEqual(jobs);
  });

  it('followers grow with what they have in work, which nodes tell', () => {
    const objects = render({ example: 'production' });
    const { spec } = named(objects, 'HorizontalPodAutoscaler', 'prime-followers');
    expect(spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'prime-followers' },
      minReplicas: 3,
      maxReplicas: 12,
    });
    const [metric] = spec!.metrics!;
    expect(nodeMetricNames()).toContain(metric!.pods!.metric.name);
    // Two who set the number of pods would undo each other's work.
    expect(named(objects, 'Deployment', 'prime-followers').spec!.replicas).toBeUndefined();
    expect(named(render({ example: 'observer' }), 'Deployment', 'prime-followers').spec!.replicas).toBe(2);
  });
});
