/** What can be rehearsed, in the order of the documents. Plain data: the command line lists it without loading what carries it out. */
export interface DrillKind {
  readonly name: string;
  readonly summary: string;
  /** What a drill that succeeds has shown, as a sentence. */
  readonly proves: string;
  /** Of the network that it starts. */
  readonly validators: number;
  readonly followers: number;
  readonly blockIntervalMs: number;
}

/** Blocks of a network on one machine. */
const fastMs = 50;
/** Where a height is agreed on ahead, and has to be some time away. */
const slowMs = 250;

const kind = (
  summary: string,
  proves: string,
  { validators = 4, followers = 0, blockIntervalMs = fastMs }: Partial<DrillKind> = {},
): Omit<DrillKind, 'name'> => ({ summary, proves, validators, followers, blockIntervalMs });

const kinds = {
  'rolling-restart': kind(
    'Stop and start every validator, one after the other',
    'The network can be restarted machine by machine: it goes on without any one validator, and nothing acknowledged is lost.',
  ),
  'rolling-upgrade': kind(
    'Agree on a protocol version and its height, exchange the programs one by one, and forget one of them',
    'An upgrade goes through while the network runs: the version changes at its height, and whoever was forgotten ends with 76, signs nothing beyond, and comes back.',
    { blockIntervalMs: slowMs },
  ),
  'rotate-signer': kind(
    'Give a running validator a new signer key, and restart it',
    'A hot key can be replaced without a pause: the votes in blocks are those of the new key, also after a restart.',
  ),
  'replace-machine': kind(
    'Lose a validator with its whole home, make it again from its keys, and rotate its key',
    'A validator outlives its machine: with a backup of its keys alone it fetches the chain, watches before it signs, and never signs twice.',
  ),
  'restore-backup': kind(
    'Back a running validator up, lose it later, and restore it',
    'The backup is good: the restored validator catches up, watches before it signs, and never signs what contradicts what it signed after the backup.',
  ),
  'rebuild-from-snapshot': kind(
    'Lose the blocks and the state of a validator and of a follower, and begin with a snapshot of peers',
    'A node need not execute everything: it begins with a snapshot that others took, proven from one trusted block, and agrees with them.',
    { followers: 1 },
  ),
  'lose-region': kind(
    'Lose fewer than a third of the validators, then a third or more, all at once',
    'With fewer than a third away the chain goes on; with a third or more it stands still, decides nothing, and goes on when they are back.',
    { validators: 6 },
  ),
  'resume-after-halt': kind(
    'Kill all validators at once and start them; then stop all at one agreed block, and start them again',
    'The network comes back from a power cut, and from a planned stop at one block, with everything that it had acknowledged.',
  ),
} as const satisfies Readonly<Record<string, Omit<DrillKind, 'name'>>>;

/** Name of a drill, as `prime drill` takes it. */
export type DrillName = keyof typeof kinds;

/** All drills with their names, in the order in which they are listed. */
export const drillKinds: readonly (DrillKind & { readonly name: DrillName })[] = (
  Object.keys(kinds) as DrillName[]
).map((name) => ({ name, ...kinds[name] }));
