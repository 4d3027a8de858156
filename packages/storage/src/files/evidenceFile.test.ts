import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { openEvidenceFile } from './evidenceFile.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

const vote = (byte: string) => ({
  type: 'prevote' as const,
  height: 7 as Height,
  round: 0 as Round,
  blockHash: `0x${byte.repeat(32)}` as Hash,
  validator: `0x${'aa'.repeat(20)}` as Address,
  signature: new Uint8Array(65).fill(1),
});
const evidence: Evidence = { kind: 'duplicateVote', first: vote('11'), second: vote('22') };

describe('openEvidenceFile', () => {
  const inFile = (work: (path: string) => void): Promise<void> =>
    inTemporaryFolder((folder) => work(join(folder, 'evidence.bin')));

  it('reads what was written, also by another process, and nothing before that', async () => {
    await inFile((path) => {
      expect(openEvidenceFile(path).read()).toEqual([]);
      openEvidenceFile(path).write([evidence]);
      expect(openEvidenceFile(path).read()).toEqual([evidence]);
      openEvidenceFile(path).write([]);
      expect(openEvidenceFile(path).read()).toEqual([]);
    });
  });

  it('a damaged file is empty, wherever the damage is', async () => {
    await inFile((path) => {
      openEvidenceFile(path).write([evidence]);
      const bytes = new Uint8Array(readFileSync(path));
      for (let at = 0; at < bytes.length; at += 7) {
        writeFileSync(
          path,
          bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)),
        );
        expect([at, openEvidenceFile(path).read()]).toEqual([at, []]);
      }
      for (const length of [0, 3, 4, bytes.length - 1]) {
        writeFileSync(path, bytes.subarray(0, length));
        expect([length, openEvidenceFile(path).read()]).toEqual([length, []]);
      }
    });
  });
});
