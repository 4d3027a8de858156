import { describe, expect, it } from '@jest/globals';
import { decodeHeader, encodeHeader, type Header, headerHash } from '@prime/codec';
import { type Address, bytesToHex, type Hash, type Height, hexToBytes, type TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { blockMs, LightNetwork, members, startMs } from '../testing/lightNetwork.ts';
import { refusal } from '../testing/lightRefusal.ts';
import type { Hex } from '../types/primitives.ts';
import { LightClientError } from './errors.ts';
import {
  type ExpiredTrust,
  type LightBlock,
  type LightTrust,
  trustGenesis,
  verifyBlock,
  type VerifyBlockOptions,
} from './index.ts';

const network = new LightNetwork();
const nowMs = startMs + 3_000_000;
const block = network.block(5);
const root = trustGenesis(network.genesis);
const hashOf = (text: string): Hash => `0x${text.repeat(32)}` as Hash;
const hex = (bytes: Uint8Array): Hex => bytesToHex(bytes) as Hex;

const verify = (
  blocks: LightBlock | readonly LightBlock[],
  from: LightTrust = root,
  options: VerifyBlockOptions = {},
) => verifyBlock(from, { blocks, nowMs, ...options });

const kindOf = (blocks: LightBlock | readonly LightBlock[], from = root): string =>
  refusal(() => verify(blocks, from)).kind;

describe('a block that was decided', () => {
  it('is verified with genesis and nothing else', () => {
    const { trust, path, ...verified } = verifyBlock(network.genesis, { blocks: block, nowMs });
    const header = network.header(5);
    expect(verified).toEqual({
      number: 5n,
      hash: headerHash(header),
      parentHash: header.parentHash,
      timestampMs: startMs + 5 * blockMs,
      proposer: header.proposer,
      version: 1,
      round: 0,
      power: { signed: 4n, total: 4n },
      parentStateRoot: header.parentResults.stateRoot,
    });
    expect(path).toEqual([block]);
    expect(trust).toMatchObject({ blockNumber: 5, blockHash: verified.hash, genesisHash: network.hash, chainId: 77 });
  });

  it('is where verification goes on, after the trust was kept as JSON', () => {
    const kept = JSON.parse(JSON.stringify(verify(block).trust)) as LightTrust;
    expect(kept).toEqual(verify(block).trust);
    expect(verify(network.block(9), kept).trust.blockNumber).toBe(9);
    expect(refusal(() => verify(block, kept))).toMatchObject({
      kind: 'before_trust',
      data: { blockNumber: 5n, trusted: 5n },
    });
    expect(kindOf(network.block(4), kept)).toBe('before_trust');
  });

  it('is the end of a path, of which every block counts', () => {
    const path = [network.block(2), network.block(3), network.block(8)];
    expect(verify(path)).toMatchObject({ number: 8n, path });
    expect(kindOf([network.block(2), network.block(3, { signers: ['validator0'] }), network.block(8)])).toBe(
      'not_enough_power',
    );
    expect(kindOf([network.block(3), network.block(2)])).toBe('before_trust');
    expect(kindOf([])).toBe('malformed');
  });
});

describe('power', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `validator${index}`);

  it.each([
    // More than two thirds: of 3, 4, 9 and 10 that is 3, 3, 7 and 7.
    [3, 2, false],
    [3, 3, true],
    [4, 2, false],
    [4, 3, true],
    [9, 5, false],
    [9, 6, false],
    [9, 7, true],
    [10, 6, false],
    [10, 7, true],
    [10, 8, true],
  ])('of %i validators %i sign: believed is %s', (count, signing, isBelieved) => {
    const equal = new LightNetwork({ membersAt: () => members(...names(count).map(() => 1)) });
    const signed = equal.block(3, { signers: names(signing) });
    const from = trustGenesis(equal.genesis);
    const [power, total] = [BigInt(signing), BigInt(count)];
    if (isBelieved) expect(verify(signed, from).power).toEqual({ signed: power, total });
    else
      expect(refusal(() => verify(signed, from))).toMatchObject({
        kind: 'not_enough_power',
        data: { blockNumber: 3n, power, total, needed: '2/3', of: 'block' },
      });
  });

  it('counts by weight and not by heads: one of three validators has 2/3, and more', () => {
    for (const [weight, isBelieved] of [
      [3, false],
      [4, false],
      [5, true],
    ] as const) {
      const weighted = new LightNetwork({ membersAt: () => members(weight, 1, 1) });
      const attempt = () => verify(weighted.block(3, { signers: ['validator0'] }), trustGenesis(weighted.genesis));
      if (isBelieved) expect(attempt().power).toEqual({ signed: 5n, total: 7n });
      else expect(refusal(attempt).kind).toBe('not_enough_power');
    }
  });
});

