import { factsOf, type ActionPayload, type ActionResult, type DomainEvent, type VerifiedAction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { type Address, type Hash, utf8ToBytes } from '@prime/primitives';
import type { DecidedBlock, ExecutedTransaction } from '../decidedBlock.ts';

/** Blocks for tests, with what a test leaves out empty. */

export const addressOf = (digits: string): Address => `0x${digits.padStart(40, '0')}` as Address;
export const hashOf = (name: string): Hash => keccakHex(utf8ToBytes(name));
export const gwei = 1_000_000_000n;

export const blockOf = (height: number, of: Partial<DecidedBlock> = {}): DecidedBlock => ({
  height,
  timeMs: 1_700_000_000_000 + height * 1000,
  hash: hashOf(`block ${height}`),
  stateRoot: hashOf(`state ${height}`),
  proposer: addressOf('f0'),
  baseFee: gwei,
  actions: [],
  writes: [],
  results: [],
  events: [],
  transactions: [],
  ...of,
});

let transactions = 0;
export const transactionOf = (from: Address, of: Partial<ExecutedTransaction> = {}): ExecutedTransaction => ({
  hash: hashOf(`transaction ${++transactions}`),
  type: 2,
  from,
  to: addressOf('e0'),
  nonce: 0,
  value: 0n,
  status: 1,
  gasUsed: 21_000n,
  effectiveGasPrice: 3n * gwei,
  contractAddress: null,
  logs: [],
  ...of,
});

let actions = 0;
export const actionOf = (account: Address, payload: ActionPayload): VerifiedAction => ({
  raw: new Uint8Array(0),
  hash: hashOf(`action ${++actions}`),
  signer: addressOf('9a'),
  facts: factsOf(payload),
  transaction: {
    chainId: 7919,
    nonce: actions,
    expiresAt: 0,
    account,
    payload,
    signatureKind: 'gateway',
    signature: new Uint8Array(65),
  },
});

export const refusal = (code: string): ActionResult => ({ ok: false, error: { code, message: code, data: {} } });
export const done: ActionResult = { ok: true, value: { type: 'done' } };

export const eventOf = (kind: string, data: DomainEvent['data'], actionIndex: number | null = null): DomainEvent => ({
  domain: kind.startsWith('transfer_') ? 'bridge' : 'orders',
  kind,
  actionIndex,
  data,
});
