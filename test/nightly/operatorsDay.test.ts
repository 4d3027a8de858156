import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnotherBuild, anotherBuild } from '@prime/testkit';
import type { Newcomer } from '../e2e/operations/newcomer.ts';
import {
  allMoveOn,
  beginDay,
  carolMovesHerKey,
  daveIsJailed,
  daveIsLost,
  dayPages,
  eveJoins,
  eveRotatesHerSigner,
  fourHomesByHand,
  frankFollows,
  twoOfFiveAreStopped,
  whereTimeGoes,
} from '../e2e/operations/operatorsDay.ts';

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
  it('makes four homes by hand, and they are a network', async () => {
    await expect(fourHomesByHand(day)).resolves.toBeUndefined();
  });
  it('brings a fifth validator into it', async () => {
    await expect(eveJoins(day)).resolves.toBeUndefined();
  });
  it('rotates its signer', async () => {
    await expect(eveRotatesHerSigner(day)).resolves.toBeUndefined();
  });
  it('moves a hot key into a remote signer, and rotates it there', async () => {
    await expect(carolMovesHerKey(day)).resolves.toBeUndefined();
  });
  it('loses a validator, and restores it', async () => {
    await expect(daveIsLost(day)).resolves.toBeUndefined();
  });
  it('brings up a follower from a snapshot of another node', async () => {
    await expect(frankFollows(day)).resolves.toBeUndefined();
  });
  it('has a validator jailed that was stopped meanwhile, and brings it back', async () => {
    await expect(daveIsJailed(day)).resolves.toBeUndefined();
  });
  it('moves all to the next version of the protocol', async () => {
    await expect(allMoveOn(day, () => day.install(null))).resolves.toBeUndefined();
  });
  it('is told why there is no block', async () => {
    await expect(twoOfFiveAreStopped(day)).resolves.toBeUndefined();
  });
  it('is told where the time goes', async () => {
    await expect(whereTimeGoes(day)).resolves.toBeUndefined();
  });

  it('has typed every command of the pages', () => {
    expect(Object.values(dayPages).flatMap((page) => day.left(page))).toEqual([]);
  });
});
