import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { getNetwork, type NetworkNodes } from '@prime/sdk';
import type { ExplorerNode } from '../node/node.ts';
import { ofNode } from './ofNode.ts';
import { createPoll, type Poll } from './poll.ts';
import { createShared, type Shared } from './shared.ts';

/**
 * How many looks in a row a validator was gone that the node had before. Whom it never had is not in it: a node may have no connection to
 * validators that are well.
 */
export type Absence = ReadonlyMap<string, number>;

/** Whom the node has a connection to, asked again while somebody looks. */
export interface Presence extends Shared {
  readonly absence: ReadonlySignal<Absence>;
}

const everyMs = 1_000;

/** What the node knows of the others. */
export const nodesOf: (node: ExplorerNode) => Poll<NetworkNodes> = ofNode((node) =>
  createPoll(() => getNetwork(node.client.sdk), everyMs),
);

/** @param before as it was after the look before */
export function absenceAfter(before: Absence, validators: NetworkNodes['validators']): Absence {
  const after = new Map<string, number>();
  for (const { address, isPresent } of validators) {
    const gone = before.get(address);
    if (isPresent) after.set(address, 0);
    else if (gone !== undefined) after.set(address, gone + 1);
  }
  return after;
}

/** Which validators went away while the page was open. */
export const presenceOf = ofNode((node): Presence => {
  const absence = signal<Absence>(new Map());
  const nodes = nodesOf(node);
  const shared = createShared(() => {
    const release = nodes.hold();
    const end = effect(() => {
      const known = nodes.value.value;
      if (known !== null) absence.value = absenceAfter(absence.peek(), known.validators);
    });
    return () => {
      end();
      release();
    };
  });
  return { absence, hold: () => shared.hold() };
});
