import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { benchArguments } from '@prime/testkit/arguments';
import { explorerSoak } from './explorerSoak.ts';

/**
 * The explorer's page of a market, open in Chromium while the market trades and its node is killed now and then. Exit code 0 when what the page holds
 * did not grow, and nothing else was found; 1 otherwise.
 *
 *   npm run soak:explorer [-- --minutes 30 --rate 40]
 */
const { minutes, rate, out } = benchArguments('soak:explorer', {
  minutes: { meaning: 'how long the page is open', usual: 30 },
  rate: { meaning: 'orders a second', usual: 40 },
  out: { meaning: 'folder of report.json', usual: '.prime/explorer-soak' },
});

const log = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
try {
  const report = await explorerSoak({ minutes, rate, log });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  for (const finding of report.findings) console.log(finding);
  console.log(`${report.orders} orders, ${report.restarts} restarts of the node, ${report.findings.length} findings`);
  console.log(`${resolve(out, 'report.json')}: ${report.findings.length === 0 ? 'clean' : 'not clean'}`);
  process.exit(report.findings.length === 0 ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
