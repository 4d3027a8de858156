import { keccak256, keccakHex } from '@prime/crypto';
import { type Address, compareBytes, concatBytes, type Hash, hexToBytes } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import {
  address,
  flag,
  integer,
  listOf,
  nullable,
  oneOf,
  type StructCodec,
  struct,
  text,
  type ValueOf,
} from '../encoding/fieldCodecs.ts';
import {
  compressedKey,
  height,
  monikerBytesMax,
  timestampMs,
  wei,
  endpointFields,
} from '../encoding/protocolFields.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import type { Validator } from '../consensus/validators.ts';
import type { RecordWrite } from '../outcomes/outcomeTypes.ts';

/** The staking state as records: what the state database holds and the staking root commits to. docs/protocol/validators.md. */

/** From this height on the validator signs with this key; null: it is not in the set. */
const periodCodec = struct({ fromHeight: height, publicKey: nullable(compressedKey) });

const validatorCodec = struct({
  address,
  /** Compressed key of the signer, from the second block on after it was registered. */
  publicKey: compressedKey,
  stake: wei,
  moniker: text(monikerBytesMax),
  /** null for one of genesis that never told it. */
  endpoint: nullable(struct(endpointFields)),
  /** Who signs its price reports beside its signer. */
  oracleKey: nullable(address),
  /** Only who is `active` is in the set, from the second block on after it became so. */
  status: oneOf(['active', 'jailed', 'left']),
  /** Block time, ms, from which it may come back; of no meaning unless it is jailed. */
  jailedUntilMs: timestampMs,
  /** Signed two messages at one place: never comes back. */
  tombstoned: flag,
  /** Who signed for it at which heights, ascending; as far back as evidence reaches. */
  periods: listOf(periodCodec),
  /** Blocks of the downtime window that it did not sign, ascending by bucket. */
  missed: listOf(struct({ bucket: integer(), count: integer(1) })),
});
/** All that is remembered of a validator, also after it left. Stake is in wei. */
export interface StakedValidator extends ValueOf<typeof validatorCodec> {}

/** A validator as the staking state knows it, in the set or not. */
export interface RegisteredValidator
  extends Validator,
    Pick<StakedValidator, 'status' | 'jailedUntilMs' | 'tombstoned' | 'endpoint' | 'oracleKey'> {}
const unbondingCodec = struct({ id: integer(1), owner: address, amount: wei, releaseMs: timestampMs });
/** Stake on its way back to its owner; it still answers for what was signed before. */
export interface Unbonding extends ValueOf<typeof unbondingCodec> {}

const mark = struct({ bucket: integer(), height });
/** The first block of a piece of time. Pieces in which no block was made have none. */
export interface TimeMark extends ValueOf<typeof mark> {}

const clockCodec = struct({
  nextUnbondingId: integer(1),
  /** Pieces of the downtime window, ascending. */
  downtimeMarks: listOf(mark),
  /** Pieces of the time that evidence is good for, ascending. */
  evidenceMarks: listOf(mark),
  /** Power that was jailed in one downtime window. */
  jailing: struct({
    window: integer(),
    /** Of the set when the first one of the window was jailed. */
    totalPower: wei,
    jailedPower: wei,
  }),
});
/** What is known of time, and of what happens in it to all. */
export interface StakingClock extends ValueOf<typeof clockCodec> {}

/** The whole staking state, decoded. */
export interface StakingRecords {
  readonly validators: ReadonlyMap<Address, StakedValidator>;
  /** By id, ascending. */
  readonly unbondings: readonly Unbonding[];
  readonly clock: StakingClock;
}

const clockKey = Uint8Array.of(1);
const validatorKey = (of: Address): Uint8Array => concatBytes(Uint8Array.of(2), hexToBytes(of, 20));

function unbondingKey(id: number): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = 3;
  new DataView(key.buffer).setBigUint64(1, BigInt(id));
  return key;
}

interface StoredRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly valueHash: Uint8Array;
}

/** Records never change, so that each is encoded and hashed once. */
const storedForms = new WeakMap<object, StoredRecord>();

function storedForm<T extends object>(
  record: T,
  codec: StructCodec<T>,
  keyOf: (record: T) => Uint8Array,
): StoredRecord {
  const known = storedForms.get(record);
  if (known !== undefined) return known;
  const value = encodeRlp(codec.toRlp(record, 'record'));
  const stored = { key: keyOf(record), value, valueHash: keccak256(value) };
  storedForms.set(record, stored);
  return stored;
}

/** States never change either: a block asks for the root of one, and for what leads to it from the one before. */
const storedStates = new WeakMap<StakingRecords, readonly StoredRecord[]>();

/** All records in the order of their keys. */
function storedRecords(records: StakingRecords): readonly StoredRecord[] {
  const known = storedStates.get(records);
  if (known !== undefined) return known;
  const { clock, validators, unbondings } = records;
  const all = [
    storedForm(clock, clockCodec, () => clockKey),
    ...[...validators.values()].map((record) => storedForm(record, validatorCodec, (of) => validatorKey(of.address))),
    ...unbondings.map((record) => storedForm(record, unbondingCodec, ({ id }) => unbondingKey(id))),
  ];
  all.sort((a, b) => compareBytes(a.key, b.key));
  storedStates.set(records, all);
  return all;
}

/** keccak256 of the RLP list of [key, keccak256(value)] of all records, in the order of their keys. */
export const stakingRoot = (records: StakingRecords): Hash =>
  keccakHex(encodeRlp(storedRecords(records).map(({ key, valueHash }) => [key, valueHash])));

/** What has to be written to come from one state to another; all of it when there is none before. */
export function stakingWrites(before: StakingRecords | null, after: StakingRecords): RecordWrite[] {
  if (before === after) return [];
  const olds = before === null ? [] : storedRecords(before);
  const writes: RecordWrite[] = [];
  let next = 0;
  // Both are in the order of their keys.
  for (const { key, value } of storedRecords(after)) {
    while (next < olds.length && compareBytes(olds[next]!.key, key) < 0)
      writes.push({ key: olds[next++]!.key, value: null });
    const old = olds[next];
    const isKnown = old !== undefined && compareBytes(old.key, key) === 0;
    if (isKnown) next += 1;
    if (!isKnown || old.value !== value) writes.push({ key, value });
  }
  for (const { key } of olds.slice(next)) writes.push({ key, value: null });
  return writes;
}

/**
 * Reads all records of a state.
 *
 * @throws CodecError `CODEC_FIELD_INVALID`, `CODEC_RLP_MALFORMED` for what {@link stakingWrites} never wrote
 */
export function decodeStakingRecords(entries: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): StakingRecords {
  const validators = new Map<Address, StakedValidator>();
  const unbondings: Unbonding[] = [];
  let clock: StakingClock | null = null;
  for (const [key, value] of entries) {
    const item = decodeRlp(value);
    if (key[0] === 1) clock = clockCodec.fromRlp(item, 'clock');
    else if (key[0] === 2) {
      const validator = validatorCodec.fromRlp(item, 'validator');
      validators.set(validator.address, validator);
    } else if (key[0] === 3) unbondings.push(unbondingCodec.fromRlp(item, 'unbonding'));
    else invalidField('key', `unknown kind of staking record ${key[0]}`);
  }
  if (clock === null) return invalidField('clock', 'the record is missing');
  return { validators, unbondings: unbondings.sort((a, b) => a.id - b.id), clock };
}
