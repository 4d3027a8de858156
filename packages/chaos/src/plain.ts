/** What any network on this machine bears: faults of its processes and links. Nothing here loads what carries a whole run out. */
export { LinkMesh } from './link/linkMesh.ts';
export { type LinkRule, plainLink } from './link/shape.ts';
export type { FaultTarget } from './faults/processFaults.ts';
export { Guard } from './run/guard.ts';
export { launchNode, type NodeStart } from './run/launchNode.ts';
export type { Heal } from './run/network.ts';
export type { Started } from './run/nodeProcess.ts';
export { beginPlainFault } from './faults/plainFaults.ts';
export { linksNamed, nodesNamed, type PlainFault, plainFaults } from './schedule/faults.ts';
export { allLinks, cutLinks } from './schedule/power.ts';
