/** What can be done to a network, as data: one member for each kind of fault. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { threadFaults, threadNames } from '@prime/node';

const validatorIndex = Type.Integer({
  minimum: 0,
  maximum: 63,
  description: 'Number of a validator, from 0; followers come after them.',
});
const whole = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });
const fault = <Kind extends string, Fields extends Parameters<typeof Type.Object>[0]>(
  kind: Kind,
  fields: Fields,
  description: string,
) => Type.Object({ kind: Type.Literal(kind), ...fields }, { additionalProperties: false, description });

/** What an attacker does: docs/chaos.md says it in words. */
export const attacks = [
  'garbage',
  'stall',
  'connections',
  'identity',
  'replay',
  'oversize',
  'frames',
  'votes',
  'requests',
] as const;

/** What an attacker from outside can do, as a manifest names it. */
export type AttackKind = (typeof attacks)[number];

/** What is done to the files of a stopped validator. */
export const damages = ['wal_tail', 'wal', 'sign_state_slot', 'sign_state', 'blocks', 'state'] as const;

/** Which file of a home is damaged, and how, as a manifest names it. */
export type Damage = (typeof damages)[number];
/** Folders that can be removed or replaced by older ones. */
export const folders = ['blocks', 'state', 'wal'] as const;

const someOf = <Node extends TSchema>(node: Node) => Type.Array(node, { minItems: 1, maxItems: 32, uniqueItems: true });
const linkOf = <Node extends TSchema>(node: Node) =>
  Type.Object(
    { from: node, to: node },
    { additionalProperties: false, description: 'What `from` sends to `to`; the other direction is another link.' },
  );
const listed = <Link extends TSchema>(link: Link) => Type.Array(link, { minItems: 1, maxItems: 1024 });
const linksOrAll = <Link extends TSchema>(link: Link) => Type.Union([Type.Literal('all'), listed(link)]);

/** Faults of processes and links that any network bears, with nodes named in one way or another. */
export const plainFaults = <Node extends TSchema>(node: Node) =>
  [
    fault('kill', { validators: someOf(node) }, 'SIGKILL; started again in the end.'),
    fault('stop', { validators: someOf(node) }, 'SIGTERM, which must end with exit code 0; started again in the end.'),
    fault('pause', { validators: someOf(node) }, 'SIGSTOP; SIGCONT in the end.'),
    fault(
      'partition',
      { groups: Type.Array(someOf(node), { minItems: 2, maxItems: 32 }) },
      'No bytes between validators of different groups; who is in no group is not touched.',
    ),
    fault('cut', { links: listed(linkOf(node)) }, 'No bytes on these links.'),
    fault(
      'degrade',
      {
        links: linksOrAll(linkOf(node)),
        latency_ms: Type.Optional(whole(10_000, 'Added to every piece of data.')),
        jitter_ms: Type.Optional(whole(10_000, 'At most so much more, at random.')),
        bytes_per_second: Type.Optional(whole(1_000_000_000, 'Bandwidth; 0 is no limit.')),
        loss_per_mille: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 900, description: 'Pieces that come a retransmission (200 ms) later.' }),
        ),
        piece_bytes: Type.Optional(
          whole(65_536, 'Dribble: at most so many bytes at once, 20 ms apart; 0 is no limit.'),
        ),
      },
      'Slow, lossy or dribbling links.',
    ),
    fault(
      'reset',
      { links: linksOrAll(linkOf(node)), every_ms: Type.Integer({ minimum: 50, maximum: 600_000 }) },
      'Connections that carry these links are reset (RST), again and again.',
    ),
    fault(
      'clock',
      { validator: node, offset_ms: Type.Integer({ minimum: -604_800_000, maximum: 604_800_000 }) },
      'Restarted with a wall clock that is off; restarted with the right one in the end.',
    ),
  ] as const;

const directedLink = linkOf(validatorIndex);

