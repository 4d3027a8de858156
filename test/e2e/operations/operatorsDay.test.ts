import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Newcomer } from './newcomer.ts';
import { beginDay, morning } from './operatorsDay.ts';

/** The morning of an operator who has nothing but the pages. The rest of the day runs each night (test/nightly/operatorsDay.test.ts). */

let day: Newcomer;
beforeAll(async () => {
  day = await beginDay();
});
afterAll(() => day.destroy());

describe('somebody who types what the pages say', () => {
  it.each(morning)('%s', async (_, chapter) => {
    await expect(chapter(day)).resolves.toBeUndefined();
  });
});
