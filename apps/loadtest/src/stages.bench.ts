import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StageReader } from '@prime/load';
import type { Testnet } from '@prime/testkit';
import { benchArguments } from '@prime/testkit/arguments';
import type { Hex } from 'viem';
import { median, report, round } from './figures.ts';
import { sampleNode } from './nodeSample.ts';
import { sendRaw, signTransfersOf, untilCommitted, withNetwork } from './scenario.ts';

/**
 * What stamps of stages cost four validators: the same transfers with stamps off and on in turns, in one network, so that both see the same machine. While
 * they are on they are read from all nodes, as a load run does. Processor time is what to look at: how long a turn takes is up to whatever else
 * the machine does.
 */
const { turns, transfers } = benchArguments('bench:stages', {
  turns: { meaning: 'turns with stamps, and as many without', usual: 10 },
  transfers: { meaning: 'transfers of a turn', usual: 2_000 },
});
/** Funded accounts; each may have 1024 transactions waiting. */
const senders = 8;
/** Transfers of one request. */
const batchSize = 25;
const warmUpTurns = 4;

interface Turn {
  /** Of all validators, by transfer. */
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly stamps: number;
  readonly lost: number;
}

// A node that refuses what it has no time for would do less in one turn than in another.
await withNetwork({ validators: 4, sheds: false }, async (testnet) => {
  for (let index = 0; index < warmUpTurns; index++) await turn(testnet, index % 2 === 1);
  const all: { readonly off: Turn; readonly on: Turn }[] = [];
  for (let index = 0; index < turns; index++) {
    // Off, on, on, off, …: what changes with time favours neither.
    const first = await turn(testnet, index % 2 === 1);
    const second = await turn(testnet, index % 2 === 0);
    all.push(index % 2 === 0 ? { off: first, on: second } : { off: second, on: first });
  }
  const row = (name: 'off' | 'on'): Record<string, number> => ({
    cpuMs: round(median(all.map((pair) => pair[name].cpuMs))),
    perSecond: round(median(all.map((pair) => pair[name].perSecond))),
    stamps: median(all.map((pair) => pair[name].stamps)),
    lost: Math.max(...all.map((pair) => pair[name].lost)),
  });
  const ratios = (of: 'cpuMs' | 'perSecond'): Record<string, number> => {
    const sorted = all.map(({ off, on }) => on[of] / off[of]).sort((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))]! * 1_000) / 1_000;
    return { quarter: at(0.25), median: at(0.5), threeQuarters: at(0.75) };
  };
  const name = `stamps of stages, ${turns} turns of ${transfers} transfers each`;
  report(`${name}: processor time of a transfer on all validators, ms`, { off: row('off'), on: row('on') });
  report(`${name}: on beside off, by turn`, { cpu: ratios('cpuMs'), throughput: ratios('perSecond') });
});

/** Sends as many transfers and waits for their blocks. */
async function turn(testnet: Testnet, isOn: boolean): Promise<Turn> {
  const signed = await signTransfersOf(testnet.url(0), senders, Math.ceil(transfers / senders));
  const urls = testnet.urls();
  let stamps = 0;
  const reader = new StageReader({
    nodes: urls.map((_, index) => ({
      name: `validator${index}`,
      adminUrl: testnet.adminUrl(index),
      token: async () => (await readFile(join(testnet.home(index), 'admin.token'), 'utf8')).trim(),
    })),
    onStamps: (_node, page) => void (stamps += page.length),
  });
  if (isOn) await reader.start();
  const before = await cpuOf(testnet);
  const begun = performance.now();
  await Promise.all(signed.map((raws, sender) => sendAll(urls[sender % urls.length]!, raws)));
  await Promise.all(signed.map((raws, sender) => untilCommitted(urls[sender % urls.length]!, raws.at(-1)!, 20)));
  const seconds = (performance.now() - begun) / 1_000;
  const cpuMs = (await cpuOf(testnet)) - before;
  if (isOn) await reader.stop();
  const count = signed.flat().length;
  const lost = isOn ? reader.standings().reduce((sum, node) => sum + node.lost, 0) : 0;
  return { cpuMs: cpuMs / count, perSecond: count / seconds, stamps, lost };
}

async function cpuOf(testnet: Testnet): Promise<number> {
  const samples = await Promise.all(testnet.urls().map((_, index) => sampleNode(testnet.adminUrl(index))));
  return samples.flatMap(({ cpuMs }) => Object.values(cpuMs)).reduce((sum, ms) => sum + ms, 0);
}

async function sendAll(url: string, raws: readonly Hex[]): Promise<void> {
  for (let from = 0; from < raws.length; from += batchSize) await sendRaw(url, raws.slice(from, from + batchSize));
}