/** All that a phase may do, by `kind`. Validators are named by index from 0, durations are in ms. */
export const faultSchema = Type.Union([
  ...plainFaults(validatorIndex),
  fault(
    'damage',
    { validator: validatorIndex, what: Type.Union(damages.map((what) => Type.Literal(what))) },
    'Killed, its files damaged, started: it must refuse with exit code 78 or repair itself, and never serve anything wrong.',
  ),
  fault(
    'wipe',
    { validator: validatorIndex, folders: Type.Array(Type.Union(folders.map((name) => Type.Literal(name)))) },
    'Killed, folders removed, started: it fetches what it lacks.',
  ),
  fault(
    'restore',
    {
      validator: validatorIndex,
      sign_state: Type.Optional(
        Type.Union([Type.Literal('kept'), Type.Literal('old')], {
          description: 'Default kept; old is a home restored as a whole.',
        }),
      ),
    },
    'Blocks, state and log replaced by those of the beginning of the phase, the sign state kept or replaced too: an observer until it is safe.',
  ),
  fault(
    'crash_point',
    { validator: validatorIndex, at: Type.Integer({ minimum: 1, maximum: 1_000_000 }) },
    'Killed, and started so that it dies by itself at its n-th crash point (PRIME_CRASH_AT); started again in the end.',
  ),
  fault(
    'disk_full',
    { validator: validatorIndex, file_bytes: Type.Integer({ minimum: 65_536, maximum: 1 << 30 }) },
    'Started with a limit on the size of files (RLIMIT_FSIZE), so that writes begin to fail: it ends with exit code 74.',
  ),
  fault(
    'thread',
    {
      validator: validatorIndex,
      thread: Type.Union(threadNames.map((name) => Type.Literal(name))),
      how: Type.Union(threadFaults.map((how) => Type.Literal(how))),
    },
    'Killed, and started so that one of its threads fails (PRIME_THREAD_FAULT): it ends by itself with exit code 70; started again in the end.',
  ),
  fault(
    'diverge',
    { validator: validatorIndex },
    'Killed, and started so that it soon executes a block differently from the others (PRIME_DIVERGE_AT): it ends by itself with exit code 75; its state is removed and it is started again in the end.',
  ),
  fault(
    'roll',
    {
      program: Type.Optional(
        Type.String({ minLength: 1, description: 'main.js of another build; default is the own one.' }),
      ),
    },
    'All validators are stopped and started one by one, each only when the one before is back, as in an upgrade; those of the own build again in the end.',
  ),
  fault(
    'attack',
    {
      validator: validatorIndex,
      how: Type.Union(attacks.map((how) => Type.Literal(how))),
      per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Attempts; default 30.' })),
    },
    'Somebody without a part in the network attacks its p2p port.',
  ),
  fault(
    'overload',
    {
      validator: validatorIndex,
      clients: Type.Optional(Type.Integer({ minimum: 1, maximum: 256, description: 'Default 16.' })),
    },
    'Clients that send heavy calls, large batches and rubbish to its JSON-RPC as fast as they are answered.',
  ),
  fault(
    'join',
    {
      node: validatorIndex,
      power_percent: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Of the power of a first validator; default 90.' }),
      ),
    },
    'A follower becomes a validator (prime validator join, unjail); it leaves and is a follower again in the end.',
  ),
  fault(
    'stake',
    { validator: validatorIndex, percent: Type.Integer({ minimum: 1, maximum: 30 }) },
    'More stake (prime validator stake --add); taken out again in the end.',
  ),
  fault(
    'rotate_signer',
    { validator: validatorIndex },
    'Another key signs from now on (prime validator rotate-signer).',
  ),
  fault(
    'jail_self',
    { validator: validatorIndex },
    'Out of the set by its own will (prime validator jail-self); back in the end (unjail). Not with four validators: fewer are not allowed.',
  ),
  fault(
    'downtime',
    { validator: validatorIndex },
    'Killed for so long that it is slashed a little and jailed; started, and back by prime validator unjail in the end. With five validators or more.',
  ),
  fault(
    'state_sync',
    { node: validatorIndex },
    'A follower loses everything but its keys, and begins with a snapshot of the others.',
  ),
]);

/** One fault of a phase, told apart by `kind`. */
export type Fault = Static<typeof faultSchema>;
/** One of {@link plainFaults}. */
export type PlainFault = Static<ReturnType<typeof plainFaults<typeof validatorIndex>>[number]>;

/** A directed link, from the index of one node to that of another one. */
export type Link = Static<typeof directedLink>;

/** Links that a fault names one by one. */
export const linksNamed = (fault: Fault): readonly Link[] =>
  'links' in fault && fault.links !== 'all' ? fault.links : [];

/** Nodes that a fault names. */
export function nodesNamed(fault: Fault): readonly number[] {
  if ('validators' in fault) return fault.validators;
  if ('validator' in fault) return [fault.validator];
  if ('node' in fault) return [fault.node];
  if (fault.kind === 'partition') return fault.groups.flat();
  return linksNamed(fault).flatMap(({ from, to }) => [from, to]);
}
