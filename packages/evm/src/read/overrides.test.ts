import { describe, expect, it } from '@jest/globals';
import {
  type AccountOverride,
  type BlockOverrides,
  type CallMessage,
  type GenesisAccount,
  noBlockOverrides,
  type StateContext,
} from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import {
  type Address,
  bytesToBigint,
  bytesToHex,
  type Hash,
  type Height,
  hexToBytes,
  type TimestampMs,
} from '@prime/primitives';
import { privateKeyToAccount } from 'viem/accounts';
import { callOf, overrideOf } from '../testing/calls.ts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { allocateState } from '../block/genesisState.ts';
import { wordOf } from '../state/bytes.ts';
import { createMemoryDatabase } from '../testing/index.ts';
import { createStateReader } from './stateReader.ts';

const chainId = 7919;
const common = createCommon(chainId, createCustomCrypto(await cryptoProvider()));
const word = (value: bigint): Hash => bytesToHex(wordOf(value)) as Hash;
const at = (index: number): Address => `0x${index.toString(16).padStart(40, 'c')}` as Address;
const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: [] };
const code = (hex: string): Uint8Array => hexToBytes(`0x${hex.replaceAll(' ', '')}`);

const [slots, header, self, caller] = [at(1), at(2), at(3), at(4)];
const sha256 = `0x${'00'.repeat(19)}02` as Address;
const alloc: readonly GenesisAccount[] = [
  // Returns slots 0 and 1.
  {
    ...empty,
    address: slots,
    code: code('5f545f52 600154602052 60405ff3'),
    storage: [
      { slot: word(0n), value: word(10n) },
      { slot: word(1n), value: word(11n) },
    ],
  },
  // Returns NUMBER, TIMESTAMP, COINBASE, PREVRANDAO, GASLIMIT, BASEFEE and BLOBBASEFEE.
  {
    ...empty,
    address: header,
    code: code('435f52 42602052 41604052 44606052 45608052 4860a052 4a60c052 60e05ff3'),
  },
  // Returns the address and the balance of the account that runs it.
  { ...empty, address: self, code: code('305f52 47602052 60405ff3') },
];

const message = (fields: Partial<CallMessage>): CallMessage => callOf({ from: caller, ...fields });

const { stateRoot, writes } = allocateState(alloc);
const reader = await createStateReader({ database: createMemoryDatabase(writes), common, blockHashOf: () => null });
const context: StateContext = {
  height: 5 as Height,
  timestampMs: 1_700_000_000_500 as TimestampMs,
  proposer: at(0xee),
  gasLimit: 30_000_000n,
  baseFee: 1000n,
  parentHash: word(0xabcn),
  stateRoot,
};

async function words(fields: Partial<CallMessage>): Promise<bigint[]> {
  const outcome = await reader.call(message(fields), context);
  if (outcome.status !== 'success') throw new Error(JSON.stringify(outcome, (_, value) => String(value)));
  const { output } = outcome;
  return Array.from({ length: output.length / 32 }, (_, index) =>
    bytesToBigint(output.subarray(index * 32, index * 32 + 32)),
  );
}

