import { describe, expect, it } from '@jest/globals';
import { readText } from './repository.ts';

/** deploy/kubernetes: what belongs to one validator must not select those beside it in the namespace. */

const validator = readText('deploy/kubernetes/validator.yaml');
const kustomization = readText('deploy/kubernetes/kustomization.yaml');
const readme = readText('deploy/kubernetes/README.md');
const run = readText('deploy/kubernetes/load/run.yaml');
const instance = 'app.kubernetes.io/instance';

const documents = validator.split(/^---$/m).map((text) => ({ kind: /^kind: (\w+)$/m.exec(text)![1]!, text }));
/** Labels that a document gives or asks for, as sets in one line. */
const labelsOf = (text: string): string[] =>
  [...text.matchAll(/^ *(?:selector|matchLabels|labels):\s+\{ (.*) \}$/gm)].map(([, labels]) => labels!);

describe('validators of one namespace', () => {
  it('each document that selects pods selects by the instance', () => {
    const selecting = documents.filter(({ text }) => /^ *(selector|matchLabels):/m.test(text)).map(({ kind }) => kind);
    expect(selecting).toEqual(['Service', 'Service', 'PodDisruptionBudget', 'StatefulSet']);
    for (const { kind, text } of documents) {
      const labels = new Set(labelsOf(text));
      expect([kind, labels.size]).toEqual([kind, 1]);
      expect([kind, ...labels]).toEqual([kind, expect.stringContaining(`${instance}: validator`)]);
    }
    // The pods are given what is asked for.
    expect(new Set(documents.flatMap(({ text }) => labelsOf(text))).size).toBe(1);
  });

  it('the overlay changes that label in all selectors, with the names', () => {
    const suffix = /^nameSuffix: "(-\d+)"$/m.exec(kustomization)![1]!;
    expect(kustomization).toContain(`pairs: { ${instance}: validator${suffix} }\n    includeSelectors: true\n`);
    expect(kustomization).toContain('resources: [validator.yaml]');
    const [secret, config] = ['secretName', 'configMap: { name'].map(
      (key) => new RegExp(`${key}: ([a-z-]+)`).exec(validator)![1]!,
    );
    expect(kustomization).toContain(`secretGenerator:\n  - name: ${secret!}\n`);
    expect(kustomization).toContain(`configMapGenerator:\n  - name: ${config!}\n`);
  });

  it('names of the manual and of the load run are those that follow', () => {
    const names = documents.map(({ text }) => /^ {2}name: (\S+)$/m.exec(text)![1]!);
    const rpc = names.find((name) => name.endsWith('-rpc'))!;
    const set = documents.findIndex(({ kind }) => kind === 'StatefulSet');
    const subdomain = /^ {2}serviceName: (\S+)$/m.exec(documents[set]!.text)![1]!;
    expect(readme).toContain(`\`${rpc}-0:8545\``);
    for (const text of [readme, run]) expect(text).toContain(`${names[set]!}-0-0.${subdomain}-0`);
    expect(readme).toContain(
      's/^nameSuffix: .*/nameSuffix: \\"-$i\\"/; s/instance: validator-0/instance: validator-$i/',
    );
  });
});