describe('validators that change', () => {
  /** Of nine validators so many stay at height 10. */
  const changing = (staying: number) =>
    new LightNetwork({
      membersAt: (height) =>
        members(...Array.from({ length: 9 }, () => 1)).map((member, index) =>
          height < 10 || index < staying ? member : { ...member, name: `new ${member.name}` },
        ),
    });

  it.each([
    [2, false],
    [3, false],
    [4, true],
  ])('of nine that were known %i sign a later block: believed is %s', (staying, isBelieved) => {
    const chain = changing(staying);
    const attempt = () => verify(chain.block(20), trustGenesis(chain.genesis));
    if (isBelieved) expect(attempt().power).toEqual({ signed: 9n, total: 9n });
    else
      expect(refusal(attempt)).toMatchObject({
        kind: 'not_enough_power',
        data: { power: BigInt(staying), total: 9n, needed: '1/3', of: 'trust' },
      });
  });

  it('all of them: the block before names the new ones', () => {
    const chain = changing(0);
    const from = trustGenesis(chain.genesis);
    expect(verify([chain.block(9), chain.block(10), chain.block(30)], from).trust.validators).toEqual(
      verify([chain.block(9), chain.block(10)], from).trust.validators,
    );
    expect(kindOf([chain.block(8), chain.block(10)], from)).toBe('not_enough_power');
  });

  it('a set that the block before does not name: refused, whoever signed', () => {
    const [honest, liar] = [changing(9), changing(5)];
    expect(kindOf([honest.block(9), liar.block(10)], trustGenesis(honest.genesis))).toBe('wrong_validators');
  });
});

describe('time', () => {
  const trusting = (trustingPeriodMs: number | undefined, changes: Readonly<Record<string, unknown>> = {}) =>
    trustGenesis(new LightNetwork({ genesis: changes }).genesis, { trustingPeriodMs });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('a trust %i ms after its period: believed is %s', (lateMs, isBelieved) => {
    const from = trusting(10_000);
    const at = { nowMs: startMs + 10_000 + lateMs };
    if (isBelieved) expect(verify(block, from, at).number).toBe(5n);
    else
      expect(refusal(() => verify(block, from, at))).toMatchObject({
        kind: 'trust_expired',
        data: { blockNumber: 0n, expiredAtMs: startMs + 10_000 },
      });
  });

  it('the period is the unbonding time; without staking trust never ends', () => {
    expect(root.trustingPeriodMs).toBe(3_600_000);
    const [still, at] = [trusting(undefined, { staking: undefined }), { nowMs: startMs + 1e12 }];
    expect(still.trustingPeriodMs).toBeNull();
    const chain = new LightNetwork({ genesis: { staking: undefined } });
    expect(verify(chain.block(5), still, at).number).toBe(5n);
  });

  it('an expired trust with the quorum: more than 2/3 of the known power has to have signed', () => {
    const staying = (count: number) =>
      new LightNetwork({
        membersAt: (height) =>
          members(1, 1, 1, 1, 1, 1).map((member, index) =>
            height < 10 || index < count ? member : { ...member, name: `new ${member.name}` },
          ),
      });
    const options: { expiredTrust: ExpiredTrust; nowMs: number } = { expiredTrust: 'quorum', nowMs: startMs + 1e10 };
    const [four, five] = [staying(4), staying(5)];
    expect(verify(five.block(20), trustGenesis(five.genesis), options).number).toBe(20n);
    expect(refusal(() => verify(four.block(20), trustGenesis(four.genesis), options))).toMatchObject({
      kind: 'not_enough_power',
      data: { power: 4n, total: 6n, needed: '2/3', of: 'trust' },
    });
  });

  it('a block from the future, or not later than the trusted one', () => {
    const of = (timestampMs: number) => network.block(5, { header: { timestampMs: timestampMs as TimestampMs } });
    // Clocks may be ten seconds apart.
    expect(verify(of(nowMs + 10_000)).number).toBe(5n);
    expect(kindOf(of(nowMs + 10_001))).toBe('wrong_time');
    expect(verify(of(startMs + 1)).number).toBe(5n);
    for (const timestampMs of [startMs - 1, startMs])
      expect(refusal(() => verify(of(timestampMs)))).toMatchObject({ kind: 'wrong_time', data: { timestampMs } });
  });
});

