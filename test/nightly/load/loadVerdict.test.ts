/**
 * The verdict of a load run, judged: on an honest network it is clean; for each fault that is planted between the run and one validator, it names
 * that fault and is not clean.
 */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeActionResult } from '@prime/codec';
import { type LoadOptions, parseScenario, runLoad, type RunReport } from '@prime/load';
import { createTestnet, type Testnet } from '@prime/testkit';
import { type Answered, type Lie, LyingProxy } from '../../e2e/sdk/lyingProxy.ts';

const toml = `
format = "prime-load-scenario-1"
name = "small"
about = "A little of everything that leaves something behind."
catches = "Verdicts that see nothing."
accounts = 12
markets = 1
size = 20
step_ms = 100
mix = [
  { kind = "order_gtc", weight = 40 },
  { kind = "order_ioc", weight = 20 },
  { kind = "cancel", weight = 20 },
  { kind = "transfer", weight = 20 },
  { kind = "token_transfer", weight = 10 },
]
stages = [{ kind = "hold", rate = 60, seconds = 2 }]
[bounds]
gap_ms = 60000
`;

let testnet: Testnet;
let proxy: LyingProxy;
let metrics: Server | null = null;
let seed = 100;

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
  proxy = await LyingProxy.before(testnet.url(1));
});
afterEach(() => {
  proxy.lie = (_, ask) => ask();
  metrics?.close();
  metrics = null;
});
afterAll(async () => {
  await proxy.close();
  await testnet.destroy();
});

async function load(more: Partial<LoadOptions> = {}): Promise<RunReport> {
  const asked = {
    kind: 'open',
    arrivals: 'constant',
    stages: [{ name: 'hold', fromRate: 60, toRate: 60, seconds: 2 }],
  } as const;
  const lines: string[] = [];
  return runLoad({
    scenario: parseScenario(toml, 'small.toml'),
    toml,
    work: { name: 'small', toml, size: null },
    seed: seed++,
    secret: null,
    command: 'prime load run small.toml',
    urls: [testnet.url(0), proxy.url, testnet.url(2), testnet.url(3)],
    adminUrls: [],
    stageNodes: [],
    workers: 1,
    workersAt: [],
    token: null,
    transport: 'ws',
    connections: null,
    asked,
    funder: { kind: 'unlocked' },
    aheadMax: 1000,
    answerMs: 60_000,
    drainMs: 60_000,
    withModel: true,
    keepsFunds: true,
    meanwhile: null,
    signal: new AbortController().signal,
    say: (line) => void lines.push(line),
    onProgress: () => undefined,
    ...more,
  });
}

const broken = ({ verdict }: RunReport): Record<string, string> =>
  Object.fromEntries(
    verdict.findings
      .filter(({ violations }) => violations.length > 0)
      .map(({ rule, violations }) => [rule, violations.join('\n')]),
  );

const isWrite = (method: string): boolean => method === 'eth_sendRawTransaction';
const raised = (hex: unknown): string => `0x${(BigInt(hex as string) + 1n).toString(16)}`;

/** Changes an answer to one method. */
const changed =
  (method: string, change: (result: never) => unknown): Lie =>
  async (call, ask) => {
    const answer = await ask();
    const { result } = answer;
    return call.method !== method || result === null || result === undefined
      ? answer
      : { result: change(result as never) };
  };

/** The first call that matches is answered otherwise. */
function firstTime(
  isIt: (method: string, params: readonly unknown[]) => boolean,
  instead: (ask: () => Promise<Answered>) => Promise<Answered>,
): Lie {
  let isDone = false;
  return ({ method, params }, ask) => {
    if (isDone || !isIt(method, params)) return ask();
    isDone = true;
    return instead(ask);
  };
}

