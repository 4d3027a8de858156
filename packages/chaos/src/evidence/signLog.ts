import { existsSync } from 'node:fs';
import type { SignatureRecord, SignedStep } from '@prime/audit';
import { homePaths } from '@prime/config';
import { decodeWalEntry, type SignStateRecord } from '@prime/engine';
import { bytesToHex } from '@prime/primitives';
import { dumpWal, openSignState } from '@prime/storage';

/** Gathers signatures from wherever validators keep them; the same one found again is kept once. */
export class SignLog {
  readonly #records = new Map<string, SignatureRecord>();

  get records(): readonly SignatureRecord[] {
    return [...this.#records.values()];
  }

  add(record: SignatureRecord): void {
    const key = `${record.signer} ${record.height} ${record.round} ${record.step} ${record.value}`;
    if (!this.#records.has(key)) this.#records.set(key, record);
  }

  /**
   * Reads log and sign state of a home, of a running node as well: what is torn by a write that is under way ends the reading.
   *
   * @param signer address of the home's validator
   */
  collect(home: string, signer: string, name: string): void {
    const paths = homePaths(home);
    for (const record of signaturesInWal(paths.wal, name)) this.add(record);
    const newest = readSignState(paths.signState);
    if (newest !== null) this.add(recordOf(newest, signer, `sign state of ${name}`));
  }
}

/** What a validator signed according to its log; nothing where the log can not be read now. @param name of the validator */
export function signaturesInWal(folder: string, name: string): SignatureRecord[] {
  if (!existsSync(folder)) return [];
  const source = `log of ${name}`;
  try {
    return dumpWal(folder).flatMap(({ entries }) => entries.flatMap((bytes) => signaturesIn(bytes, source)));
  } catch {
    // A log that a phase has damaged or removed shows nothing; what was in it was read before.
    return [];
  }
}

function signaturesIn(bytes: Uint8Array, source: string): SignatureRecord[] {
  const entry = decodeWalEntry(bytes);
  if (entry.kind === 'proposal') {
    const { height, round, proposer, polRound, blockHash } = entry.proposal;
    return [{ signer: proposer, height, round, step: 'proposal', value: `${blockHash} pol ${polRound}`, source }];
  }
  const votes = entry.kind === 'vote' ? [entry.vote] : entry.kind === 'votes' ? entry.votes : [];
  return votes.map(({ validator, height, round, type, blockHash }) => ({
    signer: validator,
    height,
    round,
    step: type,
    value: blockHash ?? 'nil',
    source,
  }));
}

/** Nothing is written by opening it and reading. */
function readSignState(path: string): SignStateRecord | null {
  if (!existsSync(path)) return null;
  try {
    const store = openSignState(path, null);
    try {
      return store.read();
    } finally {
      store.close();
    }
  } catch {
    return null;
  }
}

const steps: Readonly<Record<1 | 2 | 3, SignedStep>> = { 1: 'proposal', 2: 'prevote', 3: 'precommit' };

/** What was signed stands at fixed places of the sign bytes (codec/signBytes.ts). */
function recordOf(record: SignStateRecord, signer: string, source: string): SignatureRecord {
  const { height, round, signBytes } = record;
  const step = steps[record.step];
  const view = new DataView(signBytes.buffer, signBytes.byteOffset);
  const value =
    step === 'proposal'
      ? `${bytesToHex(signBytes.subarray(74, 106))} pol ${view.getInt32(69)}`
      : signBytes[69] === 1
        ? bytesToHex(signBytes.subarray(70, 102))
        : 'nil';
  return { signer, height, round, step, value, source };
}
