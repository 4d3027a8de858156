/** A validator is somebody: its keys, its claim and its selectors are its own, beside others of the release and beside other releases. */
import { describe, expect, it } from '@jest/globals';
import { exampleNames, hasHelm, objectsOf, render } from './helm.ts';
import {
  choicesOf,
  contestedPods,
  type KubernetesObject,
  named,
  ofKind,
  sharedSecrets,
  strangersMeant,
  workloadsOf,
} from './kubernetes.ts';
import { validatorValues } from './values.ts';

const instance = 'app.kubernetes.io/instance';

(hasHelm ? describe : describe.skip)('in a release', () => {
  it.each(exampleNames)('%s: no Secret is mounted by two', (example) => {
    expect(sharedSecrets(render({ example }))).toEqual([]);
  });

  it.each(exampleNames)('%s: each workload has its own pods', (example) => {
    const objects = render({ example });
    expect(contestedPods(objects)).toEqual([]);
    for (const { name, spec, template } of workloadsOf(objects))
      expect([name, template.metadata.labels]).toEqual([
        name,
        expect.objectContaining((spec.selector as { matchLabels: object }).matchLabels),
      ]);
  });

  it.each(exampleNames)('%s: every selector names the instance', (example) => {
    const choices = choicesOf(render({ example }));
    expect(choices.length).toBeGreaterThan(3);
    expect(choices.filter(({ selector }) => selector.matchLabels?.[instance] !== 'prime')).toEqual([]);
  });

  it.each(exampleNames)('%s: who signs has a claim of its own, that outlives the release, and runs once', (example) => {
    const sets = ofKind(render({ example }), 'StatefulSet');
    const expected = { minimal: 4, production: 7, 'remote-signer': 3, observer: 0 }[example];
    expect(sets).toHaveLength(expected);
    for (const { metadata, spec } of sets) {
      expect([metadata.name, spec]).toEqual([
        metadata.name,
        expect.objectContaining({
          replicas: 1,
          updateStrategy: { type: 'OnDelete' },
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
          volumeClaimTemplates: [
            expect.objectContaining({
              metadata: expect.objectContaining({ name: 'data' }),
              spec: expect.objectContaining({ accessModes: ['ReadWriteOncePod'] }),
            }),
          ],
        }),
      ]);
      const { containers, initContainers = [] } = spec!.template!.spec;
      for (const { volumeMounts = [] } of [...initContainers, ...containers])
        expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/var/lib/prime' });
    }
  });

  it('a validator with a remote signer has no Secret of the signer, and no password', () => {
    const objects = render({ example: 'remote-signer' });
    const mounted = (name: string): string[] =>
      (named(objects, 'StatefulSet', name).spec!.template!.spec.volumes ?? []).flatMap(({ secret }) =>
        secret === undefined ? [] : [secret.secretName],
      );
    expect(mounted('prime-east')).toEqual(['prime-east-keys']);
    expect(mounted('prime-east-signer')).toEqual(['prime-east-signer-keys', 'east-signer-password']);
    expect(mounted('prime-west')).toEqual(['prime-west-keys']);
  });

  it('mounted keys and passwords are readable for nobody else', () => {
    const modes = exampleNames.flatMap((example) =>
      workloadsOf(render({ example })).flatMap(({ template }) =>
        (template.spec.volumes ?? []).flatMap(({ secret }) => (secret === undefined ? [] : [secret.defaultMode])),
      ),
    );
    expect(modes.length).toBeGreaterThan(15);
    expect(new Set(modes)).toEqual(new Set([0o400]));
  });
});

(hasHelm ? describe : describe.skip)('two releases in one namespace', () => {
  it.each(exampleNames)('%s: no selector of one means pods of the other', (example) => {
    const [one, other] = [render({ release: 'one', example }), render({ release: 'other', example })];
    expect(strangersMeant(one, other)).toEqual([]);
    expect(strangersMeant(other, one)).toEqual([]);
    expect(strangersMeant(one, one).length).toBeGreaterThan(0);
  });

  it('and none has a name or a Secret of the other', () => {
    const validators = validatorValues(4);
    const [one, other] = ['one', 'other'].map((release) =>
      render({ release, example: null, values: { validators, followers: { enabled: true } } }),
    ) as [KubernetesObject[], KubernetesObject[]];
    const namesOf = (objects: readonly KubernetesObject[]): string[] =>
      objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(namesOf(one).filter((name) => namesOf(other).includes(name))).toEqual([]);
    expect(sharedSecrets([...one, ...other])).toEqual([]);
    expect(contestedPods([...one, ...other])).toEqual([]);
  });
});

describe('the fault of the manifest that was copied', () => {
  /** As it was: a name that a suffix changed, and neither the Secret nor the labels. */
  const copy = (index: number): string => `
apiVersion: v1
kind: Service
metadata: { name: prime-validator-${index} }
spec:
  clusterIP: None
  selector: { app.kubernetes.io/name: prime, app.kubernetes.io/component: validator }
  ports: [{ name: p2p, port: 26656, targetPort: p2p }]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: prime-validator-${index} }
spec:
  serviceName: prime-validator-${index}
  selector: { matchLabels: { app.kubernetes.io/name: prime, app.kubernetes.io/component: validator } }
  template:
    metadata: { labels: { app.kubernetes.io/name: prime, app.kubernetes.io/component: validator } }
    spec:
      containers: [{ name: node, image: prime }]
      volumes: [{ name: keys, secret: { secretName: prime-validator-keys } }]
`;

  it('is found: one Secret for two, selectors that mean both', () => {
    const [first, second] = [objectsOf(copy(0)), objectsOf(copy(1))];
    expect(sharedSecrets([...first, ...second])).toEqual([
      'prime-validator-keys: prime-validator-0, prime-validator-1',
    ]);
    expect(contestedPods([...first, ...second])).toEqual([
      'prime-validator-0 takes the pods of prime-validator-1',
      'prime-validator-1 takes the pods of prime-validator-0',
    ]);
    expect(strangersMeant(first, second)).toEqual([
      'Service prime-validator-0 means the pods of prime-validator-1',
      'StatefulSet prime-validator-0 means the pods of prime-validator-1',
    ]);
  });
});
