import type { PlainFault } from '../schedule/faults.ts';
import { cutLinks } from '../schedule/power.ts';
import type { FaultTarget } from './faultTarget.ts';
import { changeLinks, linksOf, resetLinks, ruleOf } from './linkFaults.ts';
import type { Heal } from '../run/network.ts';
import { endAndStart, pause, shiftClock } from './processFaults.ts';

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
