import { decodeRlp, encodeRlp, type RlpItem } from '@prime/codec';
import {
  bytesEqual,
  bytesToBigint,
  bytesToHash,
  type Hash,
  type Height,
  type Hex,
  type Round,
} from '@prime/primitives';
import type { SignStateRecord } from '../ports.ts';

const fieldCount = 9;
const none = '0x' as Hex;

/**
 * `rlp([height, round, step, signBytes, signature, lockedRound + 1, lockedValue, validRound + 1, validValue])`; no round is 0, no
 * value is the empty string.
 */
export const encodeSignRecord = (record: SignStateRecord): Uint8Array =>
  encodeRlp([
    record.height,
    record.round,
    record.step,
    record.signBytes,
    record.signature,
    record.lockedRound + 1,
    record.lockedValue ?? none,
    record.validRound + 1,
    record.validValue ?? none,
  ]);

/** @returns null for anything but the one encoding of a record */
export function decodeSignRecord(bytes: Uint8Array): SignStateRecord | null {
  const fields = fieldsOf(bytes);
  if (fields === null) return null;
  const [height, round, step, signBytes, signature, lockedRound, lockedValue, validRound, validValue] = fields;
  const stepNumber = integerOf(step!);
  if (stepNumber !== 1 && stepNumber !== 2 && stepNumber !== 3) return null;
  const locked = valueOf(lockedValue!);
  const valid = valueOf(validValue!);
  if (locked === undefined || valid === undefined) return null;
  const record: SignStateRecord = {
    height: integerOf(height!) as Height,
    round: integerOf(round!) as Round,
    step: stepNumber,
    signBytes: signBytes!,
    signature: signature!,
    lockedRound: (integerOf(lockedRound!) - 1) as Round,
    lockedValue: locked,
    validRound: (integerOf(validRound!) - 1) as Round,
    validValue: valid,
  };
  const safe = [record.height, record.round, record.lockedRound, record.validRound].every(Number.isSafeInteger);
  return safe && bytesEqual(encodeSignRecord(record), bytes) ? record : null;
}

function fieldsOf(bytes: Uint8Array): readonly Uint8Array[] | null {
  let item: RlpItem;
  try {
    item = decodeRlp(bytes);
  } catch {
    return null;
  }
  if (!Array.isArray(item) || item.length !== fieldCount) return null;
  return item.every((field: RlpItem): field is Uint8Array => ArrayBuffer.isView(field)) ? item : null;
}

const integerOf = (bytes: Uint8Array): number => Number(bytesToBigint(bytes));

/** @returns undefined when it is neither a hash nor empty */
function valueOf(bytes: Uint8Array): Hash | null | undefined {
  if (bytes.length === 0) return null;
  return bytes.length === 32 ? bytesToHash(bytes) : undefined;
}
