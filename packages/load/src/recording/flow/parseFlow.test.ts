import { describe, expect, it } from '@jest/globals';
import type { LoadError } from '../../errors.ts';
import type { FlowLine } from './flow.ts';
import { FlowWriter } from './flowWriter.ts';
import { parseFlow } from './parseFlow.ts';

const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;
const market = { market: 1, symbol: 'PRM/USD', tick: '1', lot: '1' };
const order = { type: 'order', market: 1, side: 'buy', price: '100', size: '5', tif: 'gtc', ...plain } as const;

/** Two accounts, an order, its fill, a batch, a transaction and an expiry. */
function someFlow(): string[] {
  const source = { of: 'network', chainId: 7919, from: 1, to: 9 } as const;
  const writer = new FlowWriter({ source, beganMs: 1_700_000_000_000, markets: [market] });
  const [maker, taker] = [writer.account('0x01'), writer.account('0x02')];
  const resting = writer.add({ kind: 'action', ms: 0, account: maker, action: order, outcome: { rests: '5' } });
  const taken = `${writer.nextLine}`;
  const fills = [{ market: 1, price: '100', size: '2', maker: `${resting}`, taker: taken }];
  writer.add({
    kind: 'action',
    ms: 7,
    account: taker,
    action: { ...order, side: 'sell', size: '2', tif: 'ioc' },
    outcome: { fills },
  });
  const items = [order, { type: 'cancel', order: null, market: null }] as const;
  const outcome = { items: [{ rests: '5' }, { refused: 'unknown_order' }] };
  writer.add({
    kind: 'action',
    ms: 7,
    account: maker,
    by: taker,
    action: { type: 'batch', items: [...items] },
    outcome,
  });
  const sent = { status: 'ok', gasUsed: '21000' } as const;
  writer.add({
    kind: 'transaction',
    ms: 9,
    account: maker,
    to: taker,
    value: '5',
    data: '0x',
    gas: '21000',
    outcome: sent,
  });
  const removed = [{ order: `${resting}`, account: maker, market: 1, reason: 'expired' }];
  writer.add({ kind: 'network', ms: 9, did: ['order_cancelled'], outcome: { removed } });
  writer.lose('something', 3);
  writer.end();
  return writer.take();
}

async function read(lines: readonly string[]): Promise<FlowLine[]> {
  const all: FlowLine[] = [];
  for await (const line of parseFlow(lines)) all.push(line);
  return all;
}
const refusalOf = async (lines: readonly string[]): Promise<unknown> => {
  try {
    await read(lines);
    return null;
  } catch (error) {
    return (error as LoadError).detail;
  }
};
/** The flow with one line changed. @param at its number */
function changed(at: number, change: (line: Record<string, unknown>) => unknown): string[] {
  return someFlow().map((text, index) =>
    index + 1 === at ? JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)) : text,
  );
}

