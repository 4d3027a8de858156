import { describe, expect, it } from '@jest/globals';
import type { CallOutcome, StateContext } from '@prime/codec';
import type { Address, Hex } from '@prime/primitives';
import type { CallRequest } from '@prime/rpc';
import { InlineEvm, type InlineCallsOptions } from './inlineCalls.ts';
import type { InlineReader } from './inlineReader.ts';

const success: CallOutcome<Hex> = { status: 'success', output: '0x01' as Hex, gasUsed: 71_000n };
const account = { nonce: 1, balance: 2n };
const address = `0x${'aa'.repeat(20)}` as Address;
const request = (data = '0x70a08231', to = `0x${'c0'.repeat(20)}`): CallRequest => ({ to, data }) as CallRequest;
const at = (height: number): StateContext => ({ height }) as StateContext;
/** Resolves in the next turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls over a stand-in reader; each takes so long on the clock. */
async function open(
  answer: (request: CallRequest) => ReturnType<InlineReader['call']>,
  options: Partial<InlineCallsOptions> = {},
) {
  const asked: string[] = [];
  let closed = 0;
  let takesMs = 0.1;
  let now = 0;
  const calls = new InlineEvm({
    gas: 100_000,
    nowMs: () => now,
    onError: () => undefined,
    open: async () => ({
      call: (wanted, _at, budget) => {
        expect(budget).toEqual({ gas: 100_000, timeMs: 1 });
        asked.push(wanted.data);
        now += takesMs;
        return answer(wanted);
      },
      account: () => {
        now += takesMs;
        return account;
      },
      close: async () => void closed++,
    }),
    ...options,
  });
  const first = calls.call(request('0xffffffff'), at(1));
  await nextTurn();
  return {
    calls,
    first,
    asked,
    closedCount: () => closed,
    takes: (ms: number) => (takesMs = ms),
  };
}