describe('a header', () => {
  const header = decodeHeader(hexToBytes(block.commit.header));
  const other: { readonly [Field in keyof Header]: Header[Field] } = {
    version: 2,
    chainId: 78,
    height: 6 as Height,
    timestampMs: (header.timestampMs + 1) as TimestampMs,
    parentHash: hashOf('11'),
    proposer: `0x${'22'.repeat(20)}` as Address,
    validatorsHash: hashOf('33'),
    nextValidatorsHash: hashOf('44'),
    bodyRoot: hashOf('55'),
    lastCommitHash: hashOf('66'),
    evidenceHash: hashOf('77'),
    gasLimit: header.gasLimit + 1n,
    baseFee: header.baseFee + 1n,
    parentResults: { ...header.parentResults, stateRoot: hashOf('88') },
  };
  const forgeries: [string, Header][] = [
    ...Object.entries(other).map(([field, value]): [string, Header] => [field, { ...header, [field]: value }]),
    ...Object.entries({ receiptsRoot: hashOf('99'), eventsRoot: hashOf('aa'), gasUsed: 1n }).map(
      ([field, value]): [string, Header] => [
        field,
        { ...header, parentResults: { ...header.parentResults, [field]: value } },
      ],
    ),
  ];

  it('has all its fields in this test', () => {
    expect(Object.keys(other).toSorted()).toEqual(Object.keys(header).toSorted());
  });

  it.each(forgeries)('with another %s is not that of the certificate', (field, forged) => {
    const commit = { ...block.commit, header: hex(encodeHeader(forged)) };
    const kind = field === 'chainId' ? 'wrong_network' : 'wrong_block';
    expect(kindOf({ ...block, commit })).toBe(kind);
  });

  it.each(forgeries)('with another %s, and a certificate of its own, has none of the signatures', (field, forged) => {
    const commit = {
      ...block.commit,
      header: hex(encodeHeader(forged)),
      height: BigInt(forged.height),
      blockHash: headerHash(forged) as string as Hex,
    };
    const kinds = { chainId: 'wrong_network', validatorsHash: 'wrong_validators' } as const;
    expect(kindOf({ ...block, commit })).toBe(kinds[field as keyof typeof kinds] ?? 'wrong_signature');
  });
});