describe('parseFlow', () => {
  it('reads what a writer wrote', async () => {
    const lines = await read(someFlow());
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.map(({ kind }) => kind)).toEqual([
      'flow',
      'account',
      'account',
      'action',
      'action',
      'action',
      'transaction',
      'network',
      'end',
    ]);
    expect(lines.at(-1)).toMatchObject({
      totals: {
        lines: 9,
        accounts: 2,
        earlier: 0,
        actions: 3,
        transactions: 1,
        contract: 0,
        network: 1,
        refused: 1,
        fills: 1,
      },
      lost: [{ what: 'something', count: 3 }],
    });
  });

  it('gives each line before the next one is read', async () => {
    const flow = someFlow();
    let given = 0;
    const lines = function* (): Generator<string> {
      for (const line of flow) {
        given++;
        yield line;
      }
    };
    let taken = 0;
    for await (const _ of parseFlow(lines())) expect(given).toBe(++taken);
    expect(taken).toBe(flow.length);
  });

  it('refuses what is no recorded flow', async () => {
    const reasons: [readonly string[], string][] = [
      [[], 'the file is empty'],
      [['x'], 'the first line is no JSON'],
      [['null'], 'the format is not told, not "prime-flow-1"'],
      [['{"format":"prime-flow-2"}'], 'the format is "prime-flow-2", not "prime-flow-1"'],
      [changed(1, (line) => ({ ...line, beganMs: -1 })), 'beganMs must be >= 0'],
      [changed(1, (line) => ({ ...line, line: 2 })), 'the header is line 1, not 2'],
      [changed(1, (line) => ({ ...line, markets: [market, market] })), 'a market is there twice'],
    ];
    for (const [lines, reason] of reasons) expect(await refusalOf(lines)).toEqual({ code: 'LOAD_FLOW_FORMAT', reason });
  });

  it('refuses a line that is not allowed where it stands, with its number', async () => {
    const flow = someFlow();
    const fill = { market: 1, price: '100', size: '2', maker: '4', taker: '5' };
    const outcome = (fields: object) => (line: Record<string, unknown>) => ({ ...line, outcome: fields });
    const cases: [string, readonly string[], number, string][] = [
      ['no JSON', flow.with(3, '{'), 4, 'no JSON'],
      ['of no kind', flow.with(3, '{"kind":"toString"}'), 4, 'of no known kind: "toString"'],
      ['a second header', flow.with(3, flow[0]!), 4, 'of no known kind: "flow"'],
      ['a line is missing', flow.toSpliced(3, 1), 4, 'numbered 5: lines are missing, or not in their order'],
      [
        'a field too many',
        changed(4, (line) => ({ ...line, more: 1 })),
        4,
        'the line must NOT have additional properties',
      ],
      ['a number where text belongs', changed(4, outcome({ rests: 5 })), 4, 'outcome/rests must be string'],
      [
        'an amount of 0',
        changed(4, outcome({ rests: '0' })),
        4,
        'outcome/rests must match pattern "^[1-9][0-9]{0,77}$"',
      ],
      [
        'an amount with a leading zero',
        changed(5, outcome({ fills: [{ ...fill, size: '02' }] })),
        5,
        'outcome/fills/0/size must match pattern "^[1-9][0-9]{0,77}$"',
      ],
      ['time runs backwards', changed(6, (line) => ({ ...line, ms: 6 })), 6, 'at 6 ms, behind one at 7 ms'],
      ['an account that skips one', changed(3, (line) => ({ ...line, account: 2 })), 3, 'account 2, the next one is 1'],
      [
        'an account that is not there',
        changed(4, (line) => ({ ...line, account: 2 })),
        4,
        'account 2 was not introduced',
      ],
      ['a receiver that is not there', changed(7, (line) => ({ ...line, to: 2 })), 7, 'account 2 was not introduced'],
      [
        'a market that is not there',
        changed(5, outcome({ fills: [{ ...fill, market: 2 }] })),
        5,
        'market 2 is not in the header',
      ],
      [
        'an order that comes later',
        changed(5, outcome({ fills: [{ ...fill, maker: '6' }] })),
        5,
        'order 6 comes later',
      ],
      ['behind the last line', [...flow, flow[1]!], 10, 'behind the last line'],
    ];
    for (const [what, lines, line, reason] of cases)
      expect([what, await refusalOf(lines)]).toEqual([what, { code: 'LOAD_FLOW_LINE', line, reason }]);
  });

  it('notices a flow that was cut at any line', async () => {
    const flow = someFlow();
    for (let length = 1; length < flow.length; length++)
      expect(await refusalOf(flow.slice(0, length))).toEqual({
        code: 'LOAD_FLOW_CUT',
        line: length,
        reason: 'the last line is missing',
      });
    const fewer = changed(9, (line) => ({ ...line, totals: { ...(line['totals'] as object), fills: 2 } }));
    expect(await refusalOf(fewer)).toEqual({
      code: 'LOAD_FLOW_CUT',
      line: 9,
      reason: 'fills: the last line counts 2, there are 1',
    });
  });

  it('takes earlier orders before operations only', async () => {
    const earlier = { kind: 'earlier', account: 0, order: { market: 1, side: 'buy', price: '1', size: '1' } } as const;
    const writer = new FlowWriter({ source: { of: 'itch' }, beganMs: 0, markets: [market] });
    writer.account('a');
    writer.add(earlier);
    writer.add({ kind: 'action', ms: 0, account: 0, action: { type: 'noop' }, outcome: {} });
    writer.end();
    const flow = writer.take();
    expect((await read(flow)).map(({ kind }) => kind)).toEqual(['flow', 'account', 'earlier', 'action', 'end']);
    const swapped = [
      flow[0]!,
      flow[1]!,
      flow[3]!.replace('"line":4', '"line":3'),
      flow[2]!.replace('"line":3', '"line":4'),
      flow[4]!,
    ];
    expect(await refusalOf(swapped)).toMatchObject({ line: 4, reason: 'an earlier order behind operations' });
  });
});
