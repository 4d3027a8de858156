import type { NetworkOptions } from './world.ts';

export interface NodeMutant {
  readonly name: string;
  readonly changes: Partial<NetworkOptions>;
  /** What the finding says, where it must be one and no other. */
  readonly expected?: RegExp;
  /** A seed that notices, where the first ones do not and runs are long. */
  readonly known?: number;
}

/** Faults for long enough that votes are passed on more than once. */
const longFaults = { faultsMs: 16_000, validatorCount: 4 } as const;
/** The log is gone: what remains is the sign-state. */
const withoutLog = { losesFolder: 'wal' } as const;

/** One damage each to what a node keeps on disk or believes, as someone might do by mistake. Kinds of log entries: see walEntry.ts. */
export const nodeMutants: readonly NodeMutant[] = [
  { name: 'the log is not synced', changes: { damage: { skipSync: 'log' } } },
  { name: 'the sign-state is not synced', changes: { damage: { skipSync: 'signState' }, ...withoutLog } },
  { name: 'blocks are not synced', changes: { damage: { skipSync: 'blocks' } } },
  { name: 'signatures are not recorded', changes: { damage: { signState: 'unwritten' } } },
  { name: 'the log is replayed without the sign-state', changes: { damage: { signState: 'unread' }, ...withoutLog } },
  {
    name: 'the sign-state is not brought up to the log at its replay',
    changes: { damage: { signState: 'not brought up' } },
  },
  { name: 'the begin of a height is not logged', changes: { damage: { unloggedKind: 1 } } },
  { name: 'votes are not logged', changes: { damage: { unloggedKind: 2 } } },
  { name: 'proposals are not logged', changes: { damage: { unloggedKind: 3 } } },
  { name: 'timeouts are not logged', changes: { damage: { unloggedKind: 4 } } },
  // Only a crash in a height that has seen many rounds shows it.
  { name: 'certificates are not logged', changes: { damage: { unloggedKind: 5 }, ...longFaults } },
  { name: 'the log is not replayed', changes: { damage: { forgetLog: true } } },
  {
    name: 'priorities of proposers are not carried to the next height',
    changes: { damage: { priorities: 'not carried' } },
  },
  { name: 'priorities of proposers are lost in a restart', changes: { damage: { priorities: 'not read' } } },
  { name: 'signatures of certificates are not checked', changes: { trustsSignatures: true } },
];

/** All of them run under these: more power cuts and less patience. */
export const harsh = { powerCuts: true, patienceMs: 60_000 } as const;

/** One mistake each in what nodes make of changing validators. */
export const membershipMutants: readonly NodeMutant[] = [
  {
    name: 'a validator is convicted again and again',
    changes: { membershipDamage: { convictsTwice: true } },
  },
  { name: 'a change counts one block late', changes: { membershipDamage: { activatesLate: true } } },
  { name: 'the old signer counts after a rotation', changes: { membershipDamage: { keepsOldSigner: true } } },
  {
    name: 'anybody may be jailed, however few remain',
    changes: { membershipDamage: { jailsEveryone: true } },
  },
];

/** Mistakes of programs around an upgrade. */
export const upgradeMutants: readonly NodeMutant[] = [
  {
    name: 'an old program goes on under a version that it does not know',
    changes: { upgradeDamage: { followsUnknown: true } },
  },
  { name: 'the new version is in force one block late', changes: { upgradeDamage: { activatesLate: true } } },
];

/** Mistakes in taking over what peers offer. */
export const syncMutants: readonly NodeMutant[] = [
  {
    name: 'a snapshot is accepted without comparing it with the verified header',
    changes: { trustsSnapshots: true },
    known: 10,
    // By what the node took for the state, and not by what came of it later.
    expected: /begins at block \d+ with root/,
  },
];

/** Mistakes in whom peers keep while validators change. */
export const departureMutants: readonly NodeMutant[] = [
  {
    name: 'peers let a validator go in the block in which it leaves',
    changes: { sessionDamage: { dropsLeavers: true } },
    expected: /no progress/,
  },
];

/** Mistakes in whom peers keep of two processes with the same keys. */
export const copyMutants: readonly NodeMutant[] = [
  {
    name: 'peers let the older of two living processes of one identity go',
    changes: { sessionDamage: { keepsNewer: true } },
    known: 7,
    expected: /double sign|two proposals|ends although it was there first/,
  },
];
