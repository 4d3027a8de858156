import { readFileSync } from 'node:fs';
import { actionTypeCode } from '@prime/codec';
import { describe, expect, it } from '@jest/globals';
import { bytesToHex, hashTypedData, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { toDigestAccount } from '../accounts/digestAccount.ts';
import { stubNode } from '../testing/stubNode.ts';
import type { Action, BatchItem } from '../types/action.ts';
import type { ParameterChange } from '../types/parameters.ts';
import type { Address, AgentPermission, Hex } from '../types/primitives.ts';
import { encodeAction } from './encodeAction.ts';
import type { SignatureKind } from './signedAction.ts';

/** The published vectors of docs/protocol/native-transactions.md: what the SDK signs is byte for byte what they have. */

type Json = Readonly<Record<string, unknown>>;
interface Vector {
  readonly name: string;
  readonly value: {
    readonly chainId: number;
    readonly nonce: number;
    readonly expiresAt: number;
    readonly account: Address;
    readonly payload: Json & { readonly type: string };
    readonly signatureKind: SignatureKind | 'gateway';
    readonly signature: Hex;
  };
  readonly encoded: Hex;
  readonly hash: Hex;
  readonly digest: Hex;
  readonly signer: Address;
}

const vectorsOf = (file: string): readonly Vector[] => {
  const url = new URL(`../../../codec/testdata/${file}`, import.meta.url);
  return (JSON.parse(readFileSync(url, 'utf8')) as { readonly vectors: readonly Vector[] }).vectors;
};

const typed = vectorsOf('typedData.json');
const raw = vectorsOf('nativeTransaction.json').filter(({ value }) => value.signatureKind === 'raw');
/** The private key of the typed vectors. */
const account = privateKeyToAccount(`0x${'42'.repeat(32)}`);

const permissionBits: readonly [AgentPermission, number][] = [
  ['trade', 1],
  ['cancel', 2],
  ['liquidate', 4],
  ['sub_accounts', 8],
];
const big = (value: unknown): bigint => BigInt(value as string);
const orAll = (marketId: unknown) => (marketId === null ? {} : { market: marketId as number });
const claim = (payload: Json) => ({ signerKey: payload['publicKey'] as Hex, signerProof: payload['proof'] as Hex });
const endpoint = ({ host, port, spki }: Json) => ({
  host: host as string,
  port: port as number,
  tlsKeyHash: spki as Hex,
});

/** A payload of the vectors as users of the SDK write it. */
function actionOf(payload: Json & { readonly type: string }): Action {
  const { type } = payload;
  switch (type) {
    case 'order': {
      const { marketId, price, size, clientId, expiresAt, ...rest } = payload;
      const order = { ...rest, market: marketId, price: big(price), size: big(size), expiresAtSeconds: expiresAt };
      return (clientId === null ? order : { ...order, clientId }) as unknown as Action;
    }
    case 'bracket': {
      const { stop, takeProfit, ...order } = payload;
      const legOf = (name: string, leg: unknown) => {
        if (leg === null) return {};
        const { triggerPrice, limitPrice } = leg as Json;
        return { [name]: { triggerPrice: big(triggerPrice), limitPrice: big(limitPrice) } };
      };
      const plain = actionOf({ ...order, type: 'order' });
      return { ...plain, ...legOf('stop', stop), ...legOf('takeProfit', takeProfit) } as Action;
    }
    case 'trigger': {
      const { marketId, triggerPrice, limitPrice, size, position, clientId, expiresAt, ...rest } = payload;
      const trigger = {
        ...rest,
        market: marketId,
        triggerPrice: big(triggerPrice),
        ...(big(limitPrice) === 0n ? {} : { limitPrice: big(limitPrice) }),
        size: position === true ? 'position' : big(size),
        expiresAtSeconds: expiresAt,
      };
      return (clientId === null ? trigger : { ...trigger, clientId }) as unknown as Action;
    }
    case 'cancelByClientId':
      return { type, market: payload['marketId'] as number, clientId: payload['clientId'] as Hex };
    case 'cancelAll':
      return { type, ...orAll(payload['marketId']) };
    case 'batch':
      return {
        type,
        items: (payload['items'] as (Json & { type: string })[]).map((item) => actionOf(item) as BatchItem),
      };
    case 'modify':
      return { type, orderId: payload['orderId'] as number, price: big(payload['price']), size: big(payload['size']) };
    case 'addMarket':
      return { ...payload, type, tickSize: big(payload['tickSize']), lotSize: big(payload['lotSize']) } as Action;
    case 'setMargin': {
      const { marketId, ...rest } = payload;
      return { ...rest, ...orAll(marketId) } as Action;
    }
    case 'approveAgent': {
      const { permissions, expiry, ...rest } = payload;
      const allowed = permissionBits.filter(([, bit]) => ((permissions as number) & bit) !== 0).map(([name]) => name);
      return { ...rest, permissions: allowed, validUntilMs: expiry } as Action;
    }
    case 'validatorJoin':
      return {
        type,
        stake: big(payload['stake']),
        moniker: payload['moniker'],
        ...claim(payload),
        ...endpoint(payload),
      } as Action;
    case 'validatorRotateSigner':
      return { type, ...claim(payload) };
    case 'validatorSetEndpoint':
      return { type, ...endpoint(payload) };
    case 'oracleReport': {
      const prices = payload['prices'] as unknown as { readonly marketId: number; readonly price: string }[];
      return {
        ...payload,
        prices: prices.map(({ marketId, price }) => ({ market: marketId, price: BigInt(price) })),
      } as unknown as Action;
    }
    case 'change':
      return { type, change: changeJsonOf(payload['change']), atHeight: payload['atHeight'] as number };
    case 'propose':
      return { ...payload, change: changeJsonOf(payload['change']) } as unknown as Action;
    default:
      return ('amount' in payload ? { ...payload, amount: big(payload['amount']) } : payload) as Action;
  }
}

/** Amounts in the vectors are decimal text, as in the form that people write. */
function changeJsonOf(json: unknown): ParameterChange {
  const { parameter, marketId, value } = json as Json & { readonly marketId: number | null };
  return { parameter, value, ...(marketId === null ? {} : { market: marketId }) } as unknown as ParameterChange;
}

const asked = ({ value }: Vector, signatureKind: SignatureKind) => ({
  action: actionOf(value.payload),
  owner: value.account,
  chainId: value.chainId,
  nonce: value.nonce,
  expiresAtMs: value.expiresAt,
  signatureKind,
});

const { client } = stubNode(() => {
  throw new Error('nothing is asked of a node');
});

describe('signatures of typed data', () => {
  it('vectors are there for every type of action', () => {
    const types = new Set(typed.map(({ value }) => value.payload.type));
    expect([...types].toSorted()).toEqual(Object.keys(actionTypeCode).toSorted());
  });

  it.each(typed.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const signed = await encodeAction(client, account, asked(vector, 'eip712'));
    expect(signed).toMatchObject({ raw: vector.encoded, hash: vector.hash });
  });

  it('a wallet behind the client is asked to sign what it can show', async () => {
    const vector = typed[0]!;
    const seen: unknown[] = [];
    const wallet = stubNode(({ method, params }) => {
      seen.push(method, params[0]);
      const data = JSON.parse(params[1] as string) as Parameters<typeof hashTypedData>[0];
      expect(hashTypedData(data)).toBe(vector.digest);
      return account.signTypedData(data as never);
    });
    const remote = { address: account.address, type: 'json-rpc' } as const;
    const signed = await encodeAction(wallet.client, remote, asked(vector, 'eip712'));
    expect(seen).toEqual(['eth_signTypedData_v4', account.address]);
    expect(signed.raw).toBe(vector.encoded);
  });

  it('an account that signs typed data with v as 0 or 1 makes the same bytes', async () => {
    const vector = typed[0]!;
    const own = { ...account, signTypedData: () => Promise.resolve(vector.value.signature) } as typeof account;
    expect((await encodeAction(client, own, asked(vector, 'eip712'))).raw).toBe(vector.encoded);
  });
});