it('is clean on an honest network, and says what it looked at', async () => {
  const report = await load({ adminUrls: [0, 1, 2, 3].map((index) => testnet.adminUrl(index)) });
  expect(broken(report)).toEqual({});
  expect(report.verdict).toMatchObject({ clean: true, lost: 0, doubled: 0, wrong: 0, unresolved: 0 });
  const seen = Object.fromEntries(report.verdict.findings.map(({ rule, seen: words }) => [rule, words]));
  expect(seen['every operation accounted for']).toMatch(/^\d+ in a block/);
  expect(seen['order book']).toMatch(/1[2-9] accounts|[2-9]\d accounts/);
  expect(seen['balances and nonces']).toMatch(/13 accounts with [1-9]\d* transactions on 4 nodes/);
  expect(seen['memory']).toMatch(/^4 validators/);
  expect(seen['disk']).toMatch(/^4 validators/);
  expect(seen['no log line at level error']).toBe('4 of 4 validators tell, 0 lines while it was sent');
  expect(seen['token sums']).toMatch(/1 tokens, [1-9]\d* holders/);
  expect(seen['refusals are those that the scenario means']).toMatch(
    /^at admission none; in blocks (none|\d+ of cancel)/,
  );
  expect(report.totals).toMatchObject({
    scheduled: 120,
    sent: 120,
    acknowledged: 120,
    committed: 120,
    refused: 0,
    unknown: 0,
  });
  expect(report.kinds.every(({ visible }) => visible !== null && visible.p50Ms > 0)).toBe(true);
});

const nativeBytes = /^0x50/;
const faults: readonly (readonly [name: string, lie: () => Lie, rule: string, words: RegExp])[] = [
  [
    'an acknowledgement for what never reached the node',
    () =>
      firstTime(
        (method, [raw]) => isWrite(method) && nativeBytes.test(String(raw)),
        () => Promise.resolve({ result: `0x${'0'.repeat(64)}` }),
      ),
    'every operation accounted for',
    /was acknowledged, and is in no block/,
  ],
  [
    'a refusal of what was carried out',
    () =>
      firstTime(
        (method, [raw]) => isWrite(method) && nativeBytes.test(String(raw)),
        async (ask) => {
          await ask();
          return { error: { code: -32_000, message: 'no room' } };
        },
      ),
    'every operation accounted for',
    /was refused, and is in block/,
  ],
  [
    'a balance that is too high',
    () => changed('eth_getBalance', raised),
    'balances and nonces',
    /on validator1 .*: balance \d+ wei, blocks make it \d+/,
  ],
  [
    'a nonce that is too high',
    () => changed('eth_getTransactionCount', raised),
    'balances and nonces',
    /on validator1 .*: nonce \d+, blocks make it \d+/,
  ],
  [
    'a token balance that is too high',
    () => changed('eth_call', (word: string) => `0x${(BigInt(word) + 1n).toString(16).padStart(64, '0')}`),
    'token sums',
    /on validator1 .*is \d+, logs make it \d+/,
  ],
  [
    'another state root',
    () => changed('eth_getBlockByNumber', (block: object) => ({ ...block, stateRoot: `0x${'1'.repeat(64)}` })),
    'state and orders roots',
    /validator1 .* has 0x1111/,
  ],
  [
    'another block at a height',
    () =>
      changed('eth_getBlockByNumber', (block: { number: string }) =>
        // Block 0 says which network it is.
        block.number === '0x0' ? block : { ...block, hash: `0x${'2'.repeat(64)}` },
      ),
    'agreement',
    /fork at height \d+/,
  ],
  [
    'collateral that is not there',
    () =>
      changed('primeorders_getAccount', (account: { collateral: string }) => ({
        ...account,
        collateral: raised(account.collateral),
      })),
    'order book',
    /validator1 .*account/,
  ],
  [
    'a book without its best bid',
    () =>
      changed('primeorders_getOrderBook', (book: { bids: unknown[] }) => ({ ...book, bids: book.bids.slice(0, -1) })),
    'order book',
    /validator1 .*book 1/,
  ],
  [
    'a node that shows no new blocks',
    () => {
      let head: unknown = null;
      return changed('eth_blockNumber', (now: string) => (head ??= now));
    },
    'validators answer',
    /validator1 .* stays at block \d+, others have \d+/,
  ],
];

/** Where a run waits for what never comes; elsewhere a busy machine has the time that it needs. */
const waitedFor: ReadonlySet<string> = new Set([
  'an acknowledgement for what never reached the node',
  'a node that shows no new blocks',
]);

