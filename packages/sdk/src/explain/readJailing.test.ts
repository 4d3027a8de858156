import { describe, expect, it } from '@jest/globals';
import { definitions } from '@prime/rpc';
import { rpcError, stubNode } from '../testing/stubNode.ts';
import type { RegisteredValidator } from '../types/chain.ts';
import { readJailing } from './readJailing.ts';

const address = `0x${'11'.repeat(20)}` as const;
const other = `0x${'22'.repeat(20)}`;
const hash = `0x${'ab'.repeat(32)}`;
const hex = (value: number): string => `0x${value.toString(16)}`;
const validator: RegisteredValidator = {
  address,
  signer: address,
  publicKey: '0x',
  stake: 90n,
  votingPower: 90n,
  status: 'jailed',
  jailedUntilMs: 61_000,
  tombstoned: false,
  moniker: 'south',
  endpoint: null,
};
const exampleOf = (method: string): unknown => definitions.find(({ name }) => name === method)!.examples[0]!.result;

interface History {
  /** Kinds and stakes of what happened to it, each in a block of its own from `first` on. */
  readonly events: readonly (readonly [kind: string, stake: number, by: string | null])[];
  readonly first: number;
  /** Oldest block that the node keeps events of. */
  readonly oldest?: number;
  /** Of the blocks before the last event: whether it signed them. */
  readonly hasSigned?: (height: number) => boolean;
}

/** A node with a block each second. */
function nodeWith({ events, first, oldest = 1, hasSigned = () => false }: History) {
  return stubNode(({ method, params }) => {
    switch (method) {
      case 'prime_getDomainEvents': {
        const from = Number((params[0] as { fromBlock: string }).fromBlock);
        // Answered as a node does that prunes.
        if (from < oldest) throw rpcError(4444, 'pruned', { oldest: hex(oldest) });
        return events.map(([kind, stake, by], index) => ({
          block_number: hex(first + index),
          block_hash: hash,
          time_ms: '0x1388',
          index: '0x0',
          domain: 'validators',
          kind,
          transaction_hash: by,
          ticket: null,
          data: { validator: address, stake: hex(stake), power: hex(stake) },
        }));
      }
      case 'prime_getBlockByNumber': {
        const height = params[0] === 'latest' ? first + events.length : Number(params[0]);
        return { ...(exampleOf(method) as object), number: hex(height), timestamp_ms: hex(height * 1_000) };
      }
      case 'prime_validators':
        return [{ ...(exampleOf(method) as readonly object[])[0], address, stake: hex(100) }];
      case 'prime_getGenesis':
        return { staking: { downtimeWindowMs: 20_000, downtimeMinSignedBps: 5_000 } };
      case 'prime_getCommits': {
        const [from, count] = params.map(Number) as [number, number];
        return Array.from({ length: count }, (_, offset) => ({
          block_number: hex(from + offset),
          block_hash: hash,
          time_ms: '0x1388',
          timestamp_ms: hex((from + offset) * 1_000),
          proposer: other,
          round: '0x0',
          signers: hasSigned(from + offset) ? [other, address] : [other],
          missed_turns: [],
        }));
      }
      default:
        throw new Error(`nobody asks for ${method}`);
    }
  });
}

describe('why a validator is out, read from a node', () => {
  it('downtime: what was taken, by the set of that block, and without counting nothing of signatures', async () => {
    const { client, asked } = nodeWith({
      first: 600,
      events: [
        ['slashed', 90, null],
        ['jailed', 90, null],
      ],
    });
    const { jailing, headMs, oldestBlock } = await readJailing(client, validator);
    expect([headMs, oldestBlock]).toEqual([602_000, 1n]);
    expect(jailing).toEqual({
      block: 601n,
      timestampMs: 601_000,
      slashed: 10n,
      cause: { kind: 'downtime', signed: null, windowMs: 20_000, minSignedBps: 5_000 },
    });
    expect(asked.map(({ method }) => method)).not.toContain('prime_getCommits');
  });

  it('counts what it signed in the window that judged it, over as many answers as that takes', async () => {
    const window = { first: 600, events: [['jailed', 90, null]] } as const;
    const counted = async (hasSigned: (height: number) => boolean) => {
      const { client } = nodeWith({ ...window, hasSigned });
      const { jailing } = await readJailing(client, validator, { countsSigned: true });
      return (jailing!.cause as { readonly signed: unknown }).signed;
    };
    // Ten pieces of two seconds before that of block 600, without the last block before it.
    expect(await counted((height) => height % 4 === 0)).toEqual({ blocks: 19, signed: 5 });
    expect(await counted((height) => height < 580)).toEqual({ blocks: 19, signed: 0 });
    // Other signatures than the block had: no figures.
    expect(await counted(() => true)).toBeNull();
  });

  it('its own action, and joining', async () => {
    const own = nodeWith({ first: 5, events: [['jailed', 90, hash]] });
    expect((await readJailing(own.client, validator)).jailing?.cause).toEqual({ kind: 'own', transactionHash: hash });
    const joined = nodeWith({ first: 5, events: [['joined', 90, hash]] });
    expect((await readJailing(joined.client, validator)).jailing).toMatchObject({
      slashed: 0n,
      cause: { kind: 'joined' },
    });
  });

  it('asks a node that prunes for what it keeps', async () => {
    const { client } = nodeWith({ first: 40, oldest: 30, events: [] });
    expect(await readJailing(client, validator)).toMatchObject({ jailing: null, oldestBlock: 30n });
  });

  it('of one that is in the set: nothing', async () => {
    const { client } = nodeWith({ first: 5, events: [['jailed', 90, hash]] });
    expect((await readJailing(client, { ...validator, status: 'active' })).jailing).toBeNull();
  });
});
