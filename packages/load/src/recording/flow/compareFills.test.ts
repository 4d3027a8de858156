import { describe, expect, it } from '@jest/globals';
import { compareFills, fillComparisonWords } from './compareFills.ts';
import type { FlowFill } from './flow.ts';
import { FlowWriter } from './flowWriter.ts';
import { parseFlow } from './parseFlow.ts';
import { ReplayIds } from '../replay/replayIds.ts';

const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;
const markets = [1, 2, 3].map((market) => ({ market, symbol: `M${market}/USD`, tick: '1', lot: '1' }));
const ids = new ReplayIds('s');

/** An order that rests, or one that takes from orders that came before, by how many lines ago they came. */
interface Line {
  readonly market: number;
  readonly takes?: readonly (readonly [ago: number, size: string, price?: string])[];
  /** What the replay called it; null for somebody else's order. */
  readonly standsFor?: string | null;
}

function flowOf(lines: readonly Line[]): AsyncGenerator<ReturnType<typeof JSON.parse>> {
  const writer = new FlowWriter({ source: { of: 'itch' }, beganMs: 0, markets });
  writer.account('a');
  for (const { market, takes, standsFor } of lines) {
    const line = writer.nextLine;
    const clientId = typeof standsFor === 'string' ? { clientId: ids.clientId(standsFor) } : {};
    const order = {
      type: 'order',
      market,
      side: 'buy',
      price: '10',
      size: '50',
      tif: 'gtc',
      ...plain,
      ...clientId,
    } as const;
    const fills = takes?.map(
      ([ago, size, price = '10']): FlowFill => ({ market, price, size, maker: `${line - ago}`, taker: `${line}` }),
    );
    writer.add({
      kind: 'action',
      ms: 0,
      account: 0,
      action: order,
      outcome: fills === undefined ? { rests: '50' } : { fills },
    });
  }
  writer.end();
  return parseFlow(writer.take());
}
const compare = (recorded: readonly Line[], replayed: readonly Line[], markets: [number, number][] = []) =>
  compareFills(flowOf(recorded), flowOf(replayed), { secret: 's', markets: new Map(markets) });

const resting: Line = { market: 1 };
const named = (line: Line, standsFor: string | null): Line => ({ ...line, standsFor });

describe('compareFills', () => {
  it('finds the fills of a replay by the names of its orders, wherever they stand and whichever market it is there', async () => {
    const taker: Line = {
      market: 1,
      takes: [
        [1, '5'],
        [2, '7', '9'],
      ],
    };
    const strangers = [named({ market: 3 }, null), named({ market: 3, takes: [[1, '9']] }, null)];
    const there = (line: Line, name: string) => named({ ...line, market: 3 }, name);
    const replayed = [...strangers, there(resting, '3'), there(resting, '4'), there(taker, '5')];
    const comparison = await compare([resting, resting, taker], replayed, [[1, 3]]);
    expect(comparison).toEqual({
      recorded: 2,
      replayed: 2,
      agreeing: 2,
      identical: true,
      recordedNotional: 113n,
      replayedNotional: 113n,
      agreeingNotional: 113n,
      agreeingPpm: 1_000_000,
      first: null,
    });
    expect(fillComparisonWords(comparison)).toEqual([
      '2 of 2 fills agree, 100.00 % of the recorded notional; the replay had 2.',
      'All fills are the same, in the same order.',
    ]);
  });

  it('tells the first difference, and which share agrees', async () => {
    const recorded = [
      resting,
      resting,
      {
        market: 1,
        takes: [
          [2, '5'],
          [1, '15'],
        ],
      } as const,
    ];
    const cases: [string, readonly (readonly [number, string, string?])[], object][] = [
      [
        'another size',
        [
          [2, '5'],
          [1, '14'],
        ],
        { agreeing: 1, agreeingPpm: 250_000, first: { place: 1, recorded: { size: '15' }, replayed: { size: '14' } } },
      ],
      [
        'another price',
        [
          [2, '5', '11'],
          [1, '15'],
        ],
        { agreeing: 1, agreeingPpm: 750_000, first: { place: 0, replayed: { price: '11' } } },
      ],
      [
        'another maker',
        [
          [1, '5'],
          [1, '15'],
        ],
        { agreeing: 1, agreeingPpm: 750_000, first: { place: 0, recorded: { maker: '3' }, replayed: { maker: '4' } } },
      ],
      [
        'another order',
        [
          [1, '15'],
          [2, '5'],
        ],
        { agreeing: 2, agreeingPpm: 1_000_000, identical: false, first: { place: 0 } },
      ],
      ['one less', [[2, '5']], { agreeing: 1, replayed: 1, first: { place: 1, replayed: null } }],
      [
        'one more',
        [
          [2, '5'],
          [1, '15'],
          [1, '1'],
        ],
        { agreeing: 2, replayed: 3, identical: false, first: { place: 2, recorded: null } },
      ],
      ['none', [], { agreeing: 0, replayed: 0, agreeingPpm: 0, first: { place: 0, replayed: null } }],
    ];
    for (const [what, takes, expected] of cases) {
      const replayed = [named(resting, '3'), named(resting, '4'), named({ market: 1, takes }, '5')];
      expect([what, await compare(recorded, replayed)]).toMatchObject([what, { identical: false, ...expected }]);
    }
  });

  it('lets markets go on at different times, since nothing says which comes first', async () => {
    const [one, two] = [1, 2].map((market): Line => ({ market }));
    const take = (market: number, ago: number): Line => ({ market, takes: [[ago, '5']] });
    const recorded = [one!, two!, take(1, 2), take(2, 2)];
    const replayed = [named(one!, '3'), named(two!, '4'), named(take(2, 1), '6'), named(take(1, 3), '5')];
    expect(await compare(recorded, replayed)).toMatchObject({ identical: true, agreeing: 2 });
  });

  it('says that all agrees where nothing was traded', async () => {
    expect(await compare([resting], [])).toMatchObject({ identical: true, recorded: 0, agreeingPpm: 1_000_000 });
  });
});
