import { createCryptoProvider } from '@prime/crypto';
import { mutants } from './mutants.ts';
import {
  harsh,
  membershipMutants,
  membershipMutantSeeds,
  nodeMutants,
  nodeMutantSeeds,
  syncMutants,
  syncMutantSeeds,
  upgradeMutants,
  upgradeMutantSeeds,
} from './network/mutants.ts';
import {
  membershipOptionsOfSeed,
  networkOptionsOfSeed,
  simulateNetwork,
  syncOptionsOfSeed,
  upgradeOptionsOfSeed,
} from './network/simulateNetwork.ts';
import { optionsOfSeed, simulate } from './simulation.ts';

/** `npm run sim:mutants`: plants each of the listed bugs in turn and tells which seed noticed it. Exit code 1 when one lives. */
const patienceMs = 15_000;
const seedsMax = 120;
let alive = 0;

async function hunt(name: string, count: number, run: (seed: number) => Promise<string | null>): Promise<void> {
  for (let seed = 1; seed <= count; seed++) {
    const violation = await run(seed);
    if (violation === null) continue;
    console.log(`caught    ${name}\n          seed ${seed}: ${violation.split('\n')[0]}`);
    return;
  }
  alive += 1;
  console.error(`NOT CAUGHT ${name}`);
}

for (const { name, rules, skipSync } of mutants) {
  const damage = { ...(rules === undefined ? {} : { rules }), ...(skipSync === undefined ? {} : { skipSync }) };
  await hunt(name, seedsMax, async (seed) => simulate({ ...optionsOfSeed(seed), ...damage, patienceMs }).violation);
}
const crypto = await createCryptoProvider();
for (const { name, changes } of nodeMutants)
  await hunt(name, nodeMutantSeeds, async (seed) => {
    const options = { ...networkOptionsOfSeed(seed), ...harsh, ...changes };
    return (await simulateNetwork(options, crypto)).violation;
  });
for (const { name, damage } of membershipMutants)
  await hunt(name, membershipMutantSeeds, async (seed) => {
    const options = { ...membershipOptionsOfSeed(seed), membershipDamage: damage, patienceMs: 60_000 };
    return (await simulateNetwork(options, crypto)).violation;
  });
for (const { name, changes } of syncMutants)
  await hunt(name, syncMutantSeeds, async (seed) => {
    const options = { ...syncOptionsOfSeed(seed), ...changes };
    return (await simulateNetwork(options, crypto)).violation;
  });
for (const { name, changes } of upgradeMutants)
  await hunt(name, upgradeMutantSeeds, async (seed) => {
    const options = { ...upgradeOptionsOfSeed(seed), ...changes };
    return (await simulateNetwork(options, crypto)).violation;
  });
const lists = [mutants, nodeMutants, membershipMutants, syncMutants, upgradeMutants];
const planted = lists.reduce((sum, list) => sum + list.length, 0);
console.log(`${planted - alive} caught, ${alive} alive`);
process.exitCode = alive === 0 ? 0 : 1;
