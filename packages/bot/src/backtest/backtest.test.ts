import { describe, expect, it } from '@jest/globals';
import { parseFlow } from '@prime/load';
import { parseStrategy } from '../config/parseStrategy.ts';
import { backtestStrategy } from './backtestStrategy.ts';

/** A flow in which one account trades against whoever quotes, and another one quotes far away. */
function flowLines(seconds: number): string[] {
  const lines: object[] = [
    {
      kind: 'flow',
      format: 'prime-flow-1',
      source: { of: 'network', chainId: 1, from: 1, to: 9 },
      beganMs: 1_000_000,
      markets: [
        { market: 2, symbol: 'A/B', tick: '1', lot: '1' },
        { market: 1, symbol: 'C/D', tick: '1', lot: '1' },
      ],
    },
    { kind: 'account', account: 0, name: 'taker' },
    { kind: 'account', account: 1, name: 'quoter' },
    { kind: 'earlier', account: 1, order: { market: 2, side: 'sell', price: '10060', size: '100' } },
  ];
  const options = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' };
  const order = (side: string, price: string, size: string, tif: string) => ({
    type: 'order',
    market: 2,
    side,
    price,
    size,
    tif,
    ...options,
  });
  lines.push({
    kind: 'action',
    ms: 0,
    account: 1,
    action: order('buy', '9940', '100', 'gtc'),
    outcome: { rests: '100' },
  });
  // Somebody else's market, at prices that are nothing here.
  for (const side of ['buy', 'sell'])
    lines.push({
      kind: 'action',
      ms: 0,
      account: side === 'buy' ? 0 : 1,
      action: { ...order(side, '77777', '1', 'gtc'), market: 1 },
      outcome: {},
    });
  for (let at = 1; at <= seconds; at++) {
    const side = at % 2 === 0 ? 'buy' : 'sell';
    const action = order(side, side === 'buy' ? '10055' : '9945', '3', 'ioc');
    lines.push({ kind: 'action', ms: at * 1_000, account: 0, action, outcome: { ended: 'ioc' } });
  }
  // Refused when it was recorded: left out.
  lines.push({
    kind: 'action',
    ms: seconds * 1_000,
    account: 0,
    action: order('buy', '99999', '9', 'gtc'),
    outcome: { refused: 'margin' },
  });
  // The far quotes go, the second one in the block that it came in.
  lines.push({
    kind: 'action',
    ms: seconds * 1_000 + 1,
    account: 1,
    action: { type: 'cancel', order: '4', market: 2 },
    outcome: {},
  });
  const count = (kind: string): number => lines.filter((line) => (line as { kind: string }).kind === kind).length;
  const totals = {
    lines: lines.length + 1,
    accounts: 2,
    earlier: 1,
    actions: count('action'),
    transactions: 0,
    contract: 0,
    network: 0,
    refused: 1,
    fills: 0,
  };
  lines.push({ kind: 'end', totals, lost: [] });
  return lines.map((line, index) => JSON.stringify({ line: index + 1, ...line }));
}

const maker = (rest = ''): ReturnType<typeof parseStrategy> =>
  parseStrategy(
    `strategy = "maker"\nmarket = "A/B"\n[maker]\nspread_bps = 40\nsize = "5"\nlevels = 2\nmax_position = "50"\n[fair_price]\nsource = "fixed"\nstart = "10000"\n${rest}`,
    'maker.toml',
  );
const run = (file = maker(), seconds = 40, latencyMs = 100) =>
  backtestStrategy({ file, flow: parseFlow(flowLines(seconds)), baseDecimals: 0, quoteDecimals: 0, latencyMs });

describe('a backtest', () => {
  it('trades with the flow by the rules of the chain, and tells what came of it', async () => {
    const { report, text } = await run();
    // Ten thousand less and more by twenty; the first taker comes before the first quotes.
    expect(report.fills.maker).toBeGreaterThan(30);
    expect(report.fills.taker).toBe(0);
    expect(BigInt(report.profit!)).toBe(20n * BigInt(report.volume));
    expect(report.quotedPpm).toBeGreaterThan(900_000);
    expect(report.halted).toBeNull();
    expect(text).toContain(`fills      ${report.fills.all} (${report.fills.maker} as maker, 0 as taker)`);
  });

  it('is the same again', async () => {
    expect((await run()).report).toEqual((await run()).report);
  });

  it('follows the trades of its own market only', async () => {
    const file = maker();
    const { report } = await run({ ...file, fair_price: { ...file.fair_price, source: 'book' } }, 40);
    const price = BigInt(report.turnover) / BigInt(report.volume);
    expect([report.fills.maker > 10, price > 9_000n && price < 11_000n]).toEqual([true, true]);
    expect(BigInt(report.profit!) < 10_000n).toBe(true);
  });

  it('knows that what is decided comes later', async () => {
    const [soon, late] = [await run(maker(), 10, 0), await run(maker(), 10, 5_000)];
    expect(late.report.fills.all).toBeLessThan(soon.report.fills.all);
  });

  it('of a taker takes what the flow quotes', async () => {
    const taker = parseStrategy(
      'strategy = "taker"\nmarket = 2\n[taker]\ninterval_ms = 2000\nsize_max = "2"',
      'taker.toml',
    );
    const { report } = await run(taker);
    expect(report.fills.taker).toBeGreaterThan(3);
    expect(report.fills.maker).toBe(0);
  });

  it('of a market that the flow has not, or with a price from outside, is refused: BOT_FLOW_UNFIT', async () => {
    await expect(run({ ...maker(), market: 'X/Y' })).rejects.toMatchObject({
      code: 'BOT_FLOW_UNFIT',
      message: expect.stringContaining('it has A/B, C/D'),
    });
    const outside = maker('');
    await expect(
      run({ ...outside, fair_price: { ...outside.fair_price, source: 'http', url: 'http://price.example' } }),
    ).rejects.toMatchObject({ code: 'BOT_FLOW_UNFIT' });
  });
});
