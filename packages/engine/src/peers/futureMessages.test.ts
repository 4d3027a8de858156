import { describe, expect, it } from '@jest/globals';
import type { Address, Height } from '@prime/primitives';
import { FutureMessages } from './futureMessages.ts';

const peer = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
const message = { kind: 'voteCertificate', votes: [] } as const;
const at = (height: number): Height => height as Height;

describe('messages of the next height', () => {
  it('each sender has eight places, however much it sends, and takes none of another', () => {
    const future = new FutureMessages();
    for (let count = 0; count < 100; count++) future.add(at(5), peer(1), message);
    future.add(at(5), peer(2), message);
    const taken = future.take(at(5)).map(({ from }) => from);
    expect(taken.filter((from) => from === peer(1))).toHaveLength(8);
    expect(taken.filter((from) => from === peer(2))).toHaveLength(1);
    expect(future.take(at(5))).toEqual([]);
  });

  it('who speaks for several has eight for each of them, and who speaks for nobody has none', () => {
    const future = new FutureMessages();
    for (let count = 0; count < 100; count++) {
      future.add(at(5), peer(1), message, 4);
      future.add(at(5), peer(2), message, 0);
    }
    const taken = future.take(at(5)).map(({ from }) => from);
    expect(taken).toEqual(Array(32).fill(peer(1)));
  });

  it('who speaks for nobody does not push out what others said of the height before', () => {
    const future = new FutureMessages();
    future.add(at(5), peer(1), message);
    future.add(at(6), peer(2), message, 0);
    expect(future.take(at(5))).toHaveLength(1);
  });

  it('only one height is kept: the newest, and an older one is not taken any more', () => {
    const future = new FutureMessages();
    future.add(at(5), peer(1), message);
    future.add(at(6), peer(1), message);
    future.add(at(5), peer(2), message);
    expect(future.take(at(5))).toEqual([]);
    expect(future.take(at(6))).toHaveLength(1);
  });
});
