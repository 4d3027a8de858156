import type { StorageDamage } from './disk.ts';
import type { MembershipDamage } from './membership.ts';

/** One damage each to what a node keeps on disk, as someone might do by mistake. Kinds of log entries: see walEntry.ts. */
export const storageMutants: readonly { readonly name: string; readonly damage: StorageDamage }[] = [
  { name: 'the log is not synced', damage: { skipSync: 'log' } },
  { name: 'signatures are not recorded', damage: { skipSignState: true } },
  { name: 'the begin of a height is not logged', damage: { unloggedKind: 1 } },
  { name: 'votes are not logged', damage: { unloggedKind: 2 } },
  { name: 'proposals are not logged', damage: { unloggedKind: 3 } },
  { name: 'timeouts are not logged', damage: { unloggedKind: 4 } },
  { name: 'certificates are not logged', damage: { unloggedKind: 5 } },
  { name: 'the log is not replayed', damage: { forgetLog: true } },
  { name: 'blocks are not synced', damage: { skipSync: 'blocks' } },
];

/** Seeds within which each of them is noticed. */
export const storageMutantSeeds = 120;

/** One mistake each in what nodes make of changing validators. */
export const membershipMutants: readonly { readonly name: string; readonly damage: MembershipDamage }[] = [
  { name: 'a validator is convicted again and again', damage: { convictsTwice: true } },
  { name: 'a change counts one block late', damage: { activatesLate: true } },
  { name: 'the old signer counts after a rotation', damage: { keepsOldSigner: true } },
  { name: 'anybody may be jailed, however few remain', damage: { jailsEveryone: true } },
];

/** Seeds within which each of them is noticed. */
export const membershipMutantSeeds = 20;
