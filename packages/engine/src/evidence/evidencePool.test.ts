import { describe, expect, it } from '@jest/globals';
import { encodeEvidence, type Evidence, type StoredBlock, type Vote } from '@prime/codec';
import { accusedOf, type EvidenceVerdict } from '@prime/consensus';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { EvidencePool } from './evidencePool.ts';
import type { PeerMessage } from '../ports.ts';

const vote = (byte: string) => ({
  type: 'prevote' as const,
  height: 3 as Height,
  round: 0 as Round,
  blockHash: `0x${byte.repeat(32)}` as Hash,
  validator: `0x${'0a'.repeat(20)}` as Address,
  signature: new Uint8Array(65),
});
const evidence: Evidence = { kind: 'duplicateVote', first: vote('11'), second: vote('22') };

const decidedHash = `0x${'dd'.repeat(32)}` as Hash;
/** A block that was decided in round 1 with precommits of some. */
const decided = (height: number, validators: readonly Address[] = [], parents: readonly Address[] | null = null) => {
  const certificate = (of: number, signers: readonly Address[]) => ({
    height: of,
    round: 1,
    blockHash: decidedHash,
    signatures: signers.map((validator) => ({ validator, signature: new Uint8Array(65).fill(7) })),
  });
  const lastCommit = parents === null ? null : certificate(height - 1, parents);
  return {
    block: { header: { height }, lastCommit },
    certificate: certificate(height, validators),
  } as unknown as StoredBlock;
};

/** A pool whose execution does not answer, but fails when it is told to. */
function open() {
  const failures: unknown[] = [];
  let fail: (error: Error) => void = () => undefined;
  const judgeEvidence = () => new Promise<never>((_, reject) => void (fail = reject));
  const pool = new EvidencePool({
    execution: { judgeEvidence },
    evidence: { read: () => [evidence], write: () => undefined },
    network: { broadcast: () => undefined, punish: () => undefined },
    clock: { monotonicMs: () => 0 },
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
    pool.onCommit(decided(5));
    fail(new Error('broken'));
    await new Promise(setImmediate);
    expect(failures).toHaveLength(1);
  });
});

const accused = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
/** Against the validator of that number. */
const against = (index: number, height = 3): Evidence => {
  const [first, second] = ['11', '22'].map((byte) => ({
    ...vote(byte),
    height: height as Height,
    validator: accused(index),
  })) as [ReturnType<typeof vote>, ReturnType<typeof vote>];
  return { kind: 'duplicateVote', first, second };
};
const peer = accused(0xff);

/** A pool on a chain of five blocks; what execution says of evidence is up to the test. */
class Pool {
  verdict: (evidence: Evidence) => EvidenceVerdict = (evidence) => ({ ok: true, validator: accusedOf(evidence) });
  bytesMax = 16_384;
  nowMs = 0;
  judged = 0;
  stored: readonly Evidence[];
  readonly told: PeerMessage[] = [];
  readonly punished: (readonly [Address, string])[] = [];
  readonly pool: EvidencePool;

  constructor(stored: readonly Evidence[] = []) {
    this.stored = stored;
    const judgeEvidence = async (evidence: readonly Evidence[]) => {
      this.judged += evidence.length;
      return evidence.map((piece) => this.verdict(piece));
    };
    this.pool = new EvidencePool({
      execution: { judgeEvidence },
      evidence: { read: () => this.stored, write: (evidence: readonly Evidence[]) => void (this.stored = evidence) },
      network: {
        broadcast: (message: PeerMessage) => void this.told.push(message),
        punish: (who: Address, why: string) => void this.punished.push([who, why]),
      },
      clock: { monotonicMs: () => this.nowMs },
      bytesMax: () => this.bytesMax,
      head: () => 5 as Height,
      log: { info: () => undefined, warn: () => undefined } as never,
      onFatal: (error) => {
        throw error;
      },
    });
  }

  async hear(...messages: readonly (readonly Evidence[])[]): Promise<void> {
    for (const evidence of messages) this.pool.onGossip(peer, evidence);
    await new Promise(setImmediate);
  }
}

describe('evidence that a peer tells', () => {
  it('is kept, on the disk too, and told on', async () => {
    const one = new Pool();
    await one.hear([against(1)]);
    expect(one.stored).toEqual([against(1)]);
    expect(one.told).toEqual([{ kind: 'evidence', evidence: [against(1)] }]);
    expect(new Pool(one.stored).pool.hasDue).toBe(true);
    expect(one.punished).toEqual([]);
  });

  it('that is forged: the peer is punished, and nothing is kept', async () => {
    const one = new Pool();
    one.verdict = () => ({ ok: false, reason: 'a signature is wrong', forged: true });
    await one.hear([against(1)]);
    expect(one.punished).toEqual([[peer, 'forged evidence: a signature is wrong']]);
    expect([one.stored, one.told]).toEqual([[], []]);
  });

  it('that is only late: nothing is kept, and nobody is punished', async () => {
    const one = new Pool();
    one.verdict = () => ({ ok: false, reason: 'it is too old', forged: false });
    await one.hear([against(1)]);
    expect([one.punished, one.stored, one.told]).toEqual([[], [], []]);
  });

  it('a second piece against the same validator is not even judged', async () => {
    const one = new Pool([against(1)]);
    await one.hear([against(1, 4)]);
    expect([one.judged, one.stored]).toEqual([0, [against(1)]]);
  });

  it('is judged four messages a second and 16 pieces a message, and 100 pieces are kept', async () => {
    const one = new Pool();
    const message = (from: number): Evidence[] => Array.from({ length: 40 }, (_, index) => against(from + index));
    await one.hear(...[0, 100, 200, 300, 400, 500].map(message));
    expect(one.judged).toBe(4 * 16);
    one.nowMs = 1_000;
    await one.hear(...[1_000, 1_100, 1_200, 1_300, 1_400].map(message));
    expect(one.judged).toBe(8 * 16);
    expect(one.stored).toHaveLength(100);
  });
});

