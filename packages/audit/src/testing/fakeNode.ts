import {
  type ActionResult,
  encodeActionResult,
  encodeNativeTransaction,
  type Genesis,
  genesisHash,
  nativeSigningDigest,
} from '@prime/codec';
import { formatGenesis, keyPair, presetGenesis } from '@prime/config';
import { createCryptoProvider } from '@prime/crypto';
import { type Address, bytesToHex, hexToBytes, toTimestampMs } from '@prime/primitives';
import type { AuditedNode } from '../rpc/call.ts';
import { addressOf, hashOf } from './blocks.ts';

const provider = await createCryptoProvider();
const gatewayKey = hexToBytes(`0x${'11'.repeat(32)}`);

const validator = keyPair(provider, new Uint8Array(32).fill(7));
export const fakeGenesis: Genesis = {
  ...presetGenesis(
    'local',
    { networkName: 'fake', chainId: 7919, timestampMs: toTimestampMs(1_700_000_000_000) },
    { devAccounts: [], admin: addressOf('ad') },
  ),
  faucet: null,
  validators: [{ address: validator.address, publicKey: validator.publicKey, stake: 1n, moniker: 'validator0' }],
};

/** A deposit that a gateway made for an account. */
export function depositOf(account: Address, amount: bigint, nonce: number): Uint8Array {
  const unsigned = {
    chainId: 7919,
    nonce,
    expiresAt: 0,
    account,
    payload: { type: 'deposit', amount } as const,
    signatureKind: 'gateway' as const,
  };
  return encodeNativeTransaction({ ...unsigned, signature: provider.sign(nativeSigningDigest(unsigned), gatewayKey) });
}

export interface FakeAction {
  readonly raw: Uint8Array;
  readonly hash: string;
  readonly result: ActionResult;
}

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** Answers of a node, as JSON-RPC has them; every method can be changed. */
export class FakeNode implements AuditedNode {
  readonly name = 'node';
  readonly genesis: Genesis;
  /** Height of the head; blocks without an entry are empty. */
  head = 0;
  readonly actions = new Map<number, readonly FakeAction[]>();
  readonly answers = new Map<string, (...params: never[]) => unknown>();
  readonly asked: string[] = [];

  constructor(genesis: Genesis) {
    this.genesis = genesis;
    const { answers } = this;
    answers.set('eth_blockNumber', () => hex(this.head));
    answers.set('prime_getGenesis', () => JSON.parse(formatGenesis(genesis)));
    answers.set('eth_getBlockByNumber', (height: string) => ({
      number: height,
      hash: Number(height) === 0 ? genesisHash(genesis) : hashOf(`block ${Number(height)}`),
      parentHash: hashOf(`block ${Number(height) - 1}`),
      stateRoot: hashOf(`state ${Number(height)}`),
    }));
    answers.set('prime_getBlockByNumber', (height: string) => this.#block(Number(height)));
    answers.set('prime_getBlockActions', (height: string) =>
      (this.actions.get(Number(height)) ?? []).map(({ raw, hash, result }) => ({
        hash,
        raw: bytesToHex(raw),
        status: result.ok ? '0x1' : '0x0',
        output: bytesToHex(encodeActionResult(result)),
      })),
    );
    answers.set('eth_getBlockReceipts', () => []);
  }

  readonly call = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    this.asked.push(method);
    const answer = this.answers.get(method);
    if (answer === undefined) throw new Error(`the method ${method} does not exist`);
    return answer(...(params as never[]));
  };

  #block(height: number): unknown {
    if (height > this.head) return null;
    return {
      number: hex(height),
      hash: hashOf(`block ${height}`),
      state_root: hashOf(`state ${height}`),
      proposer: addressOf('f0'),
      base_fee: '0x7',
      timestamp_ms: hex(1_700_000_000_000 + height * 1000),
      transactions: [],
      action_count: hex(this.actions.get(height)?.length ?? 0),
      domain_events: [],
    };
  }
}
