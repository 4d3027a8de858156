import type { ChaosNetwork, Heal } from '../run/network.ts';
import type { Fault } from '../schedule/faults.ts';
import { attack, overload } from './attackFaults.ts';
import { damage, fillDisk, restore, stateSync, wipe } from './diskFaults.ts';
import { addStake, downtime, jailSelf, join, rotateSigner } from './membership.ts';
import { plainBegins } from './plainFaults.ts';
import { dieAtPoint, diverge, failThread, roll } from './processFaults.ts';

type Begin<Kind extends Fault['kind']> = (
  network: ChaosNetwork,
  fault: Fault & { readonly kind: Kind },
) => Promise<Heal>;

const begins: { readonly [Kind in Fault['kind']]: Begin<Kind> } = {
  ...plainBegins,
  damage,
  wipe,
  restore,
  crash_point: dieAtPoint,
  disk_full: fillDisk,
  thread: failThread,
  diverge,
  roll,
  attack,
  overload,
  join,
  stake: addStake,
  rotate_signer: rotateSigner,
  jail_self: jailSelf,
  downtime,
  state_sync: (network, { node }) => stateSync(network, node),
};

/** Puts a fault in place. @returns how to undo it */
export const beginFault = (fault: Fault, network: ChaosNetwork): Promise<Heal> =>
  (begins[fault.kind] as Begin<Fault['kind']>)(network, fault);
