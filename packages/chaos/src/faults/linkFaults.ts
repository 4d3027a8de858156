/** Faults of the ways between nodes. */
import type { LinkRule } from '../link/shape.ts';
import type { Fault, Link } from '../schedule/faults.ts';
import { allLinks } from '../schedule/power.ts';
import type { FaultTarget } from './faultTarget.ts';
import type { Heal } from '../run/network.ts';

/** The directed links that a fault is about; `all` are those between any two nodes. */
export const linksOf = (links: 'all' | readonly Link[], network: FaultTarget): readonly Link[] =>
  links === 'all' ? allLinks(network) : links;

/** Sets parts of the rules of links; healed, these parts are what they usually are, and others stay changed. */
export async function changeLinks(
  network: FaultTarget,
  links: readonly Link[],
  change: Partial<LinkRule>,
): Promise<Heal> {
  const { mesh } = network.homes;
  mesh.change(links, change);
  const names = Object.keys(change) as (keyof LinkRule)[];
  return async () => mesh.restore(links, names);
}

/** Rule of a link that is to be slow, thin or lossy: parts that the fault leaves out are 0, which is not felt. */
export function ruleOf(fault: Fault & { readonly kind: 'degrade' }): Partial<LinkRule> {
  const { latency_ms = 0, jitter_ms = 0, bytes_per_second = 0, loss_per_mille = 0, piece_bytes = 0 } = fault;
  return {
    latencyMs: latency_ms,
    jitterMs: jitter_ms,
    bytesPerSecond: bytes_per_second,
    lossPerMille: loss_per_mille,
    pieceBytes: piece_bytes,
  };
}

/** Cuts the open connections of links with a TCP reset, now and every `everyMs` until it is healed. */
export async function resetLinks(network: FaultTarget, links: readonly Link[], everyMs: number): Promise<Heal> {
  const { mesh } = network.homes;
  mesh.reset(links);
  const timer = setInterval(() => mesh.reset(links), everyMs);
  return network.untilClosed(async () => clearInterval(timer));
}
