/** How much of a network a phase takes away: what may be promised follows from it. All validators weigh the same here. */
import { disturbed, stopped } from './effects.ts';
import type { Fault, Link } from './faults.ts';

/** Bounds of Byzantine agreement for n equal validators: fewer than a third may be faulty. */
export interface Limits {
  /** f: so many may be faulty while the others go on. */
  readonly faultyMax: number;
  /** So many decide: more than two thirds. */
  readonly quorum: number;
}

/** @param validators number of validators, each with the same power */
export const limitsOf = (validators: number): Limits => ({
  faultyMax: Math.floor((validators - 1) / 3),
  quorum: Math.floor((2 * validators) / 3) + 1,
});

/** Nodes of a network in the beginning. */
interface Size {
  readonly validators: number;
  /** Default none. */
  readonly followers?: number;
}

/** What happens at the same time: a phase. */
interface Faults {
  readonly faults: readonly Fault[];
}

/** Followers that are validators for the length of a phase. */
export const joined = ({ faults }: Faults): number[] =>
  faults.flatMap((fault) => (fault.kind === 'join' ? [fault.node] : []));

const nodesOf = ({ validators, followers = 0 }: Size): number[] => [...Array(validators + followers).keys()];

/** Validators of a phase: those of the beginning, and who joins. */
const membersOf = (phase: Faults, { validators }: Size): number[] => [...Array(validators).keys(), ...joined(phase)];

/** What holds both before and after somebody has joined. */
export function limitsDuring(phase: Faults, size: Size): Limits & { readonly members: number } {
  const members = membersOf(phase, size).length;
  const [before, after] = [limitsOf(size.validators), limitsOf(members)];
  return { members, faultyMax: Math.min(before.faultyMax, after.faultyMax), quorum: after.quorum };
}

/**
 * The fewest validators without which everybody else is up, on time and connected with everybody else, in both directions: those
 * that are down, and a smallest cover of the links that are cut. More than f of them may be more than the fewest.
 */
export function affectedValidators(phase: Faults, size: Size): number[] {
  const members = new Set(membersOf(phase, size));
  const affected = new Set(phase.faults.flatMap(disturbed).filter((node) => members.has(node)));
  const cuts = phase.faults.flatMap((fault) => cutLinks(fault, size));
  const open = cuts.filter(({ from, to }) => [from, to].every((node) => members.has(node) && !affected.has(node)));
  for (const validator of smallestCover(open, limitsDuring(phase, size).faultyMax)) affected.add(validator);
  return [...affected].toSorted((a, b) => a - b);
}

/** How many validators of the largest group of nodes are up and can all reach each other, directly or through each other. */
export const largestConnected = (phase: Faults, size: Size): number =>
  Math.max(0, ...connectedGroups(phase, size).map((group) => countMembers(group, phase, size)));

/** Nodes that are up, and connected with fewer validators than decide. */
export function minorities(phase: Faults, size: Size): number[] {
  const { quorum } = limitsDuring(phase, size);
  return connectedGroups(phase, size).flatMap((group) => (countMembers(group, phase, size) < quorum ? group : []));
}

function countMembers(group: readonly number[], phase: Faults, size: Size): number {
  const members = membersOf(phase, size);
  return group.filter((node) => members.includes(node)).length;
}

/**
 * Groups of nodes that are up and hear of each other, directly or through each other: followers hand blocks on as well. One direction is enough to be
 * joined: with what a validator hears something may be decided.
 */
function connectedGroups(phase: Faults, size: Size): readonly (readonly number[])[] {
  const down = new Set(phase.faults.flatMap(stopped));
  const cut = new Set(phase.faults.flatMap((fault) => cutLinks(fault, size)).map(({ from, to }) => `${from} ${to}`));
  const isJoined = (a: number, b: number): boolean => !cut.has(`${a} ${b}`) || !cut.has(`${b} ${a}`);
  let left = nodesOf(size).filter((index) => !down.has(index));
  const groups: number[][] = [];
  while (left.length > 0) {
    const group = left.slice(0, 1);
    // Grows while it is walked through.
    for (const member of group)
      group.push(...left.filter((other) => !group.includes(other) && isJoined(member, other)));
    groups.push(group);
    left = left.filter((index) => !group.includes(index));
  }
  return groups;
}

/** Links on which nothing travels while the fault lasts. */
export function cutLinks(fault: Fault, size: Size): readonly Link[] {
  if (fault.kind === 'cut') return fault.links;
  if (fault.kind !== 'partition') return [];
  const groupOf = new Map(
    fault.groups.flatMap((group, index) => group.map((validator) => [validator, index] as const)),
  );
  return allLinks(size).filter(({ from, to }) => {
    const [a, b] = [groupOf.get(from), groupOf.get(to)];
    return a !== undefined && b !== undefined && a !== b;
  });
}

/** Every directed link of a network. */
export const allLinks = (size: Size): Link[] =>
  nodesOf(size).flatMap((from) => nodesOf(size).flatMap((to) => (to === from ? [] : [{ from, to }])));

/** A smallest set of validators that touches every link; all ends when it has more than `sizeMax`. */
function smallestCover(links: readonly Link[], sizeMax: number): number[] {
  for (let size = 0; size <= sizeMax; size++) {
    const cover = coverOf(links, size);
    if (cover !== null) return cover;
  }
  return [...new Set(links.flatMap(({ from, to }) => [from, to]))];
}

/** One of the two ends of any link is in every cover. */
function coverOf(links: readonly Link[], sizeMax: number): number[] | null {
  const [first] = links;
  if (first === undefined) return [];
  if (sizeMax === 0) return null;
  for (const validator of [first.from, first.to]) {
    const rest = coverOf(
      links.filter(({ from, to }) => from !== validator && to !== validator),
      sizeMax - 1,
    );
    if (rest !== null) return [validator, ...rest];
  }
  return null;
}
