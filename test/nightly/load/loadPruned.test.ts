/**
 * A load run against a node that keeps recent blocks alone: it says what it can not judge, and judges the rest; an archive beside it tells the model all.
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LoadOptions, parseScenario, runLoad, type RunReport } from '@prime/load';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { loadOptions } from '../../e2e/load/loading.ts';

const toml = `
format = "prime-load-scenario-1"
name = "recent"
about = "Orders and token transfers of a few accounts."
catches = "Verdicts that need what nobody keeps."
accounts = 4
markets = 1
size = 10
mix = [
  { kind = "order_gtc", weight = 2 },
  { kind = "token_transfer", weight = 1 },
]
stages = [{ kind = "hold", rate = 30, seconds = 1 }]
[bounds]
gap_ms = 60000
`;

const pruned = 0;
const archive = 1;
let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 2,
    environment: { PRIME_STORAGE_STATE_SYNC_BLOCKS: '1' },
    genesis: (genesis) => {
      // Heights are what this test needs, also where nothing happens.
      Object.assign(genesis['consensus'] as object, { minBlockIntervalMs: 40, emptyBlockIntervalMs: 40 });
    },
  });
  const config = join(testnet.home(pruned), 'config.toml');
  await writeFile(config, (await readFile(config, 'utf8')).replace(/^\[history\]\n/m, ''));
  await appendFile(config, `\n[history]\nblocks = "recent"\nrecent_blocks = 256\n`);
  await testnet.startAll();
  await until('the first block is gone', async () => {
    const ask = rpc(testnet.url(pruned), 'eth_getBlockByNumber', ['0x1', false]);
    return ask.then(
      () => false,
      () => true,
    );
  });
});
afterAll(() => testnet.destroy());

async function load(more: Partial<LoadOptions>): Promise<{ readonly report: RunReport; readonly said: string[] }> {
  const scenario = parseScenario(toml, 'recent.toml');
  const run = { name: 'recent', toml, scenario, rate: 30, seconds: 1, firstNode: 0 } as const;
  const said: string[] = [];
  const options = loadOptions(testnet, { ...run, funder: { kind: 'unlocked' } });
  return { report: await runLoad({ ...options, say: (line) => void said.push(line), ...more }), said };
}

const broken = ({ verdict }: RunReport): unknown =>
  verdict.findings.flatMap(({ rule, violations }) => (violations.length === 0 ? [] : [{ rule, violations }]));
const seenOf = ({ verdict }: RunReport): Record<string, string> =>
  Object.fromEntries(verdict.findings.map(({ rule, seen }) => [rule, seen]));

describe('where the first blocks are gone', () => {
  it('says before it sends and in the verdict that the model has no begin, and judges all that follows from the run', async () => {
    const { report, said } = await load({ urls: [testnet.url(pruned)] });
    expect(said).toContain(
      'no node keeps all blocks: the model can not judge the order book, and --without-model leaves it out',
    );
    expect(broken(report)).toEqual([
      {
        rule: 'order book',
        violations: [expect.stringMatching(/^validator0 .*pruned history unavailable: block 1 is older than \d+/)],
      },
    ]);
    const seen = seenOf(report);
    expect(seen['order book']).toMatch(/^nothing: the model begins at genesis, .*--without-model leaves it out$/);
    expect(seen['balances and nonces']).toMatch(/^5 accounts with [1-9]\d* transactions on 1 nodes/);
    expect(seen['token sums']).toMatch(/^1 tokens, [1-9]\d* holders/);
    expect(seen['refusals are those that the scenario means']).toBe('at admission none; in blocks none');
  });

  it('an archive among the nodes tells the model everything', async () => {
    const { report, said } = await load({ urls: [testnet.url(pruned), testnet.url(archive)] });
    expect(broken(report)).toEqual([]);
    expect(said.join()).not.toContain('no node keeps');
    const seen = seenOf(report);
    expect(seen['order book']).toMatch(/accounts, \d+ open orders, \d+ books on 2 nodes/);
    expect(seen['token sums']).toMatch(/^1 tokens/);
  });
});
