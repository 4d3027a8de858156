import { describe, expect, it } from '@jest/globals';
import { encodeNativeTransaction, nativeSigningDigest } from '@prime/codec';
import { createCryptoProvider, keccak256, keccakHex, publicKeyToAddress } from '@prime/crypto';
import { createPrng, utf8ToBytes } from '@prime/primitives';
import type { Verifier } from './ports.ts';
import { Cluster } from './testing/cluster.ts';

const crypto = await createCryptoProvider();
/** Where virtual time begins: nonces of signed actions are times. */
const startMs = 1_700_000_000_000;
const customers = Array.from({ length: 40 }, (_, index) => keccak256(utf8ToBytes(`customer ${index}`)));

/** Signed by one of the customers. */
function signedAction({ genesis: { chainId } }: Cluster, index: number): Uint8Array {
  const key = customers[index % customers.length]!;
  const nonce = startMs + index;
  const account = publicKeyToAddress(crypto.publicKey(key));
  const unsigned = {
    chainId,
    nonce,
    expiresAt: 0,
    account,
    payload: { type: 'deposit', amount: BigInt(index + 1) },
    signatureKind: 'raw',
  } as const;
  return encodeNativeTransaction({ ...unsigned, signature: crypto.sign(nativeSigningDigest(unsigned), key) });
}

interface Counted {
  readonly cluster: Cluster;
  /** How often the processes of a node recovered the signer of an action, by its hash; the newest process. */
  readonly recoveries: readonly Map<string, number>[];
}

/**
 * Four validators whose checks take time, one after the other, as those of a machine do.
 *
 * @param msOf what one signature takes, ms of virtual time, by node
 */
async function counted(seed: number, msOf: readonly number[]): Promise<Counted> {
  const cluster = await Cluster.create(msOf.length, seed);
  const recoveries = msOf.map(() => new Map<string, number>());
  cluster.verifierOf = (index, verifier): Verifier => {
    const counts = (recoveries[index] = new Map());
    let last: Promise<unknown> = Promise.resolve();
    return {
      ...verifier,
      actions(raws) {
        for (const raw of raws) counts.set(keccakHex(raw), (counts.get(keccakHex(raw)) ?? 0) + 1);
        const passed = last.then(
          () => new Promise<void>((resolve) => cluster.time.after(msOf[index]! * raws.length, resolve)),
        );
        last = passed;
        return passed.then(() => verifier.actions(raws));
      },
    };
  };
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.nodes.every(({ index }) => cluster.height(index) >= 1), 10_000);
  return { cluster, recoveries };
}

const holdsAll = (cluster: Cluster, count: number) => (): boolean =>
  cluster.nodes.every(({ disk }) => disk.blocks.flatMap(({ block }) => block.actions).length >= count);

/** Recoveries of each node: how many, and of how many different actions. */
const totals = (recoveries: readonly Map<string, number>[]) =>
  recoveries.map((counts) => ({
    recovered: [...counts.values()].reduce((sum, count) => sum + count, 0),
    actions: counts.size,
  }));

describe('signatures that are recovered', () => {
  it('under a backlog: each once by each validator, however it hears of the action and however often', async () => {
    // The three others fall behind the one that the customers use, so that blocks hold what waits for its check there.
    const { cluster, recoveries } = await counted(401, [0.1, 3, 4, 5]);
    const prng = createPrng(401);
    const count = 900;
    const raws = Array.from({ length: count }, (_, index) => signedAction(cluster, index));
    // Gossip is lost now and then, and then only the proposal tells of it.
    cluster.link = (_from, _to, message) => message.kind !== 'actions' || prng.below(10) > 0;
    const answers: Promise<unknown>[] = [];
    for (let from = 0; from < count; from += 60) {
      for (const raw of raws.slice(from, from + 60))
        answers.push(cluster.nodes[0]!.engine!.submitTransaction(raw).catch((error: unknown) => error));
      await cluster.time.runUntil(() => false, 25);
    }
    expect(await cluster.time.runUntil(holdsAll(cluster, count), 120_000)).toBe(true);
    await cluster.time.runUntil(() => false, 30_000);
    expect((await Promise.all(answers)).every((answer) => typeof answer === 'string')).toBe(true);
    expect(cluster.nodes.map(({ fatal }) => fatal)).toEqual([null, null, null, null]);
    expect(totals(recoveries)).toEqual(recoveries.map(() => ({ recovered: count, actions: count })));
  });

  it('of what waits for long: nothing that is told again, by reminders or to who is connected anew, costs one more', async () => {
    const { cluster, recoveries } = await counted(402, [0.1, 0.1, 0.1, 0.1]);
    // Two and two: no block takes anything.
    const isCut = { now: true };
    cluster.connected = (one, other) => !isCut.now || one < 2 === other < 2;
    const count = 120;
    const answers = Array.from({ length: count }, (_, index) =>
      cluster.nodes[index % 2]!.engine!.submitTransaction(signedAction(cluster, index)),
    );
    await cluster.time.runUntil(() => false, 35_000);
    await Promise.all(answers);
    cluster.crash(2);
    isCut.now = false;
    await cluster.start(2);
    expect(await cluster.time.runUntil(holdsAll(cluster, count), 120_000)).toBe(true);
    await cluster.time.runUntil(() => false, 30_000);
    expect(totals(recoveries)).toEqual(recoveries.map(() => ({ recovered: count, actions: count })));
  });
});
