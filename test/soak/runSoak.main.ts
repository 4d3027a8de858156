import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { soakText, writeReport } from './report.ts';
import { soak } from './soak.ts';

/**
 * `npm run soak:network -- --minutes N [--seed S] [--only WORDS] [--program FILE] [--out FOLDER]`, described in docs/soak.md. The exit code is 0
 * when nothing was found and everything was met, 1 otherwise, 64 for options that mean nothing.
 */
const usage = `usage: npm run soak:network -- --minutes N [--seed S] [--only WORDS] [--program FILE] [--out FOLDER]

  --minutes N     how long new shapes begin (default 30)
  --seed S        a whole number; the same seed has the same plan (default: a random one)
  --only WORDS    only shapes whose name holds one of these, separated by commas
  --program FILE  main.js of another build's prime command, to run that one
  --out FOLDER    where report.json and report.md go (default .prime/soak)`;

function options() {
  try {
    return parseArgs({
      options: {
        minutes: { type: 'string', default: '30' },
        seed: { type: 'string' },
        only: { type: 'string', default: '' },
        program: { type: 'string' },
        out: { type: 'string', default: '.prime/soak' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return process.exit(64);
  }
}

const { minutes: minutesText, seed: seedText, only, program, out, help } = options();
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
/** A network that never began has no report. */
const didNotBegin = (error: unknown): never => {
  console.error(String(error));
  return process.exit(1);
};
const report = await soak({
  seed,
  minutes,
  program: program === undefined ? null : resolve(program),
  only: only.split(',').filter((part) => part !== ''),
  log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
}).catch(didNotBegin);
await writeReport(out, report);
console.log(soakText(report));
console.log(`${resolve(out, 'report.md')}: ${report.clean ? 'clean' : 'not clean'}`);
process.exit(report.clean ? 0 : 1);