describe('a certificate', () => {
  const { commit, validators } = block;
  const withCommit = (changes: Partial<LightBlock['commit']>): LightBlock => ({
    commit: { ...commit, ...changes },
    validators,
  });
  const [first, second, ...rest] = commit.signatures as [
    LightBlock['commit']['signatures'][number],
    LightBlock['commit']['signatures'][number],
  ];

  it.each([
    ['another height', withCommit({ height: 6n }), 'wrong_block'],
    ['another block', withCommit({ blockHash: hashOf('12') as string as Hex }), 'wrong_block'],
    ['another round', withCommit({ round: 1 }), 'wrong_signature'],
    ['a round below 0', withCommit({ round: -1 }), 'wrong_signature'],
    ['a round that is no number', withCommit({ round: Number.NaN }), 'wrong_signature'],
    ['a round beyond what is signed', withCommit({ round: 2 ** 31 }), 'wrong_signature'],
    ['no signatures', withCommit({ signatures: [] }), 'not_enough_power'],
    ['two of four signatures', withCommit({ signatures: [first, second] }), 'not_enough_power'],
    ['a signature twice', withCommit({ signatures: [first, first, second, ...rest] }), 'wrong_signature'],
    ['signatures in another order', withCommit({ signatures: [second, first, ...rest] }), 'wrong_signature'],
    [
      'a signature by nobody of the set',
      withCommit({ signatures: [{ ...first, validator: `0x${'01'.repeat(20)}` }, second, ...rest] }),
      'wrong_signature',
    ],
    [
      'the signature of another one',
      withCommit({ signatures: [{ ...first, signature: second.signature }, second, ...rest] }),
      'wrong_signature',
    ],
    [
      'a signature that is too short',
      withCommit({ signatures: [{ ...first, signature: '0x01' }, second, ...rest] }),
      'wrong_signature',
    ],
    ['a header that is no header', withCommit({ header: '0xc0' }), 'malformed'],
    ['a header that is no hex', withCommit({ header: 'header' as Hex }), 'malformed'],
    ['more signatures than there are validators', withCommit({ signatures: Array(1_001).fill(first) }), 'malformed'],
  ] as const)('with %s', (_, forged, kind) => {
    expect(kindOf(forged)).toBe(kind);
  });

  it('of another network with the same validators and chain id', () => {
    const twin = new LightNetwork({ genesis: { networkName: 'twin' } });
    expect(twin.hash).not.toBe(network.hash);
    expect(kindOf(twin.block(5))).toBe('wrong_signature');
    expect(verify(twin.block(5), trustGenesis(twin.genesis)).number).toBe(5n);
  });

  it('of another chain id', () => {
    const other = new LightNetwork({ genesis: { chainId: 78 } });
    expect(refusal(() => verify(other.block(5)))).toMatchObject({
      kind: 'wrong_network',
      data: { expected: 77, actual: 78 },
    });
  });

  it('with any bit flipped: no signature is left over, even where the others are enough', () => {
    fc.assert(
      fc.property(fc.nat(commit.signatures.length - 1), fc.nat(519), (index, bit) => {
        const signatures = commit.signatures.map((signature, at) =>
          at === index ? { ...signature, signature: flipped(signature.signature, bit) } : signature,
        );
        // The last byte says which of two keys is recovered: consensus gives it one form, and checks no more of it.
        fc.pre(bit < 512 || bit % 8 !== 0);
        expect(kindOf(withCommit({ signatures }))).toBe('wrong_signature');
      }),
      { numRuns: 40 },
    );
  });

  it('a header with any bit flipped is refused, and never with another error', () => {
    fc.assert(
      fc.property(fc.nat(hexToBytes(commit.header).length * 8 - 1), (bit) => {
        expect(refusal(() => verify(withCommit({ header: flipped(commit.header, bit) })))).toBeInstanceOf(
          LightClientError,
        );
      }),
      { numRuns: 200 },
    );
  });
});

function flipped(text: Hex, bit: number): Hex {
  const bytes = hexToBytes(text);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return hex(bytes);
}

describe('validators beside a block', () => {
  const { commit, validators } = block;
  const [first, ...rest] = validators as [LightBlock['validators'][number]];
  const of = (list: LightBlock['validators']): LightBlock => ({ commit, validators: list });

  it.each([
    ['one with more power', of([{ ...first, votingPower: 2n }, ...rest]), 'wrong_validators'],
    ['one with another address', of([{ ...first, address: `0x${'05'.repeat(20)}` }, ...rest]), 'wrong_validators'],
    [
      'one with the key of another',
      of([{ ...first, publicKey: validators[1]!.publicKey }, ...rest]),
      'wrong_validators',
    ],
    ['one less', of(rest), 'wrong_validators'],
    ['one twice', of([first, ...validators]), 'wrong_validators'],
    ['another order', of(validators.toReversed()), 'wrong_validators'],
    ['none', of([]), 'wrong_validators'],
    ['a key that is none', of([{ ...first, publicKey: `0x02${'ff'.repeat(32)}` }, ...rest]), 'malformed'],
    ['negative power', of([{ ...first, votingPower: -1n }, ...rest]), 'malformed'],
    ['power beyond 256 bits', of([{ ...first, votingPower: 1n << 256n }, ...rest]), 'malformed'],
    ['an address that is none', of([{ ...first, address: '0x01' }, ...rest]), 'malformed'],
    ['too many to look at', of(Array(1_001).fill(first)), 'malformed'],
  ] as const)('%s', (_, forged, kind) => {
    expect(kindOf(forged)).toBe(kind);
  });
});
