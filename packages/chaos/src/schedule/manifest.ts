/**
 * What happens in a chaos run, as data: phases one after the other, each with faults that begin together, last for a while, are
 * healed, and with what the network promises meanwhile. The file that a run writes is one of these, so that it can be run again.
 */
import { phasePromises } from '@prime/audit';
import { presetBlockIntervalMs } from '@prime/config';
import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { ChaosError } from '../errors.ts';
import { changesPower, effects } from './effects.ts';
import { type Fault, faultSchema, linksNamed, nodesNamed } from './faults.ts';
import { affectedValidators, joined, largestConnected, limitsDuring } from './power.ts';

const rate = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000, description });

const loadSchema = Type.Object(
  {
    transfers: rate('EVM transfers a second.'),
    orders: rate('Resting orders a second; all but the newest hundred are cancelled again.'),
    trades: rate('Pairs of orders that match, a second.'),
    deposits: rate('Deposits of collateral a second.'),
    withdrawals: rate('Transfers of collateral to the EVM a second.'),
    bursts: rate('Times a second that one account places 63 to 257 orders and cancels all of them.'),
  },
  { additionalProperties: false },
);

const phaseSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    promise: Type.Union(
      phasePromises.map((promise) => Type.Literal(promise)),
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
    followers: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 5, description: 'Nodes without a part in consensus; default none.' }),
    ),
    patience: Type.Number({
      minimum: 0.1,
      maximum: 100,
      description: 'All deadlines are multiplied by it: 1 is what is promised, more is for machines that are busy.',
    }),
    block_interval_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000,
        description: `Least time between two blocks, as genesis has it; default ${presetBlockIntervalMs.local}, as on one machine.`,
      }),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description: 'Phases that have not begun so long after the first one are left out; default: none are.',
      }),
    ),
    load: loadSchema,
    phases: Type.Array(phaseSchema, { minItems: 1, maxItems: 100_000 }),
  },
  { additionalProperties: false, title: 'Manifest of prime testnet chaos' },
);

/** A whole run as its JSON file holds it; fields keep the names of the file. */
export type Manifest = Static<typeof manifestSchema>;

/** Faults that begin together, how long they last, and what the network promises meanwhile. */
export type Phase = Manifest['phases'][number];

/** How many writes a second the clients of a run make, by kind. */
export type Load = Manifest['load'];

/** Least time between two blocks where a manifest names none. */
export const usualBlockIntervalMs = presetBlockIntervalMs.local;

const isManifest = new Ajv({ discriminator: false, allErrors: false }).compile<Manifest>(manifestSchema);

const refuse = (words: string): ChaosError => new ChaosError(words, { code: 'CHAOS_MANIFEST_INVALID', reason: words });

/** Reads a manifest. @throws ChaosError `CHAOS_MANIFEST_INVALID` with the place and what is allowed there */
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
  const kinds: readonly string[] = faultSchema.anyOf.map((schema) => schema.properties.kind.const);
  for (const { instancePath } of errors) {
    const place = /^\/phases\/(\d+)\/faults\/(\d+)/.exec(instancePath);
    if (place === null) continue;
    const phases = (value as { phases: { faults: { kind?: unknown }[] }[] }).phases;
    const found = phases[Number(place[1])]?.faults[Number(place[2])];
    const index = kinds.indexOf(String(found?.kind));
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

/** Nodes of all kinds. */
const countNodes = ({ validators, followers = 0 }: Pick<Manifest, 'validators' | 'followers'>): number =>
  validators + followers;

/** What a schema can not say. @returns null when all is well */
function findContradiction(manifest: Manifest): string | null {
  const { validators, phases } = manifest;
  const nodes = countNodes(manifest);
  for (const [index, phase] of phases.entries()) {
    const where = `/phases/${index} (${phase.name})`;
    const wrong = phase.faults.flatMap(nodesNamed).find((node) => node >= nodes);
    if (wrong !== undefined) return `${where} names validator ${wrong}, there are 0 to ${nodes - 1}`;
    const toItself = phase.faults.flatMap(linksNamed).find(({ from, to }) => from === to);
    if (toItself !== undefined) return `${where} has a link from validator ${toItself.from} to itself`;
    const misplaced = phase.faults
      .map((fault) => roleProblem(fault, phase, validators))
      .find((words) => words !== null);
    if (misplaced !== undefined) return `${where} ${misplaced}`;
    const broken = promiseProblem(manifest, phase);
    if (broken !== null) return `${where} ${broken}`;
  }
  return null;
}

/** Whether a fault can happen to the node that it names. */
function roleProblem(fault: Fault, phase: Phase, validators: number): string | null {
  const [node = 0] = nodesNamed(fault);
  const members = [...Array(validators).keys(), ...joined(phase)];
  const { kind } = fault;
  const { only } = effects[kind];
  if (only === 'followers') return node < validators ? `has a ${kind} of node ${node}, which is no follower` : null;
  if (only === undefined) return null;
  if (!members.includes(node)) return `has a ${kind} of node ${node}, which is no validator`;
  return (kind === 'jail_self' || kind === 'downtime') && members.length < 5
    ? `has a ${kind} with ${members.length} validators; at least 4 have to be left`
    : null;
}

function promiseProblem(manifest: Manifest, phase: Phase): string | null {
  const { faultyMax, quorum, members } = limitsDuring(phase, manifest);
  const affected = affectedValidators(phase, manifest);
  // One after the other is down.
  const rolling = phase.faults.some(({ kind }) => kind === 'roll') ? 1 : 0;
  if (phase.promise === 'live' && affected.length + rolling > faultyMax)
    return `promises liveness with ${affected.length + rolling} of ${members} validators affected (${affected.join(', ')}); at most ${faultyMax}`;
  if (phase.promise !== 'halt') return null;
  if (phase.faults.some(({ kind }) => changesPower(kind)))
    return 'promises a halt while the power of validators changes';
  const connected = largestConnected(phase, manifest);
  return connected >= quorum
    ? `promises a halt, but ${connected} of ${members} validators are up and connected, and ${quorum} decide`
    : null;
}
