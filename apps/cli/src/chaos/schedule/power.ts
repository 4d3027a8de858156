/** How much of a network a phase takes away: what may be promised follows from it. All validators weigh the same here. */
import type { Fault, Link, Phase } from './manifest.ts';

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

/**
 * The fewest validators without which everybody else is up, on time and connected with everybody else, in both directions: those
 * that are down, and a smallest cover of the links that are cut. More than f of them may be more than the fewest.
 */
export function affectedValidators(phase: Pick<Phase, 'faults'>, validators: number): number[] {
  const affected = new Set(phase.faults.flatMap(disturbed));
  const cuts = phase.faults.flatMap((fault) => cutLinks(fault, validators));
  const open = cuts.filter(({ from, to }) => !affected.has(from) && !affected.has(to));
  for (const validator of smallestCover(open, limitsOf(validators).faultyMax)) affected.add(validator);
  return [...affected].toSorted((a, b) => a - b);
}

/** Size of the largest group of validators that are up and can all reach each other, directly or through each other. */
export const largestConnected = (phase: Pick<Phase, 'faults'>, validators: number): number =>
  Math.max(0, ...connectedGroups(phase, validators).map(({ length }) => length));

/**
 * Groups of validators that are up and hear of each other, directly or through each other. One direction is enough to be joined: with
 * what a validator hears something may be decided.
 */
export function connectedGroups(phase: Pick<Phase, 'faults'>, validators: number): readonly (readonly number[])[] {
  const down = new Set(phase.faults.flatMap(stopped));
  const cut = new Set(
    phase.faults.flatMap((fault) => cutLinks(fault, validators)).map(({ from, to }) => `${from} ${to}`),
  );
  const isJoined = (a: number, b: number): boolean => !cut.has(`${a} ${b}`) || !cut.has(`${b} ${a}`);
  let left = Array.from({ length: validators }, (_, index) => index).filter((index) => !down.has(index));
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

/** Validators that do not work at all while the fault lasts. */
function stopped(fault: Fault): readonly number[] {
  return fault.kind === 'kill' || fault.kind === 'stop' || fault.kind === 'pause' ? fault.validators : [];
}

/** Validators on which nobody may count while the fault lasts. */
function disturbed(fault: Fault): readonly number[] {
  switch (fault.kind) {
    case 'kill':
    case 'stop':
    case 'pause':
      return fault.validators;
    case 'clock':
    case 'damage':
    case 'wipe':
    case 'restore':
    case 'crash_point':
    case 'disk_full':
      return [fault.validator];
    case 'partition':
    case 'cut':
    // Slow, lossy and resetting links still deliver: rounds grow until they are long enough.
    case 'degrade':
    case 'reset':
      return [];
  }
}

/** Links on which nothing travels while the fault lasts. */
export function cutLinks(fault: Fault, validators: number): readonly Link[] {
  if (fault.kind === 'cut') return fault.links;
  if (fault.kind !== 'partition') return [];
  const groupOf = new Map(
    fault.groups.flatMap((group, index) => group.map((validator) => [validator, index] as const)),
  );
  return allLinks(validators).filter(({ from, to }) => {
    const [a, b] = [groupOf.get(from), groupOf.get(to)];
    return a !== undefined && b !== undefined && a !== b;
  });
}

/** Every directed link of a network. */
export const allLinks = (validators: number): Link[] =>
  Array.from({ length: validators }, (_, from) => from).flatMap((from) =>
    Array.from({ length: validators }, (_, to) => ({ from, to })).filter(({ to }) => to !== from),
  );

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
