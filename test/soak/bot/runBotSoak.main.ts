import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { benchArguments } from '@prime/testkit/arguments';
import { botSoak, type BotSoakReport } from './botSoak.ts';

/**
 * A maker and two takers against four validators, nodes and bots killed at random, judged from the chain. Exit code 0 when nothing was found,
 * 1 otherwise.
 *
 *   npm run soak:bot [-- --minutes 30 --seed 7]
 */
const given = benchArguments('soak:bot', {
  minutes: { meaning: 'how long nodes and bots are killed', usual: 30 },
  seed: { meaning: 'the same seed kills in the same order', usual: 1 },
  program: { meaning: "main.js of another build's prime command, to run its nodes", usual: '' },
  out: { meaning: 'folder of report.json', usual: '.prime/bot-soak' },
});

function textOf({ blocks, kills, bots }: BotSoakReport): string {
  const rows = bots.map(
    (bot) =>
      `${bot.name.padEnd(9)} ${bot.lives} lives, ${bot.toldFills} of ${bot.chainFills} fills told, ${bot.claims} positions compared, ` +
      `${bot.disconnects} disconnects, ${bot.checksumFailures} checksum failures, position ${bot.position}, ` +
      `${bot.openOrdersAtEnd} orders at the end, ${bot.findings.length} findings`,
  );
  return [
    `${blocks} blocks; killed: ${kills.nodes} nodes, ${kills.maker} makers, ${kills.takers} takers`,
    ...rows,
  ].join('\n');
}

try {
  const { seed, minutes, program, out } = given;
  const report = await botSoak({
    seed,
    minutes,
    program: program === '' ? null : resolve(program),
    log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  console.log(textOf(report));
  console.log(`${resolve(out, 'report.json')}: ${report.clean ? 'clean' : 'not clean'}`);
  process.exit(report.clean ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
