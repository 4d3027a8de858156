/**
 * What happens in a chaos run, as data: phases one after the other, each with faults that begin together, last for a while, are
 * healed, and with what the network promises meanwhile. The file that a run writes is one of these, so that it can be run again.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { CliError } from '../../errors.ts';
import { affectedValidators, largestConnected, limitsOf } from './power.ts';

const validatorIndex = Type.Integer({ minimum: 0, maximum: 31, description: 'Number of a validator, from 0.' });
const someValidators = Type.Array(validatorIndex, { minItems: 1, maxItems: 32, uniqueItems: true });
const directedLink = Type.Object(
  { from: validatorIndex, to: validatorIndex },
  { additionalProperties: false, description: 'What `from` sends to `to`; the other direction is another link.' },
);
const links = Type.Union([Type.Literal('all'), Type.Array(directedLink, { minItems: 1, maxItems: 1024 })]);
const whole = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });
const fault = <Kind extends string, Fields extends Parameters<typeof Type.Object>[0]>(
  kind: Kind,
  fields: Fields,
  description: string,
) => Type.Object({ kind: Type.Literal(kind), ...fields }, { additionalProperties: false, description });

/** What is done to the files of a stopped validator. */
export const damages = ['wal_tail', 'wal', 'sign_state_slot', 'sign_state', 'blocks', 'state'] as const;
export type Damage = (typeof damages)[number];
/** Folders that can be removed or replaced by older ones. */
export const folders = ['blocks', 'state', 'wal'] as const;

const faultSchema = Type.Union([
  fault('kill', { validators: someValidators }, 'SIGKILL; started again in the end.'),
  fault('stop', { validators: someValidators }, 'SIGTERM, which must end with exit code 0; started again in the end.'),
  fault('pause', { validators: someValidators }, 'SIGSTOP; SIGCONT in the end.'),
  fault(
    'partition',
    { groups: Type.Array(someValidators, { minItems: 2, maxItems: 32 }) },
    'No bytes between validators of different groups; who is in no group is not touched.',
  ),
  fault('cut', { links: Type.Array(directedLink, { minItems: 1, maxItems: 1024 }) }, 'No bytes on these links.'),
  fault(
    'degrade',
    {
      links,
      latency_ms: Type.Optional(whole(10_000, 'Added to every piece of data.')),
      jitter_ms: Type.Optional(whole(10_000, 'At most so much more, at random.')),
      bytes_per_second: Type.Optional(whole(1_000_000_000, 'Bandwidth; 0 is no limit.')),
      loss_per_mille: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 900, description: 'Pieces that come a retransmission (200 ms) later.' }),
      ),
      piece_bytes: Type.Optional(whole(65_536, 'Dribble: at most so many bytes at once, 20 ms apart; 0 is no limit.')),
    },
    'Slow, lossy or dribbling links.',
  ),
  fault(
    'reset',
    { links, every_ms: Type.Integer({ minimum: 50, maximum: 600_000 }) },
    'Connections that carry these links are reset (RST), again and again.',
  ),
  fault(
    'clock',
    { validator: validatorIndex, offset_ms: Type.Integer({ minimum: -604_800_000, maximum: 604_800_000 }) },
    'Restarted with a wall clock that is off; restarted with the right one in the end.',
  ),
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
    { validator: validatorIndex },
    'Blocks, state and log replaced by those of the beginning of the phase, the sign state kept: an observer until it is safe.',
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
]);

const rate = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000, description });

const loadSchema = Type.Object(
  {
    transfers: rate('EVM transfers a second.'),
    orders: rate('Resting orders a second; all but the newest hundred are cancelled again.'),
    trades: rate('Pairs of orders that match, a second.'),
    deposits: rate('Deposits of collateral a second.'),
    withdrawals: rate('Transfers of collateral to the EVM a second.'),
  },
  { additionalProperties: false },
);

const promises = ['live', 'halt', 'safe'] as const;

const phaseSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    promise: Type.Union(
      promises.map((promise) => Type.Literal(promise)),
      {
        description:
          'While the faults last: live, the validators that are not affected decide blocks; halt, nobody does; safe, neither is asked.',
      },
    ),
    hold_ms: Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'How long the faults last.' }),
    faults: Type.Array(faultSchema, { maxItems: 16 }),
  },
  { additionalProperties: false },
);

