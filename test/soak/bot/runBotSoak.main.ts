import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { botSoak, type BotSoakReport } from './botSoak.ts';

/**
 * `npm run soak:bot -- --minutes N [--seed S] [--program FILE] [--out FOLDER]`. The exit code is 0 when nothing was found, 1 otherwise, 64 for
 * options that mean nothing.
 */
const usage = `usage: npm run soak:bot -- --minutes N [--seed S] [--program FILE] [--out FOLDER]

  --minutes N     how long nodes and bots are killed (default 30)
  --seed S        a whole number; the same seed has the same kills (default: a random one)
  --program FILE  main.js of another build's prime command, to run its nodes
  --out FOLDER    where report.json goes (default .prime/bot-soak)`;

function options() {
  try {
    return parseArgs({
      options: {
        minutes: { type: 'string', default: '30' },
        seed: { type: 'string' },
        program: { type: 'string' },
        out: { type: 'string', default: '.prime/bot-soak' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return process.exit(64);
  }
}

const { minutes: minutesText, seed: seedText, program, out, help } = options();
if (help) {
  console.log(usage);
  process.exit(0);
}
const seed = seedText === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(seedText);
const minutes = Number(minutesText);
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  console.error(`--seed is a whole number and --minutes a number above 0\n\n${usage}`);
  process.exit(64);
}
console.log(`seed ${seed}`);

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
  const report = await botSoak({
    seed,
    minutes,
    program: program === undefined ? null : resolve(program),
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