describe('names what is planted', () => {
  it.each(faults)('%s', async (name, lie, rule, words) => {
    proxy.lie = lie();
    const report = await load(waitedFor.has(name) ? { drainMs: 3_000 } : {});
    expect(report.verdict.clean).toBe(false);
    expect(broken(report)[rule] ?? JSON.stringify(broken(report))).toMatch(words);
  });

  it('a fill that the node tells twice, to who reads the chain', async () => {
    proxy.lie = changed('prime_getBlockByNumber', (block: { domain_events: { kind: string }[] }) => ({
      ...block,
      domain_events: block.domain_events.flatMap((event) => (event.kind === 'trade' ? [event, event] : [event])),
    }));
    // The chain is read from the node that is named first.
    const report = await load({ urls: [proxy.url, testnet.url(0), testnet.url(2), testnet.url(3)] });
    expect(broken(report)['order book']).toMatch(/event \d+ of \d+/);
  });

  it('orders that are refused for another reason than any that the scenario means', async () => {
    proxy.lie = ({ method, params: [raw] }, ask) =>
      isWrite(method) && nativeBytes.test(String(raw))
        ? Promise.resolve({ error: { code: -32_015, message: 'insufficient margin: required 0x5, free 0x0' } })
        : ask();
    expect(broken(await load())).toEqual({
      'refusals are those that the scenario means': expect.stringMatching(
        /^\d+ of order_gtc refused at admission: -32015 insufficient margin: required 0x…, free 0x…$/m,
      ),
    });
  });

  it('an order of which a node tells that its block refused it', async () => {
    const error = { code: 'CLOB_INSUFFICIENT_MARGIN', message: 'no margin', data: { kind: 'insufficient_margin' } };
    const output = `0x${Buffer.from(encodeActionResult({ ok: false, error })).toString('hex')}`;
    // Also of the setup, where nobody asks for reasons: the last ones are of the run.
    proxy.lie = changed('prime_getBlockActions', (actions: object[]) =>
      actions.map((action) => ({ ...action, output })),
    );
    const report = await load({ urls: [proxy.url, testnet.url(0), testnet.url(2), testnet.url(3)] });
    expect(broken(report)['refusals are those that the scenario means']).toMatch(
      /^\d+ of order_gtc refused in a block: insufficient_margin$/m,
    );
  });

  /** An admin endpoint that tells more each time. */
  const telling = async (more: (time: number) => string): Promise<string> => {
    let time = 0;
    metrics = createServer((_, response) => {
      response.end(`prime_consensus_height 1\nprime_thread_cpu_seconds_total{thread="other"} 1\n${more(time++)}\n`);
    }).listen(0, '127.0.0.1');
    await once(metrics, 'listening');
    return `http://127.0.0.1:${(metrics.address() as AddressInfo).port}`;
  };

  it('memory that grows without a bound', async () => {
    const url = await telling((time) => `process_resident_memory_bytes ${2 ** 30 + time * 2 ** 29}`);
    const report = await load({ adminUrls: [url] });
    expect(broken(report)).toEqual({ memory: expect.stringMatching(/validator0 took \d+ MiB more/) });
  });

  it('a disk that fills without a bound', async () => {
    const url = await telling((time) => `process_resident_memory_bytes 1\nprime_home_bytes ${time * 2 ** 30}`);
    const report = await load({ adminUrls: [url] });
    expect(broken(report)).toEqual({ disk: expect.stringMatching(/validator0 took \d+ MiB more/) });
  });

  it('a node that logs errors', async () => {
    // What it logged before is not of this run.
    const url = await telling(
      (time) => `process_resident_memory_bytes 1\nprime_log_lines_total{level="error"} ${40 + Math.min(time, 3)}`,
    );
    const report = await load({ adminUrls: [url] });
    expect(broken(report)).toEqual({ 'no log line at level error': 'validator0 logged 3 lines at level error' });
  });

  it('a pause that is longer than the scenario allows', async () => {
    const scenario = { ...parseScenario(toml, 'small.toml'), bounds: { memory_mb: 2000, disk_mb: 2000, gap_ms: 1 } };
    expect(broken(await load({ scenario }))).toEqual({ progress: expect.stringMatching(/no block for \d+\.\d s/) });
  });

  it('validators that stopped while it sent', async () => {
    const own = await LyingProxy.before(testnet.url(3));
    const { url } = own;
    const report = await load({
      urls: [testnet.url(0), testnet.url(1), testnet.url(2), url],
      onProgress: () => void own.vanish(),
      drainMs: 3_000,
    });
    expect(report.verdict.clean).toBe(false);
    expect(broken(report)['validators stopped']).toMatch(/validator3 .* stopped/);
  });
});