describe('InlineEvm', () => {
  it('the first call is left to the readers, and has the state opened for the next ones', async () => {
    const { calls, first, asked } = await open(() => success);
    expect([first, asked]).toEqual([null, []]);
    expect(calls.call(request(), at(1))).toEqual(success);
  });

  it('a function that does not end in time four times in a row is left to the readers for a hundred blocks', async () => {
    const { calls, asked } = await open(({ data }) => (data === '0x01' ? { status: 'unfinished' } : success));
    for (const height of [3, 5, 6, 7, 8, 106]) expect(calls.call(request('0x01'), at(height))).toBeNull();
    expect(asked).toEqual(['0x01', '0x01', '0x01', '0x01']);
    expect(calls.call(request('0x02'), at(8))).toEqual(success);
    expect(calls.call(request('0x01'), at(107))).toBeNull();
    expect(asked.slice(4)).toEqual(['0x02', '0x01']);
  });

  it('a function that ends in time again starts anew', async () => {
    let isSlow = true;
    const { calls } = await open(() => (isSlow ? { status: 'unfinished' } : success));
    for (let round = 0; round < 3; round++) {
      isSlow = true;
      for (let index = 0; index < 3; index++) expect(calls.call(request(), at(1))).toBeNull();
      isSlow = false;
      await nextTurn();
      expect(calls.call(request(), at(1))).toEqual(success);
    }
  });

  it('a call of a kind that is not for it says nothing about the function', async () => {
    let fits = false;
    const { calls } = await open(() => (fits ? success : { status: 'unfit' }));
    expect(calls.call(request(), at(1))).toBeNull();
    fits = true;
    expect(calls.call(request(), at(1))).toEqual(success);
  });

  it('the functions that it remembers are bounded, the oldest are tried again', async () => {
    const { calls, asked, takes } = await open(() => ({ status: 'unfinished' }));
    takes(0);
    for (let index = 0; index <= 1024; index++)
      for (let strike = 0; strike < 4; strike++) calls.call(request(`0x${index.toString(16).padStart(8, '0')}`), at(1));
    asked.length = 0;
    calls.call(request('0x00000001'), at(1));
    calls.call(request('0x00000000'), at(1));
    expect(asked).toEqual(['0x00000000']);
  });

  it('a turn has four milliseconds; what is more goes to the readers until the next turn', async () => {
    const { calls, takes } = await open(() => success);
    takes(1);
    const outcomes = Array.from({ length: 6 }, () => calls.call(request(), at(1)));
    expect(outcomes).toEqual([success, success, success, success, null, null]);
    await nextTurn();
    expect(calls.call(request(), at(1))).toEqual(success);
  });

  it('what takes long because the processor was elsewhere counts for its gas', async () => {
    const cheap: CallOutcome<Hex> = { ...success, gasUsed: 23_500n };
    const { calls, takes } = await open(() => cheap);
    takes(1000);
    const outcomes = Array.from({ length: 40 }, () => calls.call(request(), at(1)));
    // 0.1 ms and 0.05 ms for the gas.
    expect(outcomes.filter((outcome) => outcome !== null).length).toBe(27);
  });

  it('a function that ran out of time is tried again in the next block', async () => {
    const { calls, asked, takes } = await open(() => ({ status: 'unfinished' }));
    takes(1);
    for (let round = 0; round < 6; round++) {
      calls.call(request(), at(7));
      await nextTurn();
    }
    expect(asked).toHaveLength(4);
    calls.call(request(), at(8));
    expect(asked).toHaveLength(5);
  });

  it('an attempt that was interrupted is made once more', async () => {
    const outcomes: ReturnType<InlineReader['call']>[] = [{ status: 'unfinished' }, success];
    const { calls, asked, takes } = await open(() => outcomes.shift() ?? { status: 'unfinished' });
    takes(5);
    expect(calls.call(request(), at(1))).toEqual(success);
    expect(calls.call(request(), at(1))).toBeNull();
    expect(asked).toHaveLength(4);
  });

  it('accounts share the time of a turn with calls', async () => {
    const { calls, takes } = await open(() => success);
    expect(calls.account(address, at(1))).toEqual(account);
    takes(1);
    for (let count = 0; count < 4; count++) calls.call(request(), at(1));
    expect(calls.account(address, at(1))).toBeNull();
    await nextTurn();
    expect(calls.account(address, at(1))).toEqual(account);
    await calls.close();
    expect(calls.account(address, at(1))).toBeNull();
  });

  it('one attempt for nothing that takes all its time uses up the turn', async () => {
    const { calls, takes } = await open(({ data }) => (data === '0x01' ? { status: 'unfinished' } : success));
    takes(1);
    calls.call(request('0x01'), at(1));
    expect(calls.call(request('0x02'), at(1))).toBeNull();
    await nextTurn();
    expect(calls.call(request('0x02'), at(1))).toEqual(success);
  });

  it('what a reader throws is left to the readers of the pool', async () => {
    const { calls } = await open(() => {
      throw new Error('a node of the trie is missing');
    });
    expect(calls.call(request(), at(1))).toBeNull();
  });

  it('a state that can not be opened: told once, and everything goes to the readers', async () => {
    const failures: unknown[] = [];
    const failure = new Error('no database');
    const { calls } = await open(() => success, {
      open: () => Promise.reject(failure),
      onError: (error) => failures.push(error),
    });
    expect(calls.call(request(), at(1))).toBeNull();
    await nextTurn();
    expect(calls.call(request(), at(1))).toBeNull();
    expect(failures).toEqual([failure]);
  });

  it('closed: closes what it opened, once, and nothing is opened after it', async () => {
    const { calls, closedCount } = await open(() => success);
    await calls.close();
    expect(calls.call(request(), at(1))).toBeNull();
    await nextTurn();
    await calls.close();
    expect(closedCount()).toBe(1);
  });
});
