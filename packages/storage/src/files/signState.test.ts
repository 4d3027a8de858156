import { describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSignRecord, encodeSignRecord, type SignStateRecord, type SignStateStore } from '@prime/engine';
import { bytesEqual, createPrng, type Hash, type Height, isPrimeError, noRound, type Round } from '@prime/primitives';
import fc from 'fast-check';
import { codeOf } from '../testing/codeOf.ts';
import { makeSealedSignState, openSignState } from './signState.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';
import { SimulatedDisk } from '../testing/simulatedDisk.ts';

const slotBytes = 4096;
/** Checksum, length, sequence, format, genesis. */
const headBytes = 49;
const path = 'sign-state.bin';
const hash = `0x${'ab'.repeat(32)}` as Hash;
const genesis = `0x${'9e'.repeat(32)}` as Hash;

const record = (height: number, round = 0, step: 1 | 2 | 3 = 1): SignStateRecord => ({
  height: height as Height,
  round: round as Round,
  step,
  signBytes: new Uint8Array(102).fill(height),
  signature: new Uint8Array(65).fill(round + 1),
  lockedRound: noRound,
  lockedValue: null,
  validRound: 0 as Round,
  validValue: hash,
});

/** Records of heights 1 to 3: the newest is in slot 1, the one before it in slot 0. */
function sample(): SimulatedDisk {
  const disk = new SimulatedDisk(createPrng(1));
  const store = openSignState(path, genesis, disk.layer);
  for (const height of [1, 2, 3]) store.write(record(height));
  return disk;
}

const heightIn = (disk: SimulatedDisk): number | undefined => openSignState(path, genesis, disk.layer).read()?.height;

describe('sign state', () => {
  it('without a file nothing was signed, and the file is made', () =>
    inTemporaryFolder((folder) => {
      const file = join(folder, 'deep', path);
      const store = openSignState(file, genesis);
      expect(store.read()).toBeNull();
      expect(statSync(file).size).toBe(2 * slotBytes);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      store.close();
      expect(openSignState(file, genesis).read()).toBeNull();
    }));

  it('of another network is refused by name, whatever was signed there', () =>
    inTemporaryFolder((folder) => {
      const file = join(folder, path);
      const other = `0x${'9f'.repeat(32)}` as Hash;
      openSignState(file, genesis).close();
      expect(codeOf(() => openSignState(file, other))).toBe('SIGN_STATE_FOREIGN');
      const store = openSignState(file, genesis);
      store.write(record(1));
      store.close();
      expect(() => openSignState(file, other)).toThrow(
        `is of the network with genesis ${genesis}, and this home is of ${other}`,
      );
      expect(openSignState(file, genesis).read()?.height).toBe(1);
    }));

  it('gives back what was written, now and when opened again', () =>
    inTemporaryFolder((folder) => {
      const file = join(folder, path);
      const store = openSignState(file, genesis);
      for (const each of [record(1), record(1, 0, 2), record(1, 3, 1), record(2)]) {
        store.write(each);
        expect(store.read()).toEqual(each);
        const again = openSignState(file, genesis);
        expect(again.read()).toEqual(each);
        again.close();
      }
      store.close();
      expect(statSync(file).size).toBe(2 * slotBytes);
    }));

  it('each write is one write and one sync', () => {
    const disk = sample();
    const store = openSignState(path, genesis, disk.layer);
    const { writes, syncs } = disk;
    store.write(record(4));
    expect([disk.writes - writes, disk.syncs - syncs]).toEqual([1, 1]);
  });

  it('a record that is not later than the newest is a mistake of the caller', () => {
    const store = openSignState(path, genesis, sample().layer);
    for (const each of [record(3), record(2, 5, 3)]) expect(codeOf(() => store.write(each))).toBe('INVARIANT_BROKEN');
    store.write(record(3, 0, 2));
  });
});

describe('sign state, damaged', () => {
  it('any flipped bit of the newest record gives the one before it, of the older one the newest', () => {
    const disk = sample();
    const content = disk.content(path);
    const used = headBytes + encodeSignRecord(record(3)).length;
    for (const slot of [0, 1])
      for (let bit = 0; bit < used * 8; bit++) {
        const damaged = content.slice();
        damaged[slot * slotBytes + (bit >> 3)]! ^= 1 << (bit & 7);
        disk.put(path, damaged);
        expect([slot, bit, heightIn(disk)]).toEqual([slot, bit, slot === 1 ? 2 : 3]);
      }
  });

  it('cut at any offset: the newest intact record, and refused once there is none', () => {
    const disk = sample();
    const content = disk.content(path);
    const used = headBytes + encodeSignRecord(record(3)).length;
    for (let size = content.length; size >= 0; size--) {
      // Between the records there is nothing to lose.
      if (size > slotBytes + used + 4 && size < 2 * slotBytes - 4) continue;
      if (size > used + 4 && size < slotBytes - 4) continue;
      disk.put(path, content.slice(0, size));
      const found = codeOf(() => heightIn(disk)) ?? heightIn(disk);
      const expected = size >= slotBytes + used ? 3 : size >= used ? 2 : 'SIGN_STATE_CORRUPT';
      expect([size, found]).toEqual([size, expected]);
    }
  });

  it('both slots bad is refused, also when they are zeros', () => {
    const disk = sample();
    disk.put(path, new Uint8Array(2 * slotBytes));
    expect(codeOf(() => openSignState(path, genesis, disk.layer))).toBe('SIGN_STATE_CORRUPT');
  });

  it('after one bad slot the next record goes over it', () => {
    for (const slot of [0, 1]) {
      const disk = sample();
      const content = disk.content(path);
      content.fill(0, slot * slotBytes, (slot + 1) * slotBytes);
      disk.put(path, content);
      openSignState(path, genesis, disk.layer).write(record(9));
      expect(heightIn(disk)).toBe(9);
      const after = disk.content(path);
      expect(after.subarray(slot * slotBytes, slot * slotBytes + 20).some((byte) => byte !== 0)).toBe(true);
    }
  });
});

