import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Newcomer } from './newcomer.ts';
import { beginDay, eveJoins, eveRotatesHerSigner, fourHomesByHand } from './operatorsDay.ts';

/** The morning of an operator who has nothing but the pages. The rest of the day runs each night (test/nightly/operatorsDay.test.ts). */

let day: Newcomer;
beforeAll(async () => {
  day = await beginDay();
});
afterAll(() => day.destroy());

describe('somebody who types what the pages say', () => {
  it('makes four homes by hand, and they are a network', async () => {
    await expect(fourHomesByHand(day)).resolves.toBeUndefined();
  });
  it('brings a fifth validator into it', async () => {
    await expect(eveJoins(day)).resolves.toBeUndefined();
  });
  it('rotates its signer', async () => {
    await expect(eveRotatesHerSigner(day)).resolves.toBeUndefined();
  });
});
