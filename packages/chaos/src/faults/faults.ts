import type { Fault } from '../schedule/faults.ts';
import { attack, overload } from './attackFaults.ts';
import { damage, fillDisk, restore, stateSync, wipe } from './diskFaults.ts';
import { addStake, downtime, jailSelf, join, rotateSigner } from './membership.ts';
import type { ChaosNetwork, Heal } from '../run/network.ts';
import { beginPlainFault } from './plainFaults.ts';
import { dieAtPoint, diverge, failThread, roll } from './processFaults.ts';

/** Puts a fault in place. @returns how to undo it */
export async function beginFault(fault: Fault, network: ChaosNetwork): Promise<Heal> {
  switch (fault.kind) {
    case 'damage':
      return damage(network, fault);
    case 'wipe':
      return wipe(network, fault);
    case 'restore':
      return restore(network, fault);
    case 'crash_point':
      return dieAtPoint(network, fault);
    case 'disk_full':
      return fillDisk(network, fault);
    case 'thread':
      return failThread(network, fault);
    case 'diverge':
      return diverge(network, fault.validator);
    case 'roll':
      return roll(network, fault.program);
    case 'attack':
      return attack(network, fault);
    case 'overload':
      return overload(network, fault);
    case 'join':
      return join(network, fault);
    case 'stake':
      return addStake(network, fault);
    case 'rotate_signer':
      return rotateSigner(network, fault);
    case 'jail_self':
      return jailSelf(network, fault);
    case 'downtime':
      return downtime(network, fault);
    case 'state_sync':
      return stateSync(network, fault.node);
    default:
      return beginPlainFault(fault, network);
  }
}
