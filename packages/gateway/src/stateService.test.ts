import { describe, expect, it } from '@jest/globals';
import type { Hash, Hex } from '@prime/primitives';
import type { CallOutcome, CallRequest, StateContext } from '@prime/rpc';
import type { InlineCalls, ReaderBackend } from './backends.ts';
import { HotAccounts } from './readModel/hotAccounts.ts';
import type { RecentBlocks } from './readModel/recentBlocks.ts';
import { StateService } from './stateService.ts';

const outcome = (output: string): CallOutcome => ({ status: 'success', output: output as Hex, gasUsed: 21_000n });
const request = { data: '0x' } as CallRequest;
const at = (height: number): StateContext => ({ height, stateRoot: '0x00' as Hash }) as StateContext;

/** A service whose head is block 5. */
function serviceOf(call: InlineCalls['call'] | null): StateService {
  const reader = { call: async () => outcome('0xee') } as unknown as ReaderBackend;
  const blocks = { headHeight: 5 } as RecentBlocks;
  return new StateService(reader, blocks, new HotAccounts(1), call === null ? null : { call });
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