describe('signatures of hashes', () => {
  it('there are vectors', () => {
    expect(raw.length).toBeGreaterThan(15);
  });

  it.each(raw.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const digests: Hex[] = [];
    const { signature } = vector.value;
    const key = toDigestAccount({
      address: vector.signer,
      signDigest: (digest) => {
        digests.push(bytesToHex(digest));
        return Uint8Array.from(Buffer.from(signature.slice(2), 'hex'));
      },
    });
    const signed = await encodeAction(client, key, asked(vector, 'raw'));
    expect(digests).toEqual([vector.digest]);
    expect(signed).toMatchObject({ raw: vector.encoded, hash: vector.hash });
  });

  it('viem’s local account and a signing function of the same key make the same bytes', async () => {
    const request = asked(typed[0]!, 'raw');
    const own = toDigestAccount({
      address: account.address,
      signDigest: async (digest) => sign({ hash: bytesToHex(digest), privateKey: `0x${'42'.repeat(32)}`, to: 'bytes' }),
    });
    expect((await encodeAction(client, own, request)).raw).toBe((await encodeAction(client, account, request)).raw);
  });

  it('an account of a signing function signs for the EVM, too', async () => {
    const own = toDigestAccount({
      address: account.address,
      signDigest: async (digest) => {
        const signature = await sign({ hash: bytesToHex(digest), privateKey: `0x${'42'.repeat(32)}`, to: 'bytes' });
        signature[64]! -= 27;
        return signature;
      },
    });
    const transaction = {
      chainId: 7919,
      to: account.address,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 1n,
      nonce: 0,
    } as const;
    expect(await own.signTransaction(transaction)).toBe(await account.signTransaction(transaction));
    expect(await own.signMessage({ message: 'hello' })).toBe(await account.signMessage({ message: 'hello' }));
    const data = {
      domain: {},
      types: { A: [{ name: 'b', type: 'uint8' }] },
      primaryType: 'A',
      message: { b: 1 },
    } as const;
    const signature = await own.signTypedData(data);
    expect(await recoverTypedDataAddress({ ...data, signature })).toBe(account.address);
  });
});
