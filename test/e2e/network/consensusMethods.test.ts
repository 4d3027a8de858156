/** What pages ask about consensus, of four validators of which two go away: until no block comes any more, and then why. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const call = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
  rpc(testnet.url(0), method, params);
interface Commit {
  readonly block_number: string;
  readonly block_hash: string;
  readonly round: string;
  readonly proposer: string;
  readonly signers: readonly string[];
  readonly missed_turns: readonly string[];
}
interface Status {
  readonly waits_for: string;
  readonly since_ms: string | null;
  readonly now_ms: string;
  readonly current_round: {
    readonly proposer: string;
    readonly prevotes: { readonly missing: readonly string[] };
    readonly precommits: { readonly missing: readonly string[] };
  } | null;
}
interface Network {
  readonly validators: readonly {
    readonly moniker: string;
    readonly address: string;
    readonly present: boolean;
    readonly head: string | null;
  }[];
}
const commits = async (): Promise<Commit[]> => {
  const head = Number(await call<string>('eth_blockNumber'));
  return call('prime_getCommits', `0x${Math.max(1, head - 255).toString(16)}`, '0x100');
};

describe('what a node tells of consensus', () => {
  it('agrees with the certificates of the blocks', async () => {
    await until('blocks are decided', async () => (await commits()).length >= 3);
    for (const { block_number: number, block_hash: hash, round, signers } of (await commits()).slice(0, 3)) {
      const whole = await call<{ round: string; block_hash: string; signatures: { validator: string }[] }>(
        'prime_getCommit',
        number,
      );
      expect([whole.block_hash, whole.round]).toEqual([hash, round]);
      expect(whole.signatures.map(({ validator }) => validator)).toEqual(signers);
    }
    const { validators } = await call<Network>('prime_network');
    await until('everybody is known', async () =>
      (await call<Network>('prime_network')).validators.every(({ present, head }) => present && head !== null),
    );
    expect(validators.length).toBe(4);
  });

  it('names whose turn a round was that failed, and then whose votes are missing', async () => {
    const { validators } = await call<Network>('prime_network');
    const moniker = (name: string): string => validators.find((validator) => validator.moniker === name)!.address;
    const gone = [moniker('validator2'), moniker('validator3')];
    await testnet.kill(3, 'SIGKILL');
    await until('its turn failed', async () =>
      (await commits()).some(({ missed_turns: missed }) => missed.includes(gone[1]!)),
    );
    for (const { round, missed_turns: missed } of await commits()) expect(missed.length).toBe(Number(round));
    await until('it is away', async () => {
      const { validators: now } = await call<Network>('prime_network');
      return now.find(({ address }) => address === gone[1])?.present === false;
    });
    await testnet.kill(2, 'SIGKILL');
    const missing = async (): Promise<readonly string[]> => {
      const { waits_for: wait, current_round: round } = await call<Status>('prime_consensusStatus');
      // Of whom goes away between both votes, the first one may have come.
      if (wait === 'prevotes') return round!.prevotes.missing;
      return wait === 'precommits' ? round!.precommits.missing : [];
    };
    await until('votes of both are waited for', async () => (await missing()).length === 2);
    expect((await missing()).toSorted()).toEqual(gone.toSorted());
    const { since_ms: since, now_ms: now } = await call<Status>('prime_consensusStatus');
    expect(Number(now)).toBeGreaterThanOrEqual(Number(since));
    await testnet.start(2);
    const head = await call<string>('eth_blockNumber');
    await until('blocks come again', async () => Number(await call<string>('eth_blockNumber')) > Number(head) + 1);
  });
});
