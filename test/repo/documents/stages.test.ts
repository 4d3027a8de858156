import { expect, it } from '@jest/globals';
import { readText } from '../repository.ts';

/** The stages in a file's list of them, in order. */
const stagesIn = (path: string): readonly string[] => {
  const [, list = ''] = /export const stampedStages = \[(.*?)\] as const;/s.exec(readText(path)) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, stage]) => stage!);
};

it('load runs know all stages that nodes stamp, in the same order, and operators are told of each', () => {
  const stamped = stagesIn('apps/node/src/stages/stampRing.ts');
  expect(stamped.length).toBeGreaterThan(5);
  expect(stagesIn('packages/load/src/stages/stamps.ts')).toEqual(stamped);
  const guide = readText('docs/operate/stages.md');
  expect(stamped.filter((stage) => !guide.includes(`| \`${stage}\` |`))).toEqual([]);
});
