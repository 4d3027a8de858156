import { describe, expect, it } from '@jest/globals';
import type { CallOutcome, StateContext } from '@prime/codec';
import type { Address, Hash, Hex } from '@prime/primitives';
import type { CallRequest, StateReader } from '@prime/rpc';
import type { InlineCalls, ReaderBackend } from './backends.ts';
import { HotAccounts } from '../readModel/hotAccounts.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';
import { createStateService } from './stateService.ts';

const outcome = (output: string): CallOutcome<Hex> => ({ status: 'success', output: output as Hex, gasUsed: 21_000n });
const request = { data: '0x' } as CallRequest;
const at = (height: number): StateContext => ({ height, stateRoot: '0x00' as Hash }) as StateContext;

/** A service whose head is block 5. */
function serviceOf(call: InlineCalls['call'] | null): StateReader {
  const reader = { call: async () => outcome('0xee') } as unknown as ReaderBackend;
  const blocks = { headHeight: 5 } as RecentBlocks;
  return createStateService(reader, blocks, new HotAccounts(1), call === null ? null : { call, account: () => null });
}

describe('StateService.call', () => {
  it('at the head: in this turn where that can be', () => {
    expect(serviceOf(() => outcome('0x01')).call(request, at(5))).toEqual(outcome('0x01'));
  });

  it('at the head, but left to the readers: their answer', async () => {
    expect(await serviceOf(() => null).call(request, at(5))).toEqual(outcome('0xee'));
    expect(await serviceOf(null).call(request, at(5))).toEqual(outcome('0xee'));
  });

  it('at another block: never in this thread, which keeps only what the head needs', async () => {
    const service = serviceOf(() => {
      throw new Error('asked for a past block');
    });
    expect(await service.call(request, at(4))).toEqual(outcome('0xee'));
  });
});

describe('StateService.account', () => {
  const address = `0x${'aa'.repeat(20)}` as Address;
  const stateOf = (nonce: number) => ({ nonce, balance: 1n });

  function serviceAt(head: { height: number }, account: InlineCalls['account']) {
    let read = 0;
    const reader = { account: async () => stateOf(100 + read++) } as unknown as ReaderBackend;
    const blocks = {
      get headHeight() {
        return head.height;
      },
    } as RecentBlocks;
    const hot = new HotAccounts(2);
    return { hot, service: createStateService(reader, blocks, hot, { call: () => null, account }) };
  }

  it('at the head: read in this turn once, and from memory after that', () => {
    let asked = 0;
    const { service } = serviceAt({ height: 5 }, () => stateOf(++asked));
    expect(service.account(address, at(5))).toEqual(stateOf(1));
    expect(service.account(address, at(5))).toEqual(stateOf(1));
  });

  it('at the head, but left to the readers: their answer, which is remembered while the head is the same', async () => {
    const head = { height: 5 };
    const { service, hot } = serviceAt(head, () => null);
    const coming = service.account(address, at(5));
    head.height = 6;
    expect(await coming).toEqual(stateOf(100));
    expect(hot.get(address)).toBeUndefined();
    expect(await service.account(address, at(6))).toEqual(stateOf(101));
    expect(service.account(address, at(6))).toEqual(stateOf(101));
  });

  it('at another block: neither memory nor this thread is asked', async () => {
    const { service, hot } = serviceAt({ height: 5 }, () => stateOf(1));
    hot.put(address, stateOf(2));
    expect(await service.account(address, at(4))).toEqual(stateOf(100));
  });

  it('equal questions that are under way are one for the readers, also when it fails', async () => {
    const asked: string[] = [];
    const answers: { resolve(state: unknown): void; reject(error: Error): void }[] = [];
    const account = (of: Address, { height }: StateContext): Promise<unknown> => {
      asked.push(`${of.slice(0, 4)} at ${height}`);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    };
    const reader = { account } as unknown as ReaderBackend;
    const service = createStateService(reader, { headHeight: 5 } as RecentBlocks, new HotAccounts(2));
    const other = `0x${'bb'.repeat(20)}` as Address;
    const [first, second] = [service.account(address, at(5)), service.account(address, at(5))];
    const [elsewhere, earlier] = [service.account(other, at(5)), service.account(address, at(4))];
    expect(asked).toEqual(['0xaa at 5', '0xbb at 5', '0xaa at 4']);
    answers[0]!.reject(new Error('too many reads wait'));
    for (const refused of [first, second]) await expect(refused).rejects.toThrow('too many reads wait');
    const again = service.account(address, at(5));
    expect(asked).toHaveLength(4);
    for (const [index, answer] of answers.entries()) answer.resolve(stateOf(index));
    expect(await Promise.all([elsewhere, earlier, again])).toEqual([stateOf(1), stateOf(2), stateOf(3)]);
  });
});
