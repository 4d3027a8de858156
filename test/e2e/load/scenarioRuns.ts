/** Built-in scenarios of `prime load` at their smallest size, all of them beside each other on one network. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DecidedBlock, readBlocksByRpc } from '@prime/audit';
import { builtInScenario, builtInText, type LoadOptions, runLoad, type RunReport, withSize } from '@prime/load';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { type Hex, hexToBytes, keccak256, parseEther, stringToHex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { loadOptions } from './loading.ts';

/** Of each scenario: all of them together are no more than two cores carry. */
export const rate = 20;
export const seconds = 4;

/** Who pays for each: two that pay from one account at once would take each other's nonces. */
const payerKey = (name: string): Hex => keccak256(stringToHex(`payer of ${name}`));
const payersWei = parseEther('100');

/** Ether for each payer. */
async function fundPayers(testnet: Testnet, names: readonly string[]): Promise<void> {
  const [from] = await rpc<Hex[]>(testnet.url(0), 'eth_accounts');
  for (const name of names) {
    const { address: to } = privateKeyToAccount(payerKey(name));
    await rpc(testnet.url(0), 'eth_sendTransaction', [{ from, to, value: toHex(payersWei) }]);
  }
  const last = privateKeyToAccount(payerKey(names.at(-1)!)).address;
  await until('the last payer has its ether', async () => {
    const balance = await rpc<Hex>(testnet.url(0), 'eth_getBalance', [last, 'latest']);
    return BigInt(balance) >= payersWei;
  });
}

/** Opens when all have come. */
function barrier(count: number) {
  let open: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let missing = count;
  return () => {
    if (--missing === 0) open();
    return opened;
  };
}

/** Blocks of the network, which all runs judge: each is read once. */
function sharedBlocks(): typeof readBlocksByRpc {
  const known: DecidedBlock[] = [];
  let reading: Promise<void> = Promise.resolve();
  const readTo = async (call: Parameters<typeof readBlocksByRpc>[0], chainId: number, to: number): Promise<void> => {
    for await (const block of readBlocksByRpc(call, { chainId, from: known.length + 1, to })) known.push(block);
  };
  return async function* (call, { chainId, from, to }) {
    reading = reading.then(() => readTo(call, chainId, to));
    await reading;
    yield* known.slice(from - 1, to);
  };
}

/** One run; `sent` is awaited before books are judged. */
export type RunScenario = (
  name: string,
  turn: number,
  sent: () => Promise<void>,
  more?: Partial<LoadOptions>,
) => Promise<RunReport>;

function scenarioRunner(testnet: Testnet): RunScenario {
  const readBlocks = sharedBlocks();
  return (name, turn, sent, more = {}) => {
    const base = builtInScenario(name);
    const scenario = withSize({ ...base, bounds: { ...base.bounds, gap_ms: 120_000 } }, base.sizes.ci[0]!);
    const run = { name, toml: builtInText(name), scenario, rate, seconds, firstNode: turn } as const;
    const funder = { kind: 'key', privateKey: hexToBytes(payerKey(name)) } as const;
    return runLoad({
      ...loadOptions(testnet, { ...run, funder }),
      transport: turn % 2 === 0 ? 'ws' : 'http',
      connections: turn % 2 === 0 ? 1 : 8,
      // One of them replays what all of them did.
      withModel: turn === 0,
      readBlocks,
      // Books are judged when nobody sends any more.
      meanwhile: () => ({ end: () => sent().then(() => ({ faults: [], findings: [] })) }),
      ...more,
    });
  };
}

/**
 * The tests of these scenarios against four validators: each verdict is clean, and what is refused is what the scenario intends.
 *
 * @returns for more runs on the same network, within tests that come later in the file
 */
export function testScenarios(names: readonly string[]): RunScenario {
  let testnet: Testnet;
  let run: RunScenario;
  beforeAll(async () => {
    testnet = await createTestnet({ validators: 4, idlePace: 'preset' });
    await testnet.startAll();
    run = scenarioRunner(testnet);
  });
  afterAll(() => testnet.destroy());

  describe('built-in scenarios', () => {
    let reports: ReadonlyMap<string, RunReport>;
    beforeAll(async () => {
      await fundPayers(testnet, names);
      const sent = barrier(names.length);
      reports = new Map(
        await Promise.all(names.map(async (name, turn) => [name, await run(name, turn, sent)] as const)),
      );
    });

    it.each(names)('%s', (name) => {
      const { verdict, totals, network } = reports.get(name)!;
      const found = verdict.findings.flatMap(({ rule, violations }) => violations.map((words) => `${rule}: ${words}`));
      expect(found).toEqual([]);
      expect(verdict.clean).toBe(true);
      const refusals = verdict.findings.find(({ rule }) => rule.startsWith('refusals'));
      expect(refusals?.seen).toMatch(/^at admission .*; in blocks (none|\d)/);
      expect(totals.scheduled).toBeGreaterThan(rate);
      expect(totals.acknowledged + totals.refused + totals.unknown).toBe(totals.sent);
      expect(network.lastHeight).toBeGreaterThan(network.firstHeight);
    });
  });
  return (...parameters) => run(...parameters);
}
