import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { EvidencePool } from './evidencePool.ts';

const vote = (byte: string) => ({
  type: 'prevote' as const,
  height: 3 as Height,
  round: 0 as Round,
  blockHash: `0x${byte.repeat(32)}` as Hash,
  validator: `0x${'0a'.repeat(20)}` as Address,
  signature: new Uint8Array(65),
});
const evidence: Evidence = { kind: 'duplicateVote', first: vote('11'), second: vote('22') };

/** A pool whose execution does not answer, but fails when it is told to. */
function open() {
  const failures: unknown[] = [];
  let fail: (error: Error) => void = () => undefined;
  const judgeEvidence = () => new Promise<never>((_, reject) => void (fail = reject));
  const pool = new EvidencePool({
    ports: {
      execution: { judgeEvidence },
      evidence: { read: () => [evidence], write: () => undefined },
      network: { broadcast: () => undefined, punish: () => undefined },
      clock: { monotonicMs: () => 0 },
    } as never,
    bytesMax: () => 16_384,
    head: () => 5 as Height,
    log: { info: () => undefined, warn: () => undefined } as never,
    onFatal: (error) => failures.push(error),
  });
  return { pool, failures, fail: (error: Error) => fail(error) };
}

describe('execution that fails while evidence is judged', () => {
  it('ends the node', async () => {
    const { pool, failures, fail } = open();
    pool.onCommit();
    fail(new Error('broken'));
    await new Promise(setImmediate);
    expect(failures).toHaveLength(1);
  });
});
