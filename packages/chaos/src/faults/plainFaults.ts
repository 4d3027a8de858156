/** Faults that any network bears: of its processes, and of the ways between its nodes. */
import type { LinkRule } from '../link/shape.ts';
import type { Heal } from '../run/network.ts';
import type { Fault, Link, PlainFault } from '../schedule/faults.ts';
import { allLinks, cutLinks } from '../schedule/power.ts';
import { endAndStart, type FaultTarget, pause, shiftClock } from './processFaults.ts';

/** Puts faults of one kind in place. @returns how to undo it */
type Begin<Kind extends PlainFault['kind']> = (
  network: FaultTarget,
  fault: PlainFault & { readonly kind: Kind },
) => Promise<Heal>;

/** How each kind begins. */
export const plainBegins: { readonly [Kind in PlainFault['kind']]: Begin<Kind> } = {
  kill: (network, { validators }) => endAndStart(network, validators, 'SIGKILL'),
  stop: (network, { validators }) => endAndStart(network, validators, 'SIGTERM'),
  pause: (network, { validators }) => pause(network, validators),
  partition: (network, fault) => changeLinks(network, cutLinks(fault, network), { isCut: true }),
  cut: (network, { links }) => changeLinks(network, links, { isCut: true }),
  degrade: (network, fault) => changeLinks(network, linksOf(fault.links, network), ruleOf(fault)),
  reset: (network, { links, every_ms }) => resetLinks(network, linksOf(links, network), every_ms),
  clock: shiftClock,
};

/** Puts one of the faults in place that any network bears. @returns how to undo it */
export const beginPlainFault = (fault: PlainFault, network: FaultTarget): Promise<Heal> =>
  (plainBegins[fault.kind] as Begin<PlainFault['kind']>)(network, fault);

/** The directed links that a fault is about; `all` are those between any two nodes. */
const linksOf = (links: 'all' | readonly Link[], network: FaultTarget): readonly Link[] =>
  links === 'all' ? allLinks(network) : links;

/** Sets parts of the rules of links; healed, these parts are what they usually are, and others stay changed. */
async function changeLinks(network: FaultTarget, links: readonly Link[], change: Partial<LinkRule>): Promise<Heal> {
  const { mesh } = network.homes;
  mesh.change(links, change);
  const names = Object.keys(change) as (keyof LinkRule)[];
  return async () => mesh.restore(links, names);
}

/** Rule of a link that is to be slow, thin or lossy: parts that the fault leaves out are 0, which is not felt. */
function ruleOf(fault: Fault & { readonly kind: 'degrade' }): Partial<LinkRule> {
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
async function resetLinks(network: FaultTarget, links: readonly Link[], everyMs: number): Promise<Heal> {
  const { mesh } = network.homes;
  mesh.reset(links);
  const timer = setInterval(() => mesh.reset(links), everyMs);
  return network.untilClosed(async () => clearInterval(timer));
}