describe('a vote for a decided height', () => {
  const late = (index: number, changes: Partial<Vote> = {}): Vote => ({
    ...vote('11'),
    type: 'precommit',
    height: 5 as Height,
    round: 1 as Round,
    validator: accused(index),
    ...changes,
  });
  const proof = (index: number): Evidence => ({
    kind: 'duplicateVote',
    first: { ...late(index), blockHash: decidedHash, signature: new Uint8Array(65).fill(7) },
    second: late(index),
  });
  const open = (): Pool => {
    const one = new Pool();
    one.pool.onCommit(decided(4, [accused(1)]));
    one.pool.onCommit(decided(5, [accused(1)], [accused(1), accused(2)]));
    return one;
  };
  const hear = async (one: Pool, ...votes: readonly Vote[]): Promise<void> => {
    for (const each of votes) one.pool.onLateVote(peer, each);
    await new Promise(setImmediate);
  };

  it('that contradicts the certificate is evidence, and told', async () => {
    const one = open();
    await hear(one, late(1));
    expect(one.stored).toHaveLength(1);
    expect(one.stored.map(accusedOf)).toEqual([accused(1)]);
    expect(one.told).toEqual([{ kind: 'evidence', evidence: one.stored }]);
    expect([one.stored[0]!.first, one.stored[0]!.second]).toEqual(
      expect.arrayContaining([proof(1).first, proof(1).second]),
    );
  });

  it('for nil as well, and where only the next block tells of the precommit', async () => {
    const one = open();
    await hear(one, late(1, { blockHash: null }), late(2, { height: 4 as Height }));
    expect(one.stored.map(accusedOf)).toEqual([accused(1), accused(2)]);
  });

  it.each([
    ['is what it signed', { blockHash: decidedHash }],
    ['is a prevote', { type: 'prevote' }],
    ['is of another round', { round: 0 as Round }],
    ['is of a height that is not here', { height: 3 as Height }],
    ['is of somebody who did not sign the certificate', { validator: accused(2) }],
  ] as const)('is nothing when it %s', async (_what, changes) => {
    const one = open();
    await hear(one, late(1, changes));
    expect([one.judged, one.stored]).toEqual([0, []]);
  });

  it('with a signature that does not hold: nothing is kept, and who passed it on is not punished', async () => {
    const one = open();
    one.verdict = () => ({ ok: false, reason: 'a signature is wrong', forged: true });
    await hear(one, late(1));
    expect([one.judged, one.stored, one.punished]).toEqual([1, [], []]);
  });

  it('is judged four times a second, and not at all while evidence against the same validator waits', async () => {
    const one = open();
    one.verdict = () => ({ ok: false, reason: 'a signature is wrong', forged: true });
    await hear(one, ...Array.from({ length: 50 }, () => late(1)));
    expect(one.judged).toBe(4);
    one.nowMs = 1_000;
    one.verdict = (evidence) => ({ ok: true, validator: accusedOf(evidence) });
    await hear(one, late(1));
    await hear(one, late(1));
    expect([one.judged, one.stored.length]).toEqual([5, 1]);
  });

  it('is forgotten 128 blocks later', async () => {
    for (const [height, pieces] of [
      [132, 1],
      [133, 0],
    ] as const) {
      const one = open();
      for (let next = 6; next <= height; next++) one.pool.onCommit(decided(next));
      await hear(one, late(1));
      expect([height, one.stored.length]).toEqual([height, pieces]);
    }
  });
});

describe('evidence for the next block', () => {
  it('as many pieces as fit into its bytes; the others wait', async () => {
    const pieces = [against(1), against(2), against(3)];
    const one = new Pool(pieces);
    one.bytesMax = 2 * encodeEvidence(pieces[0]!).length;
    expect(await one.pool.select()).toEqual(pieces.slice(0, 2));
    expect(one.pool.hasDue).toBe(true);
    one.bytesMax = 16_384;
    expect(await one.pool.select()).toEqual(pieces);
  });

  it('not of a height that is not decided yet', async () => {
    const one = new Pool([against(1, 6), against(2, 5)]);
    expect(await one.pool.select()).toEqual([against(2, 5)]);
    expect(one.stored).toHaveLength(2);
  });

  it('what execution refuses by now is forgotten, on the disk too: once it stood in a block it waits no more', async () => {
    const one = new Pool([against(1), against(2)]);
    one.verdict = (evidence) =>
      accusedOf(evidence) === accused(1)
        ? { ok: false, reason: 'it is convicted already', forged: false }
        : { ok: true, validator: accusedOf(evidence) };
    one.pool.onCommit(decided(5));
    await new Promise(setImmediate);
    expect(one.stored).toEqual([against(2)]);
  });
});