describe('state overrides', () => {
  it('stateDiff changes one slot, state replaces the whole storage; neither stays', async () => {
    const changed = [{ slot: word(1n), value: word(99n) }];
    expect(await words({ to: slots, stateOverrides: [overrideOf(slots, { stateDiff: changed })] })).toEqual([10n, 99n]);
    expect(await words({ to: slots, stateOverrides: [overrideOf(slots, { state: changed })] })).toEqual([0n, 99n]);
    expect(await words({ to: slots })).toEqual([10n, 11n]);
  });

  it('code and balance of an account that does not exist', async () => {
    const stateOverrides = [overrideOf(at(77), { code: code('305f52 47602052 60405ff3'), balance: 5n })];
    expect(await words({ to: at(77), stateOverrides })).toEqual([BigInt(at(77)), 5n]);
  });

  it('a sender without money may pay with an assumed balance, in calls and estimates', async () => {
    const paying = { to: self, value: 7n, maxFeePerGas: 2000n, gas: 100_000n };
    expect((await reader.call(message(paying), context)).status).toBe('failure');
    const stateOverrides = [overrideOf(caller, { balance: 10n ** 18n })];
    expect(await words({ ...paying, stateOverrides })).toEqual([BigInt(self), 7n]);
    const estimated = await reader.estimateGas(message({ ...paying, stateOverrides }), context);
    expect(estimated).toMatchObject({ status: 'success', gasUsed: expect.any(BigInt) });
  });

  it('an estimate sees the assumed code and storage: writing a slot that is set costs less', async () => {
    const code0 = code('6001 5f55');
    const estimate = async (fields: Partial<AccountOverride>): Promise<bigint> => {
      const stateOverrides = [overrideOf(at(78), { code: code0, ...fields })];
      return (await reader.estimateGas(message({ to: at(78), stateOverrides }), context)).gasUsed;
    };
    const fresh = await estimate({});
    const set = await estimate({ state: [{ slot: word(0n), value: word(9n) }] });
    expect(fresh - set).toBeGreaterThan(15_000n);
  });

  it('a precompile answers at the address to which it is moved, and its own has no code', async () => {
    const data = Uint8Array.of(1);
    const moved = [overrideOf(sha256, { movePrecompileTo: at(79) })];
    const plain = await reader.call(message({ to: sha256, data }), context);
    expect(await reader.call(message({ to: at(79), data, stateOverrides: moved }), context)).toMatchObject({
      output: (plain as { output: Uint8Array }).output,
    });
    expect(await words({ to: sha256, data, stateOverrides: moved })).toEqual([]);
    const replaced = [overrideOf(sha256, { code: code('602a5f52 60205ff3') })];
    expect(await words({ to: sha256, data, stateOverrides: replaced })).toEqual([42n]);
    expect(await words({ to: sha256, data })).toHaveLength(1);
  });

  it.each([
    [[overrideOf(at(80), { movePrecompileTo: at(81) })], /is not a precompile/],
    [[overrideOf(sha256, { movePrecompileTo: slots }), overrideOf(slots, { nonce: 1n })], /is already overridden/],
  ])('a move that can not be made %#: go-ethereum’s words', async (stateOverrides, expected) => {
    const outcome = await reader.call(message({ to: slots, stateOverrides }), context);
    expect(outcome).toMatchObject({ status: 'failure', message: expect.stringMatching(expected) });
  });
});

describe('block overrides', () => {
  it('a call sees the assumed header; a message without fees has a base fee of 0 as ever', async () => {
    const blockOverrides: BlockOverrides = {
      height: 1234 as Height,
      timestampMs: 1_800_000_000_000 as TimestampMs,
      gasLimit: 99n,
      feeRecipient: at(0xaa),
      prevRandao: word(7n),
      baseFee: 500n,
      blobBaseFee: 33n,
    };
    const expected = [1234n, 1_800_000_000n, BigInt(at(0xaa)), 7n, 99n];
    expect(await words({ to: header, blockOverrides })).toEqual([...expected, 0n, 33n]);
    const stateOverrides = [overrideOf(caller, { balance: 10n ** 18n })];
    const paid = { to: header, blockOverrides, stateOverrides, maxFeePerGas: 600n };
    expect(await words(paid)).toEqual([...expected, 500n, 33n]);
    const own = [5n, 1_700_000_000n, BigInt(at(0xee)), 0xabcn, 30_000_000n, 0n, 1n];
    expect(await words({ to: header })).toEqual(own);
  });

  it('an estimate starts from the assumed gas limit of the block', async () => {
    const blockOverrides = { ...noBlockOverrides, gasLimit: 22_000n };
    const outcome = await reader.estimateGas(message({ to: slots, blockOverrides }), context);
    expect(outcome).toMatchObject({ status: 'failure', message: 'gas required exceeds allowance (22000)' });
  });
});

