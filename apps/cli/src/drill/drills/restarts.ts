/** Programs that are stopped, exchanged and started while the network goes on. */
import type { StartOptions } from '@prime/chaos';
import { decodeHeader } from '@prime/codec';
import { exitCode } from '@prime/node';
import { hexToBytes } from '@prime/primitives';
import { changeConfig } from '../../testnet/files.ts';
import type { Drill } from '../drill.ts';
import { commitsAt, newestSigned } from '../signatures.ts';

/** Stops and starts one validator after the other, each when the one before is back. */
export async function rollingRestart(drill: Drill): Promise<void> {
  for (const index of drill.validators)
    await drill.restart(index, `${drill.network.name(index)} is stopped (SIGTERM), the others go on, it is started`);
}

/** As a program that knows the first protocol version alone. */
const oldProgram: StartOptions = { environment: { PRIME_UPGRADES_VERSION_MAX: '1' } };
const version = 2;
/** Every validator is restarted twice before the height: so many blocks for each, times the patience of the drill. */
const blocksPerValidator = 40;

/** @param program main.js of the new build; null is the own one */
export async function rollingUpgrade(drill: Drill, program: string | null): Promise<void> {
  const { network, validators } = drill;
  const height = drill.highest + blocksPerValidator * validators.length * network.patience;
  const fresh: StartOptions = program === null ? {} : { program };
  const forgotten = validators.at(-1)!;
  const mayEnd = { ...oldProgram, mayEndWith: [exitCode.upgrade] };
  network.say(`the operators agree: protocol version ${version} begins at block ${height}`);
  for (const index of validators)
    await drill.restart(index, `${network.name(index)} is told of version ${version}, and keeps the old program`, {
      between: () => tell(network.homes.homes[index]!, height),
      options: index === forgotten ? mayEnd : oldProgram,
    });
  for (const index of validators.slice(0, -1))
    await drill.restart(index, `${network.name(index)} gets the new program`, { options: fresh });
  const reached = drill.highest;
  drill.claim(
    'exchanged in time',
    `the last program was exchanged at block ${reached}, version ${version} begins at ${height}`,
    reached < height ? [] : ['the height came first: this machine needs a higher --patience'],
  );
  let signedTo = 0;
  await drill.step({
    name: `block ${height} comes; ${network.name(forgotten)}, which was forgotten, ends with ${exitCode.upgrade}, and gets the new program`,
    promise: 'live',
    begin: () => network.node(forgotten).untilEnded(drill.deadlineMs(120_000)),
    heal: () => {
      // Its log and its sign state were read when it ended.
      signedTo = newestSigned(network, forgotten);
      return network.start(forgotten, fresh);
    },
  });
  await claimVersions(drill, height);
  drill.claim(
    'the forgotten one signs nothing beyond',
    `${network.name(forgotten)} signed up to block ${signedTo} before it ended`,
    signedTo > 0 && signedTo < height ? [] : [`it signed at block ${signedTo}, and its program ends before ${height}`],
  );
}

/** Writes it into config.toml. The line stays for good. */
const tell = (home: string, height: number): Promise<void> =>
  changeConfig(home, (values) => {
    values['upgrades.schedule'] = [{ version, height }];
  });

async function claimVersions(drill: Drill, height: number): Promise<void> {
  const violations: string[] = [];
  for (const index of drill.network.all) {
    const commits = await commitsAt(drill.network.homes.operatorUrls[index]!, [height - 1, height]);
    const [before, first] = commits.map((commit) => commit && decodeHeader(hexToBytes(commit.header)).version);
    if (before !== version - 1 || first !== version)
      violations.push(
        `${drill.network.name(index)} has version ${before} in block ${height - 1}, ${first} in ${height}`,
      );
  }
  drill.claim(
    'the version changes at its block',
    `block ${height - 1} is of version ${version - 1} and block ${height} of version ${version}, on ${drill.network.all.length} nodes`,
    violations,
  );
}
