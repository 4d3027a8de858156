import { allHunts, hunt } from './hunts.ts';

/** `npm run sim:mutants`: plants each of the listed bugs in turn and tells which seed noticed it. Exit code 1 when one lives. */
let alive = 0;
for (const planted of allHunts) {
  const caught = await hunt(planted);
  if (caught !== null && planted.expected.test(caught.violation))
    console.log(`caught    ${planted.name}\n          seed ${caught.seed}: ${caught.violation.split('\n')[0]}`);
  else {
    alive += 1;
    console.error(`NOT CAUGHT ${planted.name}${caught === null ? '' : `: seed ${caught.seed}: ${caught.violation}`}`);
  }
}
console.log(`${allHunts.length - alive} caught, ${alive} alive`);
process.exitCode = alive === 0 ? 0 : 1;
