/** Many validators that are away at once. */
import { exitCode } from '@prime/node';
import type { StartOptions } from '@prime/chaos';
import type { Drill } from '../drill.ts';

/** Kills as many validators as may be lost while the chain goes on, and then a third, at which it stands still. */
export async function loseRegion(drill: Drill): Promise<void> {
  const { validators, faultyMax } = drill;
  // The last ones: the first answers callers all the time.
  for (const count of [faultyMax, Math.ceil(validators.length / 3)]) {
    const region = validators.slice(-count);
    const goesOn = count <= faultyMax;
    const words = goesOn ? 'fewer than a third; the others go on' : 'a third or more; the chain stands still';
    await drill.step({
      name: `lost at once (SIGKILL): ${namesOf(drill, region)}, ${count} of ${validators.length}, ${words}`,
      promise: goesOn ? 'live' : 'halt',
      begin: () => kill(drill, region),
      heal: () => start(drill, region),
    });
  }
}

/** Blocks from the planned start to the planned stop: enough for all to be there, and for writes. */
const untilStopBlocks = 60;

/** Stops the whole network, by force and by `upgrades.halt_height`, and starts it again. */
export async function resumeAfterHalt(drill: Drill): Promise<void> {
  const { network, validators } = drill;
  await drill.step({
    name: 'all validators are killed at once (SIGKILL), and started',
    promise: 'halt',
    begin: async () => {
      await kill(drill, validators);
      network.say('  all validators are down');
    },
    heal: () => start(drill, validators),
  });
  let height = 0;
  await drill.step({
    name: 'all are stopped and started with upgrades.halt_height, end by themselves at that block, and are started without it',
    promise: 'halt',
    begin: async () => {
      await Promise.all(validators.map((index) => network.node(index).end('SIGTERM')));
      height = drill.highest + untilStopBlocks;
      network.say(`  upgrades.halt_height = ${height}`);
      await start(drill, validators, {
        environment: { PRIME_UPGRADES_HALT_HEIGHT: `${height}` },
        mayEndWith: [exitCode.upgrade],
      });
      await Promise.all(validators.map((index) => network.node(index).untilEnded(drill.deadlineMs())));
    },
    heal: () => start(drill, validators),
  });
  const stopped = network.ends.filter(
    ({ code, words }) => code === exitCode.upgrade && words.includes(`block ${height} is decided`),
  );
  drill.claim(
    'all stop at one block',
    `${stopped.length} validators ended with ${exitCode.upgrade} once block ${height} was decided`,
    stopped.length === validators.length ? [] : [`${validators.length} should have ended so`],
  );
}

const namesOf = ({ network }: Drill, indices: readonly number[]): string =>
  indices.map((index) => network.name(index)).join(', ');

const kill = ({ network }: Drill, indices: readonly number[]): Promise<unknown> =>
  Promise.all(indices.map((index) => network.node(index).end('SIGKILL')));

const start = ({ network }: Drill, indices: readonly number[], options?: StartOptions): Promise<unknown> =>
  Promise.all(indices.map((index) => network.start(index, options)));
