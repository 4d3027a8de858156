/** Faults of a manifest, carried out against a network that runs here: by the machinery of chaos runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beginPlainFault, type FaultTarget, type Heal, type LinkMesh } from '@prime/chaos/plain';
import type { LocalNode } from './processes/localNode.ts';
import type { PlannedFault } from './manifest/plan.ts';

interface FaultyNetwork {
  readonly nodes: readonly LocalNode[];
  readonly mesh: LinkMesh;
  readonly size: { readonly validators: number; readonly followers: number };
}

/** What faults need of a network here. @param closing gets what goes on until it is ended */
function targetOf({ nodes, mesh, size }: FaultyNetwork, closing: Set<() => Promise<unknown>>): FaultTarget {
  return {
    ...size,
    homes: { mesh },
    node: (index) => nodes[index]!,
    start: (index, options) => nodes[index]!.start(options),
    untilClosed: (end) => {
      const once = async (): ReturnType<typeof end> => {
        closing.delete(once);
        return end();
      };
      closing.add(once);
      return once;
    },
  };
}

/**
 * Carries out faults, each at its time counted from now, one step after another: a step that takes long makes the next ones late. When the signal comes
 * nothing is healed any more: the nodes are ended as they are.
 */
export async function runFaults(
  faults: readonly PlannedFault[],
  network: FaultyNetwork,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const closing = new Set<() => Promise<unknown>>();
  const target = targetOf(network, closing);
  const begunMs = performance.now();
  const healing = new Map<PlannedFault, Heal>();
  for (const { atMs, kind, planned } of stepsOf(faults)) {
    const waitMs = atMs - (performance.now() - begunMs);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    if (kind === 'begin') {
      healing.set(planned, await beginPlainFault(planned.fault, target));
      say(`  fault at ${atMs / 1_000} s begins: ${planned.words}`);
    } else {
      await healing.get(planned)?.();
      healing.delete(planned);
      say(`  fault at ${planned.beginMs / 1_000} s is healed: ${planned.words}`);
    }
  }
  for (const end of closing) await end();
}

interface Step {
  readonly atMs: number;
  readonly kind: 'begin' | 'heal';
  readonly planned: PlannedFault;
}

/** What is over at a moment is healed before something else begins. */
function stepsOf(faults: readonly PlannedFault[]): Step[] {
  const steps = faults.flatMap((planned): Step[] => [
    { atMs: planned.beginMs, kind: 'begin', planned },
    { atMs: planned.endMs, kind: 'heal', planned },
  ]);
  return steps.toSorted((a, b) => a.atMs - b.atMs || (a.kind === b.kind ? 0 : a.kind === 'heal' ? -1 : 1));
}
