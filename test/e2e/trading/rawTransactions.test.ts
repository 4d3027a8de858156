import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  type SignatureKind,
  typedDataOf,
} from '@prime/codec';
import { junkMnemonic } from '@prime/examples';
import { RpcError } from '@prime/load/rpc';
import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { type Hex, keccak256, parseGwei, parseSignature, parseTransaction, serializeTransaction } from 'viem';
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { nodesOf } from '../nodes.ts';
import { limitOrder } from '../../soak/shapes/limitOrder.ts';

/** Both encodings of eth_sendRawTransaction, on a network where every action is signed. */

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    genesis: (genesis) => {
      genesis['actions'] = 'signed';
    },
    environment: { PRIME_LIMITS_MEMPOOL_TIP_MIN: '1' },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const { call } = nodesOf(() => testnet);

async function refusal(method: string, params: readonly unknown[], index = 0): Promise<RpcError> {
  try {
    await call(index, method, params);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error(`${method} was not refused`);
}

const nonceAt = async (index: number): Promise<number> =>
  Number(await call<Hex>(index, 'eth_getTransactionCount', [rich.address, 'latest']));
const rich = mnemonicToAccount(junkMnemonic, { addressIndex: 7 });
const poor = privateKeyToAccount(`0x${'77'.repeat(32)}`);
const nobody = '0x00000000000000000000000000000000000000c7';
const transfer = {
  type: 'eip1559',
  chainId: 7919,
  nonce: 0,
  to: nobody,
  value: 1n,
  gas: 21_000n,
  maxFeePerGas: parseGwei('50'),
  maxPriorityFeePerGas: parseGwei('1'),
} as const;
type Fields = Parameters<typeof rich.signTransaction>[0];
const signed = (changes: object = {}): Promise<Hex> => rich.signTransaction({ ...transfer, ...changes } as Fields);
const legacyFees = { gasPrice: parseGwei('50'), maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The same transaction with the other signature of the pair, which Ethereum forbids. */
async function highS(): Promise<Hex> {
  const { r, s, yParity, v: _, ...fields } = parseTransaction(await signed());
  const other = `0x${(order - BigInt(s!)).toString(16).padStart(64, '0')}` as const;
  return serializeTransaction(fields as never, { r: r!, s: other, yParity: 1 - yParity! });
}

/** Signed by hand: libraries refuse to make it. */
async function emptyAuthorizations(): Promise<Hex> {
  const fields = { ...transfer, type: 'eip7702', authorizationList: [], gas: 100_000n } as const;
  const signature = parseSignature(await rich.sign!({ hash: keccak256(serializeTransaction(fields as never)) }));
  return serializeTransaction(fields as never, signature);
}

describe('EIP-2718', () => {
  it.each<[string, () => Promise<Hex>, string]>([
    ['another chain', () => signed({ chainId: 1 }), 'invalid sender: invalid chain id for signer: have 1 want 7919'],
    [
      'legacy without replay protection',
      () => signed({ type: 'legacy', chainId: undefined, ...legacyFees }),
      'only replay-protected (EIP-155) transactions allowed over RPC',
    ],
    [
      'a blob transaction',
      async () => `0x03${(await signed()).slice(4)}`,
      'transaction type not supported: blob transactions are not supported',
    ],
    ['an unknown type', async () => '0x7fc0', 'transaction type not supported'],
    ['gas above the block', () => signed({ gas: 100_000_001n }), 'exceeds block gas limit'],
    ['gas below intrinsic', () => signed({ gas: 20_999n }), 'intrinsic gas too low: gas 20999, minimum needed 21000'],
    [
      'gas below the floor of EIP-7623',
      () => signed({ gas: 40_000n, data: `0x${'11'.repeat(1000)}` }),
      'insufficient gas for floor data gas cost: gas 40000, minimum needed 61000',
    ],
    [
      'a tip above the fee cap',
      async () => {
        const fields = { ...transfer, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
        const raw = await rich.signTransaction(fields);
        // maxPriorityFeePerGas is the third field: 01 becomes 02.
        return raw.replace('821eef800101', '821eef800201') as Hex;
      },
      'max priority fee per gas higher than max fee per gas',
    ],
    [
      'a tip below the least',
      () => signed({ maxPriorityFeePerGas: 0n }),
      'transaction gas price below minimum: gas tip cap 0, minimum needed 1',
    ],
    ['trailing bytes', async () => `${await signed()}00`, 'rlp: '],
    ['high s', highS, 'invalid sender: invalid transaction v, r, s values'],
    [
      'init code above the limit',
      () => signed({ to: undefined, data: `0x${'00'.repeat(49_153)}`, gas: 5_000_000n }),
      'max initcode size exceeded: code size 49153, limit 49152',
    ],
    ['an empty authorization list', emptyAuthorizations, 'set code tx must have at least one authorization tuple'],
    [
      'more than 128 KiB',
      () => signed({ data: `0x${'00'.repeat(131_072)}`, gas: 30_000_000n }),
      'oversized data: transaction size ',
    ],
    [
      'more than the sender has',
      () => poor.signTransaction({ ...transfer, value: 5n }),
      'insufficient funds for gas * price + value: balance 0, tx cost 1050000000000005, overshot 1050000000000005',
    ],
  ])('%s is refused in go-ethereum’s words', async (_name, make, words) => {
    const error = await refusal('eth_sendRawTransaction', [await make()]);
    expect({ code: error.code, message: error.message }).toEqual({
      code: -32000,
      message: expect.stringContaining(words),
    });
  });

  it('types 0, 1, 2 and 4 are mined; afterwards their nonces are too low', async () => {
    const accessList = [{ address: nobody, storageKeys: [`0x${'07'.repeat(32)}`] }];
    const gas = 100_000n;
    const authorization = await poor.signAuthorization({ chainId: 7919, contractAddress: nobody, nonce: 0 });
    const raws = [
      await signed({ type: 'legacy', ...legacyFees }),
      await signed({ type: 'eip2930', ...legacyFees, accessList, gas, nonce: 1 }),
      await signed({ accessList, gas, nonce: 2 }),
      await signed({ type: 'eip7702', authorizationList: [authorization], gas, nonce: 3 }),
    ];
    const types: string[] = [];
    const gap = await refusal('eth_sendRawTransactionSync', [raws[2]]);
    expect([gap.code, gap.data]).toEqual([6, '0x0']);
    expect(gap.message).toContain('nonce too high: next nonce 0, tx nonce 2');
    for (const [index, raw] of raws.entries()) {
      // A node that has not heard of the block before it would see a gap.
      await until('the nonce before it on this node', async () => (await nonceAt(index)) === index);
      const receipt = await call<{ type: string; status: string; transactionHash: string }>(
        index,
        'eth_sendRawTransactionSync',
        [raw],
      );
      expect(receipt).toMatchObject({ status: '0x1', transactionHash: keccak256(raw) });
      types.push(receipt.type);
    }
    expect(types).toEqual(['0x0', '0x1', '0x2', '0x4']);
    await until('the last block on the node that is asked', async () => (await nonceAt(0)) === 4);
    expect((await refusal('eth_sendRawTransaction', [await signed({ value: 2n })])).message).toContain(
      'nonce too low: next nonce 4, tx nonce 0',
    );
  });

  it('behind a gap: known, replaced for ten percent more and for nothing less, and told by the pool', async () => {
    const nonce = 40;
    const first = await signed({ nonce });
    expect(await call(0, 'eth_sendRawTransaction', [first])).toBe(keccak256(first));
    expect((await refusal('eth_sendRawTransaction', [first])).message).toContain('already known');
    const little = { maxFeePerGas: parseGwei('54'), maxPriorityFeePerGas: parseGwei('1.09') };
    expect((await refusal('eth_sendRawTransaction', [await signed({ nonce, ...little })])).message).toContain(
      'replacement transaction underpriced',
    );
    const enough = { maxFeePerGas: parseGwei('55'), maxPriorityFeePerGas: parseGwei('1.1') };
    const second = await signed({ nonce, ...enough });
    expect(await call(0, 'eth_sendRawTransaction', [second])).toBe(keccak256(second));
    expect(await call(0, 'txpool_contentFrom', [rich.address])).toEqual({
      pending: {},
      queued: { [nonce]: expect.objectContaining({ hash: keccak256(second), blockHash: null }) },
    });
    expect(await call(0, 'eth_getTransactionByHash', [keccak256(first)])).toBeNull();
    expect(await call(0, 'eth_getTransactionByHash', [keccak256(second)])).toMatchObject({ blockNumber: null });
  });
});

const owner = mnemonicToAccount(junkMnemonic, { addressIndex: 8 });
/** The owner in the book: not unlocked on any node, funded by a transfer inside of the book or a deposit. */
const trader = privateKeyToAccount(`0x${'88'.repeat(32)}`);
const agent = privateKeyToAccount(`0x${'99'.repeat(32)}`);
const lower = (account: { readonly address: string }): Address => account.address.toLowerCase() as Address;
let newest = 0;
const nextNonce = (): number => (newest = Math.max(Date.now(), newest + 1));

interface Native {
  readonly payload: ActionPayload;
  readonly account?: Address;
  readonly nonce?: number;
  readonly expiresAt?: number;
  readonly chainId?: number;
  readonly kind?: SignatureKind;
}

/** A native transaction, signed as a wallet signs typed data or as a program signs a digest. */
async function native(signer: PrivateKeyAccount, fields: Native): Promise<Hex> {
  const { payload, account = lower(trader), expiresAt = 0, chainId = 7919, kind = 'eip712' } = fields;
  const unsigned = { chainId, nonce: fields.nonce ?? nextNonce(), expiresAt, account, payload, signatureKind: kind };
  const signature = hexToBytes(
    kind === 'eip712'
      ? await signTyped(signer, unsigned)
      : await signer.sign({ hash: bytesToHex(nativeSigningDigest(unsigned)) as Hex }),
  );
  signature[64]! %= 27;
  return bytesToHex(encodeNativeTransaction({ ...unsigned, signature })) as Hex;
}

function signTyped(signer: PrivateKeyAccount, unsigned: Parameters<typeof typedDataOf>[0]): Promise<Hex> {
  const { domain, primaryType, fields, message } = typedDataOf(unsigned);
  return signer.signTypedData({ domain, primaryType, types: { [primaryType]: fields }, message } as never);
}

const mined = async (index: number, raw: Hex): Promise<{ status: string }> =>
  call(index, 'eth_sendRawTransactionSync', [raw]);

const bid = (price: bigint): ActionPayload => limitOrder({ price, size: 10n });
const approve: ActionPayload = { type: 'approveAgent', agent: lower(agent), expiry: 0, permissions: 1, name: 'bot' };

describe('native transactions', () => {
  it('an unsigned call needs a signature, or an account whose key the node holds', async () => {
    const deposit = [trader.address, '0x64'];
    expect(await refusal('primeorders_depositCollateral', deposit)).toMatchObject({
      code: -32001,
      message: expect.stringContaining('signature required'),
    });
    expect(await call(1, 'primeorders_depositCollateral', [owner.address, '0x64'])).toMatchObject({
      address: lower(owner),
      collateral: '0x64',
    });
  });

  it('a call with a signature answers like any other; an agent trades through every node until it is revoked', async () => {
    const nonce = nextNonce();
    const deposit = { chainId: 7919, nonce, expiresAt: 0, account: lower(trader), signatureKind: 'eip712' } as const;
    const signature = await signTyped(trader, { ...deposit, payload: { type: 'deposit', amount: 1_000_000n } });
    expect(
      await call(2, 'primeorders_depositCollateral', [trader.address, '0xf4240', { nonce, signature }]),
    ).toMatchObject({ collateral: '0xf4240' });

    expect(await mined(0, await native(trader, { payload: approve }))).toMatchObject({ status: '0x1' });
    for (const [index, kind] of (['raw', 'eip712', 'raw', 'eip712'] as const).entries()) {
      const raw = await native(agent, { payload: bid(BigInt(100 + index)), kind });
      expect(await mined(index, raw)).toMatchObject({ status: '0x1', from: lower(trader), type: '0x50' });
    }
    const open = await call<{ price: string }[]>(3, 'primeorders_getOpenOrders', [trader.address]);
    expect(open.map(({ price }) => Number(price))).toEqual([100, 101, 102, 103]);

    const noMoney = await native(agent, { payload: { type: 'withdraw', amount: 1n, to: lower(agent) } });
    const unauthorized = `signer ${lower(agent)} may not act for ${lower(trader)}`;
    expect(await refusal('eth_sendRawTransaction', [noMoney])).toMatchObject({
      code: -32001,
      message: expect.stringContaining(unauthorized),
    });
    expect(
      await mined(1, await native(trader, { payload: { type: 'revokeAgent', agent: lower(agent) } })),
    ).toMatchObject({
      status: '0x1',
    });
    expect(await call(1, 'primeorders_getAgents', [trader.address])).toMatchObject([
      { agent: lower(agent), status: 'revoked' },
    ]);
    const late = await native(agent, { payload: bid(90n) });
    expect((await refusal('eth_sendRawTransaction', [late], 1)).message).toContain(unauthorized);
    expect(await mined(1, await native(trader, { payload: approve }))).toMatchObject({ status: '0x0' });
  });

  it('what the order book would not execute is refused at the door', async () => {
    const used = await native(trader, { payload: { type: 'noop' } });
    expect(await mined(0, used)).toMatchObject({ status: '0x1' });
    const day = 86_400_000;
    const noop = { payload: { type: 'noop' } } as const;
    const cases: readonly (readonly [string, Hex, number, string])[] = [
      ['sent again after its block', used, -32026, 'nonce used'],
      ['a used nonce', await native(trader, { payload: bid(1n), nonce: newest }), -32026, 'nonce used'],
      ['an old nonce', await native(trader, { ...noop, nonce: Date.now() - 3 * day }), -32026, 'nonce too old'],
      [
        'a nonce to come',
        await native(trader, { ...noop, nonce: Date.now() + 2 * day }),
        -32026,
        'nonce too far ahead',
      ],
      ['past its end', await native(trader, { ...noop, expiresAt: Date.now() - day }), -32026, 'action expired at'],
      ['a stranger', await native(poor, noop), -32001, `may not act for ${lower(trader)}`],
      [
        'another chain',
        await native(trader, { ...noop, chainId: 1 }),
        -32000,
        'invalid chain id for signer: have 1 want 7919',
      ],
      ['the kind of validators', await native(trader, { ...noop, kind: 'gateway' }), -32000, 'made by validators only'],
      ['no canonical bytes', `${used}00`, -32000, 'malformed RLP'],
    ];
    for (const [name, raw, code, words] of cases) {
      const error = await refusal('eth_sendRawTransaction', [raw]);
      expect({ name, code: error.code, message: error.message }).toEqual({
        name,
        code,
        message: expect.stringContaining(words),
      });
    }
  });
});