describe('authorizations', () => {
  const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const authorize = async (nonce: number, chain = chainId) => {
    const signed = await signer.signAuthorization({ contractAddress: self as `0x${string}`, chainId: chain, nonce });
    return {
      chainId: BigInt(signed.chainId),
      address: self,
      nonce: BigInt(signed.nonce),
      yParity: BigInt(signed.yParity ?? 0),
      r: BigInt(signed.r),
      s: BigInt(signed.s),
    };
  };
  const to = signer.address.toLowerCase() as Address;

  it('an account runs the code that it delegates to; each authorization costs 25000 gas', async () => {
    expect(await words({ to, authorizationList: [await authorize(0)] })).toEqual([BigInt(to), 0n]);
    const gasUsed = async (fields: Partial<CallMessage>): Promise<bigint> =>
      (await reader.call(message({ to, ...fields }), context)).gasUsed;
    const stateOverrides = [overrideOf(to, { code: code('305f52 47602052 60405ff3') })];
    const difference =
      (await gasUsed({ authorizationList: [await authorize(0)] })) - (await gasUsed({ stateOverrides }));
    // The account that is delegated to is read, cold or warm: 2600 at most besides the 25000.
    expect(Number(difference)).toBeGreaterThanOrEqual(25_000);
    expect(Number(difference)).toBeLessThanOrEqual(27_600);
  });

  it('a wrong nonce, chain or signature delegates nothing; an unknown chain id of 0 is every chain', async () => {
    const good = await authorize(0);
    const bad = [await authorize(1), await authorize(0, 1), { ...good, s: 2n ** 256n - 1n }, { ...good, yParity: 2n }];
    for (const authorization of bad) expect(await words({ to, authorizationList: [authorization] })).toEqual([]);
    expect(await words({ to, authorizationList: [await authorize(0, 0)] })).toHaveLength(2);
  });

  it('an estimate pays for them; a creation with them is refused', async () => {
    const authorizationList = [await authorize(0)];
    const { gasUsed } = await reader.estimateGas(message({ to: at(99), value: 0n, authorizationList }), context);
    expect(gasUsed).toBeGreaterThanOrEqual(46_000n);
    expect(await reader.call(message({ to: null, authorizationList }), context)).toMatchObject({
      status: 'failure',
      message: expect.stringMatching(/EIP-7702 transaction cannot be used to create contract/),
    });
  });
});

describe('estimates in go-ethereum’s words', () => {
  const rich = [overrideOf(caller, { balance: 10n ** 18n })];

  it('a value that the sender does not have, with and without a fee', async () => {
    const value = 10n ** 18n;
    const withFee = message({ to: at(100), value, maxFeePerGas: 2000n, stateOverrides: rich });
    expect(await reader.estimateGas(withFee, context)).toMatchObject({ message: 'insufficient funds for transfer' });
    const without = await reader.estimateGas(message({ to: slots, value: 1n }), context);
    expect(without).toMatchObject({
      message: expect.stringMatching(
        /^failed with 30000000 gas: insufficient funds for gas \* price \+ value: address 0xc+4 have 0 want 1$/,
      ),
    });
  });

  it('code that a creation can not pay to keep', async () => {
    // Returns 1000 bytes; keeping them costs 200 000.
    const data = code('6103e85ff3');
    const outcome = await reader.estimateGas(message({ data, gas: 100_000n }), context);
    expect(outcome).toMatchObject({ status: 'failure', message: 'contract creation code storage out of gas' });
    expect((await reader.estimateGas(message({ data }), context)).gasUsed).toBeGreaterThan(253_000n);
  });

  it('a call that gives on 63/64 of its gas gets enough for the callee', async () => {
    // The callee writes five slots; the caller fails when the callee did.
    const callee = at(101);
    const stateOverrides = [
      overrideOf(callee, { code: code('60015f55 6001600155 6001600255 6001600355 6001600455') }),
      overrideOf(at(102), { code: code(`5f5f5f5f5f73${callee.slice(2)}5af1 6020 57 fe 5b 00`) }),
    ];
    const estimated = await reader.estimateGas(message({ to: at(102), stateOverrides }), context);
    expect(estimated.status).toBe('success');
    const again = await reader.call(message({ to: at(102), stateOverrides, gas: estimated.gasUsed }), context);
    expect(again.status).toBe('success');
    expect(estimated.gasUsed).toBeGreaterThan(again.gasUsed);
  });
});
