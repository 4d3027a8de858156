import { resolve } from 'node:path';
import { benchArguments } from '@prime/testkit/arguments';
import { soakText, writeReport } from './report.ts';
import { soak } from './soak.ts';

/**
 * `npm run soak:network -- --minutes N [--seed S] [--only WORDS] [--program FILE] [--out FOLDER]`, described in docs/soak.md. The exit code is 0
 * when nothing was found and everything was met, 1 otherwise, 64 for options that mean nothing.
 */
const { minutes, only, program, out, ...given } = benchArguments('soak:network', {
  minutes: { meaning: 'how long new shapes begin', usual: 30 },
  seed: { meaning: 'the same seed has the same plan, a random one where none is given', usual: null, least: 0 },
  only: { meaning: 'only shapes whose name holds one of these, with commas between them', usual: '' },
  program: { meaning: "main.js of another build's prime command, to run that one", usual: '' },
  out: { meaning: 'folder of report.json and report.md', usual: '.prime/soak' },
});
const seed = given.seed ?? Math.floor(Math.random() * 2 ** 30);
console.log(`seed ${seed}`);
/** A network that never began has no report. */
const didNotBegin = (error: unknown): never => {
  console.error(String(error));
  return process.exit(1);
};
const report = await soak({
  seed,
  minutes,
  program: program === '' ? null : resolve(program),
  only: only.split(',').filter((part) => part !== ''),
  log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
}).catch(didNotBegin);
await writeReport(out, report);
console.log(soakText(report));
console.log(`${resolve(out, 'report.md')}: ${report.clean ? 'clean' : 'not clean'}`);
process.exit(report.clean ? 0 : 1);
