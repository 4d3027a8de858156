import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnotherBuild, anotherBuild } from '@prime/testkit';
import type { Newcomer } from '../e2e/operations/newcomer.ts';
import { beginDay, dayPages, morning, restOfDay } from '../e2e/operations/operatorsDay.ts';

/** The whole day of an operator who has nothing but the pages: everything is typed as they say it, on one network. */

let day: Newcomer;
/** The program as it was before version 2 of the protocol. */
let old: AnotherBuild | null = null;
beforeAll(async () => {
  old = await anotherBuild([
    { path: 'packages/codec/dist/genesis/protocolRules.js', from: /^.*\{ version: 2, .*\n/m, to: '' },
  ]);
  day = await beginDay();
  await day.install(old.cli);
});
afterAll(async () => {
  await day.destroy();
  await old?.destroy();
});

describe('an operator who types what the pages say', () => {
  it.each([...morning, ...restOfDay])('%s', async (_, chapter) => {
    await expect(chapter(day)).resolves.toBeUndefined();
  });

  it('has typed every command of the pages', () => {
    expect(Object.values(dayPages).flatMap((page) => day.left(page))).toEqual([]);
  });
});
