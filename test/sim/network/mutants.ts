import type { StorageDamage } from './disk.ts';

/** One damage each to what a node keeps on disk, as someone might do by mistake. Kinds of log entries: see walEntry.ts. */
export const storageMutants: readonly { readonly name: string; readonly damage: StorageDamage }[] = [
  { name: 'files are not synced', damage: { skipSync: true } },
  { name: 'signatures are not recorded', damage: { skipSignState: true } },
  { name: 'the begin of a height is not logged', damage: { unloggedKind: 1 } },
  { name: 'votes are not logged', damage: { unloggedKind: 2 } },
  { name: 'proposals are not logged', damage: { unloggedKind: 3 } },
  { name: 'timeouts are not logged', damage: { unloggedKind: 4 } },
  { name: 'certificates are not logged', damage: { unloggedKind: 5 } },
  { name: 'the log is not replayed', damage: { forgetLog: true } },
  { name: 'blocks are shown before they are durable', damage: { earlyBlocks: true } },
];

/** Seeds within which each of them is noticed. */
export const storageMutantSeeds = 120;