/** JSON Schema of a manifest; `prime testnet chaos --schema` prints it. */
export const manifestSchema = Type.Object(
  {
    format: Type.Literal('prime-chaos-1'),
    seed: Type.Integer({ minimum: 0, maximum: 0xffffffff, description: 'Of what is drawn during the run.' }),
    validators: Type.Integer({ minimum: 1, maximum: 32 }),
    patience: Type.Number({
      minimum: 0.1,
      maximum: 100,
      description: 'All deadlines are multiplied by it: 1 is what is promised, more is for machines that are busy.',
    }),
    load: loadSchema,
    phases: Type.Array(phaseSchema, { minItems: 1, maxItems: 10_000 }),
  },
  { additionalProperties: false, title: 'Manifest of prime testnet chaos' },
);

export type Manifest = Static<typeof manifestSchema>;
export type Phase = Manifest['phases'][number];
export type Fault = Phase['faults'][number];
export type Link = Static<typeof directedLink>;
export type Load = Manifest['load'];

const isManifest = new Ajv({ discriminator: false, allErrors: false }).compile<Manifest>(manifestSchema);

const refuse = (words: string): CliError => new CliError(words, { code: 'CLI_MANIFEST_INVALID', reason: words });

/** Reads a manifest. @throws CliError `CLI_MANIFEST_INVALID` with the place and what is allowed there */
export function parseManifest(text: string, name: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (!isManifest(value)) throw refuse(`${name}: ${describeFailure(value)}`);
  const problem = findContradiction(value);
  if (problem !== null) throw refuse(`${name}: ${problem}`);
  return value;
}

/** A union fails with one error per member; only that of the kind which was meant helps anyone. */
function describeFailure(value: unknown): string {
  const errors = isManifest.errors ?? [];
  const kinds = faultSchema.anyOf.map((schema) => schema.properties.kind.const);
  for (const { instancePath } of errors) {
    const place = /^\/phases\/(\d+)\/faults\/(\d+)/.exec(instancePath);
    if (place === null) continue;
    const phases = (value as { phases: { faults: { kind?: unknown }[] }[] }).phases;
    const found = phases[Number(place[1])]?.faults[Number(place[2])];
    const index = kinds.indexOf(found?.kind as (typeof kinds)[number]);
    if (index < 0) return `${place[0]}/kind must be one of ${kinds.join(', ')}`;
    const check = new Ajv().compile(faultSchema.anyOf[index]!);
    check(found);
    const [first] = check.errors ?? [];
    if (first !== undefined) return `${place[0]}${words(first)}`;
  }
  const [first] = errors;
  return first === undefined ? 'malformed' : words(first).trim();
}

function words(error: { instancePath: string; message?: string; params: Record<string, unknown> }): string {
  const unknown = error.params['additionalProperty'];
  const allowed = error.params['allowedValue'];
  const what = `${error.instancePath} ${error.message ?? 'is malformed'}`;
  if (typeof unknown === 'string') return `${what}: ${unknown}`;
  return allowed === undefined ? what : `${what}: ${JSON.stringify(allowed)}`;
}

/** What a schema can not say. @returns null when all is well */
function findContradiction(manifest: Manifest): string | null {
  const { validators, phases } = manifest;
  const { faultyMax, quorum } = limitsOf(validators);
  for (const [index, phase] of phases.entries()) {
    const where = `/phases/${index} (${phase.name})`;
    const wrong = phase.faults.flatMap(validatorsNamed).find((validator) => validator >= validators);
    if (wrong !== undefined) return `${where} names validator ${wrong}, there are 0 to ${validators - 1}`;
    const toItself = phase.faults.flatMap(linksNamed).find(({ from, to }) => from === to);
    if (toItself !== undefined) return `${where} has a link from validator ${toItself.from} to itself`;
    const affected = affectedValidators(phase, validators);
    if (phase.promise === 'live' && affected.length > faultyMax)
      return `${where} promises liveness with ${affected.length} of ${validators} validators affected (${affected.join(', ')}); at most ${faultyMax}`;
    const connected = largestConnected(phase, validators);
    if (phase.promise === 'halt' && connected >= quorum)
      return `${where} promises a halt, but ${connected} of ${validators} validators are up and connected, and ${quorum} decide`;
  }
  return null;
}

/** Validators that a fault names. */
function validatorsNamed(fault: Fault): readonly number[] {
  switch (fault.kind) {
    case 'kill':
    case 'stop':
    case 'pause':
      return fault.validators;
    case 'partition':
      return fault.groups.flat();
    case 'cut':
    case 'degrade':
    case 'reset':
      return linksNamed(fault).flatMap(({ from, to }) => [from, to]);
    case 'clock':
    case 'damage':
    case 'wipe':
    case 'restore':
    case 'crash_point':
    case 'disk_full':
      return [fault.validator];
  }
}

const linksNamed = (fault: Fault): readonly Link[] => ('links' in fault && fault.links !== 'all' ? fault.links : []);
