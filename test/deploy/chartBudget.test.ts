/** How many may be away while the others go on deciding: f of n = 3f + 1, and the one budget that says so. */
import { describe, expect, it } from '@jest/globals';
import { hasHelm, render, type Values } from './helm.ts';
import { type KubernetesObject, matches, ofKind, type Selector, workloadsOf } from './kubernetes.ts';
import { validatorValues } from './values.ts';

const budgetsOf = (objects: readonly KubernetesObject[]): KubernetesObject[] =>
  ofKind(objects, 'PodDisruptionBudget').filter(({ metadata }) => metadata.name.endsWith('-validators'));
const withValidators = (count: number, values: Values = {}): KubernetesObject[] =>
  render({ example: null, values: { validators: validatorValues(count), ...values } });

(hasHelm ? describe : describe.skip)('the budget of the validators', () => {
  // Worked out by hand: the chain goes on while more than two thirds of the validators are there.
  it.each([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 1],
    [5, 1],
    [6, 1],
    [7, 2],
    [9, 2],
    [10, 3],
    [100, 33],
  ])('%d validators: %d may be away', (count, away) => {
    const [budget, ...more] = budgetsOf(withValidators(count));
    expect(more).toEqual([]);
    expect(budget!.spec!.maxUnavailable).toBe(away);
    // What is left decides, and with one more away it would not.
    expect((count - away) * 3).toBeGreaterThan(count * 2);
    expect((count - away - 1) * 3).toBeLessThanOrEqual(count * 2);
  });

  it.each([
    [2, 10, 3],
    [4, 4, 1],
    [4, 5, 1],
    [1, 3, 0],
  ])('%d of a network of %d: %d', (here, all, away) => {
    const [budget] = budgetsOf(withValidators(here, { network: { validators: all } }));
    expect(budget!.spec!.maxUnavailable).toBe(away);
  });

  it('is about every validator and every signer, and about nobody else', () => {
    const [first, ...others] = validatorValues(4);
    const signed = { ...first!, signer: { spki: first!.spki.replace('a000', 'e000') } };
    const objects = render({
      example: null,
      values: {
        validators: [signed, ...others],
        followers: { enabled: true },
        explorer: { enabled: true, rpcUrls: ['https://rpc.example.org'] },
      },
    });
    const [budget] = budgetsOf(objects);
    const counted = workloadsOf(objects).filter(({ template }) =>
      matches(budget!.spec!.selector as Selector, template.metadata.labels),
    );
    expect(counted.map(({ name }) => name).toSorted()).toEqual([
      'prime-v0',
      'prime-v0-signer',
      'prime-v1',
      'prime-v2',
      'prime-v3',
    ]);
    // No pod is in two budgets: Kubernetes would evict none of them.
    for (const { name, template } of workloadsOf(objects))
      expect([
        name,
        ofKind(objects, 'PodDisruptionBudget').filter(({ spec }) =>
          matches(spec!.selector as Selector, template.metadata.labels),
        ).length,
      ]).toEqual([name, name.endsWith('explorer') ? 0 : 1]);
  });
});
