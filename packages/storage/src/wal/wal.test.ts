import { describe, expect, it } from '@jest/globals';
import { bytesToHex, createPrng, type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { codeOf } from '../testing/codeOf.ts';
import { SimulatedDisk } from '../testing/simulatedDisk.ts';
import { openWal } from './open.ts';
import {
  encodeMark,
  headerPayloadBytes,
  markPlace,
  putRecord,
  readMark,
  recordHeadBytes,
  recordType,
} from './walRecord.ts';

const genesisHash = `0x${'5a'.repeat(32)}` as Hash;
const fileBytes = 1024;
const h = (height: number): Height => height as Height;
const entry = (text: string): Uint8Array => utf8ToBytes(text);

const open = (disk: SimulatedDisk) => openWal('wal', { genesisHash, fileBytes, files: disk.layer });
const newDisk = (): SimulatedDisk => new SimulatedDisk(createPrng(1));

interface Replayed {
  readonly height: number;
  readonly entries: readonly string[];
}

function replayOf(disk: SimulatedDisk): Replayed | null {
  const wal = open(disk);
  const found = wal.replay();
  return found && { height: found.height, entries: found.entries.map((bytes) => new TextDecoder().decode(bytes)) };
}

/** Heights 1 to 5; the last one, in wal.2, has three batches: header and a, b | c | d, e. The process was killed, not closed. */
function sample(): { disk: SimulatedDisk; lastBatchAt: number; end: number } {
  const disk = newDisk();
  const wal = open(disk);
  for (const height of [1, 2, 3, 4]) {
    wal.beginHeight(h(height));
    wal.append(entry(`start of ${height}`));
    wal.sync();
    wal.append(entry(`end of ${height}`));
    wal.sync();
  }
  wal.beginHeight(h(5));
  for (const text of ['a', 'b']) wal.append(entry(text));
  wal.sync();
  wal.append(entry('c'));
  wal.sync();
  for (const text of ['d', 'e']) wal.append(entry(text));
  wal.sync();
  const record = recordHeadBytes + 1;
  const mark = recordHeadBytes + 16;
  const lastBatchAt = recordHeadBytes + headerPayloadBytes + 2 * record + mark + record;
  return { disk, lastBatchAt, end: lastBatchAt + mark + 2 * record };
}

const whole = ['a', 'b', 'c', 'd', 'e'];
const isPrefix = (part: readonly string[], all: readonly string[]): boolean =>
  part.length <= all.length && part.every((text, index) => text === all[index]);

describe('write-ahead log', () => {
  it('a new log has nothing to replay, an old one the entries of the newest height', () => {
    expect(replayOf(newDisk())).toBeNull();
    expect(replayOf(sample().disk)).toEqual({ height: 5, entries: whole });
  });

  it('opened again and again: goes on where it ended, in the same height', () => {
    const { disk } = sample();
    for (const text of ['f', 'g', 'h']) {
      const wal = open(disk);
      wal.append(entry(text));
      wal.close();
    }
    expect(replayOf(disk)).toEqual({ height: 5, entries: [...whole, 'f', 'g', 'h'] });
  });

  it('entries may be empty, and larger than the file was made', () => {
    const disk = newDisk();
    const wal = open(disk);
    wal.beginHeight(h(1));
    const large = 'x'.repeat(65 * fileBytes);
    for (const text of ['', large, '']) wal.append(entry(text));
    wal.close();
    expect(replayOf(disk)).toEqual({ height: 1, entries: ['', large, ''] });
  });

  it('a file that grew is cut back when its turn comes', () => {
    const disk = newDisk();
    const wal = open(disk);
    for (const height of [1, 2, 3, 4]) {
      wal.beginHeight(h(height));
      wal.append(entry(height === 1 ? 'x'.repeat(65 * fileBytes) : 'y'));
      wal.sync();
      if (height === 1) expect(disk.content('wal/wal.1').length).toBeGreaterThan(65 * fileBytes);
    }
    expect(disk.content('wal/wal.1').length).toBe(fileBytes);
  });

  it('a height begins without touching the disk, and each sync is one write and one sync', () => {
    const { disk } = sample();
    const wal = open(disk);
    const before = { writes: disk.writes, syncs: disk.syncs };
    wal.beginHeight(h(6));
    expect({ writes: disk.writes, syncs: disk.syncs }).toEqual(before);
    wal.append(entry('a'));
    wal.append(entry('b'));
    wal.sync();
    wal.sync();
    expect({ writes: disk.writes, syncs: disk.syncs }).toEqual({
      writes: before.writes + 1,
      syncs: before.syncs + 1,
    });
  });

  it('heights that are begun and never synced leave the newest synced one in place', () => {
    const { disk } = sample();
    const wal = open(disk);
    for (let height = 6; height < 20; height++) {
      wal.beginHeight(h(height));
      wal.append(entry('not durable'));
    }
    disk.powerCut();
    expect(replayOf(disk)).toEqual({ height: 5, entries: whole });
  });

  it('who never syncs has entries written once there are 8 MiB of them', () => {
    const disk = newDisk();
    const wal = open(disk);
    wal.beginHeight(h(1));
    for (let count = 0; count < 9; count++) wal.append(new Uint8Array(1 << 20));
    disk.powerCut();
    expect(open(disk).replay()?.entries.length).toBeGreaterThanOrEqual(8);
  });
});

describe('write-ahead log, damaged', () => {
  it('cut at any offset: the entries before the cut, or the height before when not even the header is whole', () => {
    const { disk, end } = sample();
    const content = disk.content('wal/wal.2');
    let shortest = whole.length;
    for (let size = end; size >= 0; size--) {
      disk.put('wal/wal.2', content.slice(0, size));
      const found = replayOf(disk);
      if (size < recordHeadBytes + headerPayloadBytes) {
        expect(found).toEqual({ height: 4, entries: ['start of 4', 'end of 4'] });
        continue;
      }
      expect(found?.height).toBe(5);
      expect(isPrefix(found!.entries, whole)).toBe(true);
      expect(found!.entries.length).toBeLessThanOrEqual(shortest);
      shortest = found!.entries.length;
    }
    expect(shortest).toBe(0);
  });

  it('any flipped bit before the last batch is refused, any in it drops a tail, any behind it is ignored', () => {
    const { disk, lastBatchAt, end } = sample();
    const content = disk.content('wal/wal.2');
    for (let bit = 0; bit < (end + 16) * 8; bit++) {
      const damaged = content.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      disk.put('wal/wal.2', damaged);
      const at = { bit, byte: bit >> 3 };
      if (bit >> 3 < lastBatchAt)
        expect({ ...at, code: codeOf(() => open(disk)) }).toEqual({ ...at, code: 'WAL_CORRUPT' });
      else {
        const found = replayOf(disk)!;
        expect({ ...at, height: found.height, prefix: isPrefix(found.entries, whole) }).toEqual({
          ...at,
          height: 5,
          prefix: true,
        });
        if (bit >> 3 >= end) expect(found.entries).toEqual(whole);
        else expect([3, 4]).toContain(found.entries.length);
      }
    }
  });

  it('closed in order: damage to the last batch is refused as well', () => {
    const { disk, lastBatchAt, end } = sample();
    const wal = open(disk);
    wal.append(entry('f'));
    wal.close();
    const content = disk.content('wal/wal.2');
    for (let byte = lastBatchAt; byte < end + recordHeadBytes + 16 + recordHeadBytes + 1; byte++) {
      const damaged = content.slice();
      damaged[byte]! ^= 0x10;
      disk.put('wal/wal.2', damaged);
      expect({ byte, code: codeOf(() => open(disk)) }).toEqual({ byte, code: 'WAL_CORRUPT' });
    }
  });

  it('damage to the files of older heights changes nothing', () => {
    const { disk } = sample();
    for (const path of ['wal/wal.0', 'wal/wal.1']) {
      const content = disk.content(path);
      for (let byte = 0; byte < 200; byte++) {
        const damaged = content.slice();
        damaged[byte]! ^= 0xff;
        disk.put(path, damaged);
        expect(replayOf(disk)).toEqual({ height: 5, entries: whole });
      }
      disk.put(path, content);
    }
  });

  it('two damaged headers, a missing file, files in the wrong place: refused', () => {
    const zeros = new Uint8Array(fileBytes);
    const twoHeaders = sample().disk;
    for (const path of ['wal/wal.0', 'wal/wal.1']) twoHeaders.put(path, zeros);
    expect(codeOf(() => open(twoHeaders))).toBe('WAL_CORRUPT');

    const missing = sample().disk;
    missing.remove('wal/wal.2');
    expect(codeOf(() => open(missing))).toBe('WAL_CORRUPT');

    const swapped = sample().disk;
    const first = swapped.content('wal/wal.0');
    swapped.put('wal/wal.0', swapped.content('wal/wal.1'));
    swapped.put('wal/wal.1', first);
    expect(codeOf(() => open(swapped))).toBe('WAL_CORRUPT');
  });

  it('a file of another log of the same network is refused', () => {
    const { disk } = sample();
    disk.put('wal/wal.0', sample().disk.content('wal/wal.0'));
    expect(codeOf(() => open(disk))).toBe('WAL_CORRUPT');
  });

  it('the log of another genesis is refused with both hashes', () => {
    const { disk } = sample();
    const other = `0x${'77'.repeat(32)}` as Hash;
    expect(() => openWal('wal', { genesisHash: other, fileBytes, files: disk.layer })).toThrow(
      expect.objectContaining({
        code: 'WAL_FOREIGN',
        message: expect.stringMatching(new RegExp(`${genesisHash}.*${other}`)),
      }),
    );
  });

  it('entries of an older height that stand exactly behind the newer ones stay dead', () => {
    const disk = newDisk();
    const wal = open(disk);
    for (const height of [1, 2, 3, 4]) {
      wal.beginHeight(h(height));
      for (const text of height === 4 ? ['x'] : ['a', 'b']) wal.append(entry(text));
      wal.sync();
    }
    expect(replayOf(disk)).toEqual({ height: 4, entries: ['x'] });
  });

  it('what a torn batch left behind stays dead when new entries end exactly before it', () => {
    const disk = newDisk();
    const wal = open(disk);
    wal.beginHeight(h(1));
    const torn = 'b'.repeat(recordHeadBytes + 16 + 1);
    for (const text of ['a', torn, 'c']) wal.append(entry(text));
    wal.sync();
    const content = disk.content('wal/wal.1');
    content[recordHeadBytes + headerPayloadBytes + recordHeadBytes + 1 + recordHeadBytes]! ^= 1;
    disk.put('wal/wal.1', content);
    const again = open(disk);
    expect(again.replay()?.entries.length).toBe(1);
    again.append(entry('B'));
    again.sync();
    expect(replayOf(disk)).toEqual({ height: 1, entries: ['a', 'B'] });
  });

  it('an intact record at another place than its own is not one', () => {
    const { disk, end } = sample();
    const content = disk.content('wal/wal.2');
    const record = recordHeadBytes + 1;
    content.copyWithin(end, end - record, end);
    disk.put('wal/wal.2', content);
    expect(replayOf(disk)).toEqual({ height: 5, entries: whole });
  });

  it('an entry that holds a mark made without the secret of the log does not count as one', () => {
    const disk = newDisk();
    const wal = open(disk);
    wal.beginHeight(h(1));
    wal.append(entry('before'));
    const firstAt = recordHeadBytes + headerPayloadBytes;
    const forgedAt = firstAt + recordHeadBytes + 'before'.length + recordHeadBytes;
    const guessed = new Uint8Array(8);
    const forged = new Uint8Array(recordHeadBytes + 16);
    const payload = encodeMark({ generation: 1, tag: guessed });
    putRecord(forged, 0, { type: recordType.mark, payload, place: markPlace(guessed, forgedAt) });
    wal.append(forged);
    wal.sync();
    const content = disk.content('wal/wal.1');
    expect(readMark(content, guessed, forgedAt)).not.toBeNull();
    content[firstAt + recordHeadBytes]! ^= 1;
    disk.put('wal/wal.1', content);
    expect(replayOf(disk)).toEqual({ height: 1, entries: [] });
  });
});

describe('write-ahead log on a disk that fails', () => {
  it('a failed write or sync surfaces with its cause, and nothing is written after it', () => {
    for (const failAfter of [0, 1]) {
      const { disk } = sample();
      const wal = open(disk);
      wal.append(entry('f'));
      disk.failAfter = failAfter;
      expect(() => wal.sync()).toThrow(
        expect.objectContaining({
          code: 'WAL_WRITE_FAILED',
          detail: { code: 'WAL_WRITE_FAILED', path: 'wal/wal.2', systemCode: 'KILLED' },
          cause: expect.objectContaining({ code: 'KILLED' }),
        }),
      );
      disk.failAfter = null;
      const { writes } = disk;
      expect(codeOf(() => wal.append(entry('g')))).toBe('WAL_WRITE_FAILED');
      expect(codeOf(() => wal.sync())).toBe('WAL_WRITE_FAILED');
      expect(codeOf(() => wal.beginHeight(h(6)))).toBe('WAL_WRITE_FAILED');
      wal.close();
      expect(disk.writes).toBe(writes);
    }
  });

  it('a log can not be made on a disk that refuses', () => {
    const disk = newDisk();
    disk.failAfter = 1;
    expect(codeOf(() => open(disk))).toBe('WAL_WRITE_FAILED');
  });

  it('use after close, and entries without a height, are mistakes of the caller', () => {
    const wal = open(newDisk());
    expect(codeOf(() => wal.append(entry('a')))).toBe('INVARIANT_BROKEN');
    wal.close();
    wal.close();
    expect(codeOf(() => wal.beginHeight(h(1)))).toBe('INVARIANT_BROKEN');
  });

  it('bytes of an entry are taken when it is appended', () => {
    const disk = newDisk();
    const wal = open(disk);
    const bytes = Uint8Array.of(1, 2, 3);
    wal.beginHeight(h(1));
    wal.append(bytes);
    bytes.fill(9);
    wal.sync();
    expect(open(disk).replay()?.entries.map(bytesToHex)).toEqual(['0x010203']);
  });
});
