import type { SimulatedNode } from '../node/node.ts';
import type { World } from '../world.ts';

/** Operators install the new program: some before the upgrade, some when their node has stopped, the last ones when the faults do. */
export function planUpgrade(world: World, honest: readonly SimulatedNode[]): void {
  const { upgrade, time, options } = world;
  if (upgrade === null) return;
  const prng = world.prng.fork();
  const untold = prng.chance(1, 2) ? honest[prng.below(honest.length)]! : null;
  for (const node of honest) {
    node.program = node === untold ? 'untold' : prng.chance(2, 3) ? 'old' : 'new';
    node.wasUntold = node === untold;
    node.onUpgradeNeeded = () => time.after(50 + prng.below(2_000), () => install(world, node));
    if (prng.chance(1, 3)) time.after(prng.below(options.faultsMs), () => install(world, node));
    time.after(options.faultsMs + prng.below(1_000), () => install(world, node));
  }
}

/** The process ends, if it runs, and starts with the new program in the same home. */
function install(world: World, node: SimulatedNode): void {
  if (node.program === 'new') return;
  if (node.isAlive) node.crash(false);
  node.program = 'new';
  world.seen.programsInstalled += 1;
  world.note(node.label, () => 'gets the new program');
  node.start();
}
