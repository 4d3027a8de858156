/**
 * `prime load run sweeps` at more than four validators can do on this machine, with sweeps of one order more than what
 * an order book grows to: blocks go on, nobody ends, and nothing acknowledged is lost. The nightly scenarios have one less, too.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtInText, parseScenario, runLoad, withSize } from '@prime/load';
import { createTestnet, type Testnet } from '@prime/testkit';
import { loadOptions } from '../../e2e/load/loading.ts';

const rate = 300;
const seconds = 7;

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4, sheds: true });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

describe('more orders than there is time for', () => {
  it('sweeps of 4097 orders', async () => {
    // Two books, so that they are filled and swept in these seconds.
    const toml = builtInText('sweeps')
      .replace(/^accounts = .*$/m, 'accounts = 10')
      .replace(/^markets = .*$/m, 'markets = 2');
    const base = parseScenario(toml, 'sweeps');
    expect(base).toMatchObject({ accounts: 10, markets: 2 });
    const scenario = withSize({ ...base, bounds: { ...base.bounds, gap_ms: 60_000 } }, 4097);
    const funder = { kind: 'unlocked' } as const;
    const run = { name: 'sweeps', toml, rate, seconds, firstNode: 0 };
    const options = loadOptions(testnet, { ...run, scenario, funder });
    const { verdict, totals, kinds } = await runLoad(options);
    expect(verdict.findings.flatMap(({ rule, violations }) => violations.map((words) => `${rule}: ${words}`))).toEqual(
      [],
    );
    expect(verdict.clean).toBe(true);
    expect(totals.acknowledged + totals.refused + totals.unknown).toBe(totals.sent);
    expect(kinds.find(({ kind }) => kind === 'sweep')?.counts.committed).toBeGreaterThan(1);
  });
});
