import { describe, expect, it } from '@jest/globals';
import { FlowWriter } from '../flow/flowWriter.ts';
import { parseFlow } from '../flow/parseFlow.ts';
import { ReplayRefusals } from './replayRefusals.ts';

const [own, other] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];

/** A refused noop of each account, a revocation that came too early, and a batch of the first one with two items that were refused. */
async function readBy(refusals: ReplayRefusals): Promise<number> {
  const markets = [{ market: 1, symbol: 'M1/USD', tick: '1', lot: '1' }];
  const writer = new FlowWriter({ source: { of: 'itch' }, beganMs: 0, markets });
  for (const name of [own, other])
    writer.add({
      kind: 'action',
      ms: 0,
      account: writer.account(name),
      action: { type: 'noop' },
      outcome: { refused: 'nonce' },
    });
  writer.add({
    kind: 'action',
    ms: 0,
    account: writer.account(own),
    action: { type: 'revokeAgent', agent: writer.account(other) },
    outcome: { refused: 'unknown_agent' },
  });
  writer.add({
    kind: 'action',
    ms: 0,
    account: writer.account(own),
    action: {
      type: 'batch',
      items: [
        { type: 'cancelAll', market: null },
        { type: 'cancel', order: null, market: null },
      ],
    },
    // The second one is what keeps a batch of cancels in its place.
    outcome: { items: [{ refused: 'market_halted' }, { refused: 'not_available' }] },
  });
  writer.end();
  let lines = 0;
  for await (const line of refusals.counted(parseFlow(writer.take()))) if (line.kind === 'action') lines++;
  return lines;
}

const none = { refused: new Map<string, number>(), faults: 0 };

describe('ReplayRefusals', () => {
  it('passes all lines on, and counts refusals of the replay’s own accounts', async () => {
    const refusals = new ReplayRefusals([own.toUpperCase().replace('0X', '0x')]);
    expect(await readBy(refusals)).toBe(4);
    expect(refusals.finding(none, true)).toEqual({
      rule: 'refusals are those that the flow means',
      seen: 'at admission none; in blocks 1 refused in a block: nonce, 1 refused in a block: unknown_agent, 1 refused in a block: market_halted',
      violations: ['1 refused in a block: nonce', '1 refused in a block: market_halted'],
    });
  });

  it('where the order is up to the network, only faults of the node are violations', async () => {
    const refusals = new ReplayRefusals([own]);
    await readBy(refusals);
    expect(refusals.finding(none, false).violations).toEqual([]);
    const refused = new Map([
      ['no room (-32000)', 2],
      ['internal error (-32603)', 1],
    ]);
    expect(refusals.finding({ refused, faults: 1 }, false)).toMatchObject({
      seen: expect.stringMatching(/^at admission 2 × no room \(-32000\), 1 × internal error \(-32603\); in blocks 1/),
      violations: ['1 refused at admission by a fault of the node (-32603)'],
    });
  });
});
