import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeRlp, encodeVote, proposalSignBytes, type Vote, voteSignBytes } from '@prime/codec';
import { homePaths } from '@prime/config';
import type { SignStateRecord } from '@prime/engine';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { openSignState, openWal } from '@prime/storage';
import { SignLog } from './signLog.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'prime-sign-log-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const genesisHash = `0x${'11'.repeat(32)}` as Hash;
const hash = (byte: string): Hash => `0x${byte.repeat(32)}` as Hash;
const [own, other] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as [Address, Address];
const place = { height: 7 as Height, round: 1 as Round };
const vote = (validator: Address, blockHash: Hash | null): Vote => ({
  type: 'prevote',
  ...place,
  blockHash,
  validator,
  signature: new Uint8Array(65),
});

function writeLog(...votes: Vote[]): void {
  const wal = openWal(homePaths(home).wal, { genesisHash, fileBytes: 4096 });
  wal.beginHeight(place.height);
  for (const each of votes) wal.append(encodeRlp([2, encodeVote(each)]));
  wal.sync();
  wal.close();
}

function writeSignState(step: SignStateRecord['step'], signBytes: Uint8Array): void {
  const store = openSignState(homePaths(home).signState, genesisHash);
  const nothing = { lockedRound: -1 as Round, lockedValue: null, validRound: -1 as Round, validValue: null };
  store.write({ ...place, step, signBytes, signature: new Uint8Array(65), ...nothing });
  store.close();
}

const collected = () => {
  const log = new SignLog();
  log.collect(home, own, 'validator0');
  return log.records.map(({ signer, height, round, step, value }) => [signer, height, round, step, value]);
};

describe('the signatures that are found', () => {
  it('in a log: the own ones and those of others; the same one is kept once', () => {
    writeLog(vote(own, hash('cc')), vote(other, null));
    writeSignState(2, voteSignBytes(1, genesisHash, vote(own, hash('cc'))));
    expect(collected()).toEqual([
      [own, 7, 1, 'prevote', hash('cc')],
      [other, 7, 1, 'prevote', 'nil'],
    ]);
  });

  it('in a sign state: two values at one place are two records', () => {
    writeLog(vote(own, hash('cc')));
    writeSignState(2, voteSignBytes(1, genesisHash, vote(own, null)));
    expect(collected()).toEqual([
      [own, 7, 1, 'prevote', hash('cc')],
      [own, 7, 1, 'prevote', 'nil'],
    ]);
  });

  it('of a proposal', () => {
    const proposal = { ...place, polRound: -1 as Round, blockHash: hash('dd') };
    writeSignState(1, proposalSignBytes(1, genesisHash, proposal));
    expect(collected()).toEqual([[own, 7, 1, 'proposal', `${hash('dd')} pol -1`]]);
  });

  it('in a home with nothing in it: none, and nothing is made there', () => {
    expect(collected()).toEqual([]);
    writeLog();
    expect(collected()).toEqual([]);
  });
});
