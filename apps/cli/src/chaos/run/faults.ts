import type { Fault, PlainFault } from '../schedule/faults.ts';
import { cutLinks } from '../schedule/power.ts';
import { attack, overload } from './attackFaults.ts';
import { damage, fillDisk, restore, stateSync, wipe } from './diskFaults.ts';
import type { FaultTarget } from './faultTarget.ts';
import { changeLinks, linksOf, resetLinks, ruleOf } from './linkFaults.ts';
import { addStake, downtime, jailSelf, join, rotateSigner } from './membership.ts';
import type { ChaosNetwork, Heal } from './network.ts';
import { diverge, dieAtPoint, endAndStart, failThread, pause, roll, shiftClock } from './processFaults.ts';

/** Puts one of the faults in place that any network bears. @returns how to undo it */
export async function beginPlainFault(fault: PlainFault, network: FaultTarget): Promise<Heal> {
  switch (fault.kind) {
    case 'kill':
      return endAndStart(network, fault.validators, 'SIGKILL');
    case 'stop':
      return endAndStart(network, fault.validators, 'SIGTERM');
    case 'pause':
      return pause(network, fault.validators);
    case 'partition':
    case 'cut':
      return changeLinks(network, cutLinks(fault, network), { isCut: true });
    case 'degrade':
      return changeLinks(network, linksOf(fault.links, network), ruleOf(fault));
    case 'reset':
      return resetLinks(network, linksOf(fault.links, network), fault.every_ms);
    case 'clock':
      return shiftClock(network, fault);
  }
}

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
