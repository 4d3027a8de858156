import { readFileSync } from 'node:fs';
import { benchArguments, refuseArguments } from '@prime/testkit/arguments';
import { type Attack, parseAttack } from './attack.ts';
import type { DrillGenesis } from './arena.ts';
import { Crowd, stageOf } from './crowd.ts';
import { genesisNames, readGenesis } from './genesis.ts';
import { type Bounds, brokenBounds, jsonOf, linesOf } from './report.ts';
import { runAttack } from './runAttack.ts';
import { search } from './search.ts';

/**
 * `npm run drill:mark`: looks for ways to make money from liquidations, or to hold up withdrawals, in the order book as a genesis sets it up. Seeded, in one
 * process, by the rules that ship. See docs/operate/mark-drill.md.
 */

const given = benchArguments('drill:mark', {
  genesis: { meaning: `genesis.json, or one of ${genesisNames.join(', ')}`, usual: '' },
  budget: { meaning: 'attacks that are tried', usual: 1000 },
  seed: { meaning: 'of all that is drawn', usual: 1, least: 0 },
  markets: { meaning: 'symbols with a comma between them: the market that is attacked, and another one', usual: '' },
  capital: { meaning: 'of the adversary, wei', usual: '100000000000000000000' },
  fund: { meaning: 'in the insurance fund, wei', usual: '20000000000000000000' },
  accounts: { meaning: 'of the adversary', usual: 3, least: 3 },
  replay: { meaning: 'file with one attack, instead of a search', usual: '' },
  json: { meaning: 'the report as JSON', usual: false },
  'max-victim-loss': { meaning: 'wei; ends with 1 when a solvent account lost more by force', usual: '' },
  'max-insurance-loss': { meaning: 'the same for the insurance fund', usual: '' },
  'max-profit': { meaning: 'the same for what the adversary won', usual: '' },
  'max-blocked': { meaning: 'the same for blocks without withdrawals', usual: '' },
});

const refuse = (words: string): never => refuseArguments('drill:mark', words);

/** What an adversary needs for sizes of parts of it. */
const capitalLeast = 10n ** 15n;
const accountsMost = 20;

/** A whole number of an option, which may be beyond what JSON's numbers hold; null where it is not given. */
function whole(name: 'capital' | 'fund' | (`max-${string}` & keyof typeof given), least = 0n): bigint | null {
  const text = given[name];
  if (text === '') return null;
  if (/^\d{1,40}$/.test(text) && BigInt(text) >= least) return BigInt(text);
  return refuse(`--${name} takes a whole number from ${least}, not '${text}'`);
}

function crowdOf(): Crowd {
  if (given.genesis === '') refuse('--genesis is missing');
  const genesis = genesisOf(given.genesis);
  const symbols = genesis.markets.map(({ symbol }) => symbol);
  const chosen = given.markets === '' ? symbols.slice(0, 2) : given.markets.split(',');
  const places = chosen.map((symbol) => symbols.indexOf(symbol));
  const [attacked] = places;
  if (attacked === undefined || places.length > 2 || places.includes(-1))
    return refuse(`--markets takes one or two of ${symbols.join(', ')}`);
  const [capital, fund] = [whole('capital', capitalLeast), whole('fund')];
  if (capital === null || fund === null) return refuse('--capital and --fund take wei');
  return new Crowd({ genesis, capital, fund, markets: [attacked, places[1] ?? attacked] });
}

function genesisOf(nameOrFile: string): DrillGenesis {
  try {
    return readGenesis(nameOrFile);
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Of a file with one attack, or with a finding of `--json`. */
function readAttack(file: string): Attack {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as { readonly attack?: unknown };
    return parseAttack(value.attack ?? value);
  } catch (error) {
    return refuse(`--replay ${file}: ${(error as Error).message}`);
  }
}

function main(): void {
  const { budget, seed, accounts, replay, json } = given;
  if (accounts > accountsMost) refuse(`--accounts takes at most ${accountsMost}`);
  const crowd = crowdOf();
  const bounds: Bounds = {
    victimLoss: whole('max-victim-loss'),
    insuranceLoss: whole('max-insurance-loss'),
    profit: whole('max-profit'),
    blocked: whole('max-blocked'),
  };
  const attack = replay === '' ? null : readAttack(replay);
  const stage = stageOf(crowd);
  if (attack !== null) {
    const { trace, ...outcome } = runAttack(crowd, stage, attack, { accounts, traces: true });
    process.stdout.write(`${[...(json ? [] : trace), jsonOf(outcome)].join('\n')}\n`);
    return;
  }
  const findings = search({ crowd, stage, accounts, budget, seed });
  const broken = brokenBounds(findings, bounds);
  const { capital, fund } = crowd.options;
  const told = { genesis: given.genesis, seed, budget, accounts, capital, fund, findings, broken };
  const lines = [
    `${budget} attacks with seed ${seed} on ${given.genesis}: ${accounts} accounts with ${capital} wei, ${fund} wei in the insurance fund`,
    ...linesOf(findings),
    ...broken.map((words) => `broken: ${words}`),
  ];
  process.stdout.write(`${json ? jsonOf(told) : lines.join('\n')}\n`);
  if (broken.length > 0) process.exitCode = 1;
}

main();
