import type { Address, Prng } from '@prime/primitives';
import { shuffled } from '../../shuffled.ts';
import { createCorruption } from '../node/corruption.ts';
import { SimulatedNode } from '../node/node.ts';
import type { World } from '../world.ts';

const honestly = { isHonest: true, circle: null, corruption: null, isForgetful: false, hasWrongClock: false } as const;

const dribbling = { ...honestly, isHonest: false, isDribbling: true } as const;

/** Two seconds are beyond what blocks may be off; an hour is a clock nobody set. */
export const wrongClock = (prng: Prng): number =>
  (prng.chance(1, 2) ? 1 : -1) * (prng.chance(1, 2) ? 2_000 + prng.below(3_000) : 3_600_000);

/**
 * Less than a third follow no rules: twins that share a key, liars, and such as forget what they signed. What is left of that third may
 * have wrong clocks: honest, but of no help in finding blocks timely. One place of it is left free where a log may be lost: with it goes
 * the polka that a lock rests on, and who cannot show it is alone with its lock until more than two thirds of the others agree.
 */
export function populate(world: World): SimulatedNode[] {
  const { prng, addresses } = world;
  const faultyMax = Math.floor((addresses.length - 1) / 3);
  const { membership } = world.options;
  // Where members change there is always one to be convicted.
  const order = shuffled(addresses, prng);
  const { hasDivergent, hasDribblers, departure, hasCopy, profile } = world.options;
  const isCalm = hasDivergent || hasDribblers || departure !== null || hasCopy || profile !== null;
  const liars = membership ? 1 : faultyMax;
  const faultyCount = world.options.stateSync ? liars : membership ? 1 : prng.below(faultyMax + 1);
  const faulty = new Set(isCalm ? [] : order.slice(0, faultyCount));
  const offClockMax = world.options.losesFolder === 'wal' ? faultyMax - 1 : faultyMax;
  const offClock = new Set(
    !isCalm && prng.chance(1, 3) ? order.slice(faulty.size, Math.max(faulty.size, offClockMax)) : [],
  );
  world.seen.clocksOff += offClock.size;
  const skew = (): number => prng.below(401) - 200;
  const nodes: SimulatedNode[] = [];
  for (const [index, address] of addresses.entries()) {
    const common = { address, skewMs: skew() };
    if (hasDivergent && index === 0) {
      nodes.push(new SimulatedNode(world, { ...honestly, ...common, isHonest: false, isDivergent: true, label: 'd0' }));
      continue;
    }
    if (hasDribblers && index === 0) {
      nodes.push(new SimulatedNode(world, { ...dribbling, ...common, label: 'b0' }));
      continue;
    }
    if (!faulty.has(address)) {
      const hasWrongClock = offClock.has(address);
      const skewMs = hasWrongClock ? wrongClock(prng) : common.skewMs;
      nodes.push(new SimulatedNode(world, { ...honestly, ...common, skewMs, hasWrongClock, label: `n${index}` }));
      continue;
    }
    const style = world.options.stateSync ? 0 : membership && prng.chance(2, 3) ? 2 : prng.below(3);
    const rogue = {
      ...common,
      isHonest: false,
      circle: null,
      isForgetful: false,
      corruption: null,
      hasWrongClock: false,
    };
    world.seen[(['liars', 'forgetful', 'twins'] as const)[style]!] += 1;
    if (style === 0) {
      const corruption = createCorruption(world, address, prng.fork());
      nodes.push(new SimulatedNode(world, { ...rogue, label: `l${index}`, corruption }));
    } else if (style === 1) nodes.push(new SimulatedNode(world, { ...rogue, label: `f${index}`, isForgetful: true }));
    else
      for (const [half, circle] of circles(world, address).entries())
        nodes.push(new SimulatedNode(world, { ...rogue, label: `t${index}${'ab'[half]}`, circle }));
  }
  if (world.options.stateSync) nodes.push(follower(world, 's0'), follower(world, 's1'));
  const newcomer = [...world.keys.keys()].find((address) => !addresses.includes(address));
  if (newcomer !== undefined)
    nodes.push(new SimulatedNode(world, { ...honestly, address: newcomer, role: 'full', skewMs: skew(), label: 'j0' }));
  if (hasCopy) {
    const { address } = nodes[prng.below(nodes.length)]!;
    nodes.push(new SimulatedNode(world, { ...honestly, address, skewMs: skew(), label: 'c0', isCopy: true }));
  }
  if (hasDribblers) nodes.push(follower(world, 's0'), follower(world, 'b1', dribbling));
  return nodes;
}

/** @param label its number is that of its address, too */
function follower(world: World, label: string, manner: typeof honestly | typeof dribbling = honestly): SimulatedNode {
  const address = `0x${`${manner.isHonest ? 'f' : 'b'}${label.at(-1)}`.repeat(20)}` as Address;
  return new SimulatedNode(world, { ...manner, address, role: 'full', skewMs: 0, label });
}

/** Two halves of the others, so that each twin hears of something different. */
function circles(world: World, address: Address): Set<Address>[] {
  const others = shuffled(
    world.addresses.filter((other) => other !== address),
    world.prng,
  );
  const middle = Math.ceil(others.length / 2);
  return [new Set(others.slice(0, middle)), new Set(others.slice(middle - world.prng.below(2)))];
}
