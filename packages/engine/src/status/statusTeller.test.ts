import { beforeEach, describe, expect, it } from '@jest/globals';
import { StatusTeller } from './statusTeller.ts';
import { VirtualTime } from '../testing/virtualTime.ts';

let time: VirtualTime;
let told: number[];
let teller: StatusTeller;
beforeEach(() => {
  time = new VirtualTime();
  told = [];
  const clock = {
    nowMs: () => time.nowMs,
    monotonicMs: () => time.nowMs,
    after: (delayMs: number, callback: () => void) => time.after(delayMs, callback),
  };
  const startMs = time.nowMs;
  teller = new StatusTeller(clock, () => void told.push(time.nowMs - startMs));
});
const pass = (ms: number): Promise<boolean> => {
  const endMs = time.nowMs + ms;
  time.after(ms, () => undefined);
  return time.runUntil(() => time.nowMs >= endMs, ms);
};

describe('StatusTeller', () => {
  it('tells the first time at once, and what follows closely once, 250 ms later', async () => {
    for (let block = 0; block < 10; block++) {
      teller.tellSoon();
      await pass(4);
    }
    expect(told).toEqual([0]);
    await pass(300);
    expect(told).toEqual([0, 250]);
  });

  it('tells slow news at once', async () => {
    for (let block = 0; block < 3; block++) {
      teller.tellSoon();
      await pass(260);
    }
    expect(told).toEqual([0, 260, 520]);
  });

  it('what waits is part of what is told meanwhile', async () => {
    teller.tell();
    teller.tellSoon();
    await pass(20);
    teller.tell();
    await pass(400);
    expect(told).toEqual([0, 20]);
  });

  it('says nothing more once it is stopped', async () => {
    teller.tell();
    teller.tellSoon();
    teller.stop();
    teller.tellSoon();
    await pass(400);
    expect(told).toEqual([0]);
  });
});