describe('sign state of a backup', () => {
  const sealed = (disk: SimulatedDisk): SignStateStore => {
    makeSealedSignState(path, genesis, record(3), disk.layer);
    return openSignState(path, genesis, disk.layer);
  };

  it('is sealed with the record of the backup until it is unsealed, across records and restarts', () => {
    const disk = new SimulatedDisk(createPrng(1));
    const store = sealed(disk);
    expect([store.isSealed(), store.read()?.height]).toEqual([true, 3]);
    // What a remote signer knows raises it, and does not unseal it.
    store.write(record(5));
    const again = openSignState(path, genesis, disk.layer);
    expect([again.isSealed(), again.read()?.height]).toEqual([true, 5]);
    again.unseal();
    const last = openSignState(path, genesis, disk.layer);
    expect([again.isSealed(), last.isSealed(), last.read()?.height]).toEqual([false, false, 5]);
    last.unseal();
    last.write(record(6));
    expect(openSignState(path, genesis, disk.layer).read()?.height).toBe(6);
  });

  it('without a record, and of one network alone', () => {
    const disk = new SimulatedDisk(createPrng(1));
    makeSealedSignState(path, genesis, null, disk.layer);
    const store = openSignState(path, genesis, disk.layer);
    expect([store.isSealed(), store.read()]).toEqual([true, null]);
    expect(codeOf(() => openSignState(path, `0x${'ef'.repeat(32)}` as Hash, disk.layer))).toBe('SIGN_STATE_FOREIGN');
  });

  it('a power cut at any point of the unsealing leaves it sealed or not, with its record', () => {
    for (let failAfter = 0; failAfter < 4; failAfter++) {
      const disk = new SimulatedDisk(createPrng(failAfter));
      const store = sealed(disk);
      disk.failAfter = failAfter;
      const isDone = codeOf(() => store.unseal()) === null;
      disk.failAfter = null;
      disk.powerCut();
      const found = openSignState(path, genesis, disk.layer);
      expect([failAfter, found.read()?.height]).toEqual([failAfter, 3]);
      if (isDone) expect(found.isSealed()).toBe(false);
    }
  });
});

describe('sign state on a disk that fails', () => {
  it('a failed write or sync surfaces with its cause, and no more is written', () => {
    for (const failAfter of [0, 1]) {
      const disk = sample();
      const store = openSignState(path, genesis, disk.layer);
      disk.failAfter = failAfter;
      expect(() => store.write(record(4))).toThrow(
        expect.objectContaining({
          code: 'SIGN_STATE_WRITE_FAILED',
          cause: expect.objectContaining({ code: 'KILLED' }),
        }),
      );
      disk.failAfter = null;
      expect(store.read()?.height).toBe(3);
      expect(codeOf(() => store.write(record(5)))).toBe('INVARIANT_BROKEN');
      store.close();
    }
  });

  it('kills and power cuts at any point: the newest written record, or the one being written', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.nat(12), { minLength: 1, maxLength: 20 }), (seed, lives) => {
        const prng = createPrng(seed);
        const disk = new SimulatedDisk(prng.fork());
        let height = 0;
        let written = 0;
        for (const operations of lives) {
          disk.failAfter = operations;
          try {
            const store = openSignState(path, genesis, disk.layer);
            const found = store.read()?.height ?? 0;
            expect([written, height]).toContain(found);
            [written, height] = [found, found];
            for (;;) {
              height += 1;
              store.write(record(height));
              written = height;
            }
          } catch (error) {
            if (!isPrimeError(error) || error.code !== 'SIGN_STATE_WRITE_FAILED') throw error;
          }
          disk.failAfter = null;
          if (prng.chance(2, 3)) disk.powerCut();
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('record of the sign state', () => {
  const round = fc.integer({ min: -1, max: 0x7fffffff }).map((value) => value as Round);
  const value = fc.option(
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hash),
  );
  const records: fc.Arbitrary<SignStateRecord> = fc.record({
    height: fc.maxSafeNat().map((height) => height as Height),
    round: fc.nat(0x7fffffff).map((each) => each as Round),
    step: fc.constantFrom(1, 2, 3),
    signBytes: fc.uint8Array({ maxLength: 120 }),
    signature: fc.uint8Array({ minLength: 65, maxLength: 65 }),
    lockedRound: round,
    lockedValue: value,
    validRound: round,
    validValue: value,
  });

  it('decodes to what was encoded', () => {
    fc.assert(fc.property(records, (each) => expect(decodeSignRecord(encodeSignRecord(each))).toEqual(each)));
  });

  it('has one encoding: whatever else decodes is another record', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (each, at, change) => {
        const bytes = encodeSignRecord(each);
        bytes[at % bytes.length]! ^= change;
        const decoded = decodeSignRecord(bytes);
        expect(decoded === null || bytesEqual(encodeSignRecord(decoded), bytes)).toBe(true);
      }),
    );
  });

  it('refuses what is no record', () => {
    for (const bytes of [[], [0xc0], [0x80], [0xc3, 1, 2, 3], [0xff, 0xff]])
      expect(decodeSignRecord(Uint8Array.from(bytes))).toBeNull();
  });
});
