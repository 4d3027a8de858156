import type { RpcBlockAction, RpcCommit, RpcNativeBlock, RpcResult } from '../generated/methods.ts';
import type {
  BlockAction,
  BlockEvidence,
  Commit,
  NativeBlock,
  OrdersProof,
  RegisteredValidator,
  Validator,
} from '../types/chain.ts';
import type { Hash } from '../types/primitives.ts';
import { decodeDomainEvents } from './domainEvent.ts';
import { toBigint, toNumber } from './quantity.ts';

/** From wire form; header and signatures stay encoded, as light clients verify them. */
export const decodeCommit = (wire: RpcCommit): Commit => ({
  height: toBigint(wire.height),
  blockHash: wire.block_hash,
  header: wire.header,
  round: toNumber(wire.round),
  signatures: wire.signatures,
});

/** From wire form: status 1 is success, any other is a refusal. */
export const decodeBlockAction = ({ hash, raw, status, output }: RpcBlockAction): BlockAction => ({
  hash,
  raw,
  status: toNumber(status) === 1 ? 'success' : 'refused',
  output,
});

/** From wire form, stake in wei. */
export const decodeValidator = (wire: RpcResult<'prime_validators'>[number]): Validator => ({
  address: wire.address,
  publicKey: wire.public_key,
  stake: toBigint(wire.stake),
  votingPower: toBigint(wire.voting_power),
  status: wire.status,
  proposerPriority: toBigint(wire.proposer_priority),
  moniker: wire.moniker,
});

/** From wire form, stake in wei; a validator that is not jailed has null as the end of it. */
export const decodeRegisteredValidator = (
  wire: RpcResult<'prime_registeredValidators'>[number],
): RegisteredValidator => ({
  address: wire.address,
  signer: wire.signer,
  publicKey: wire.public_key,
  stake: toBigint(wire.stake),
  votingPower: toBigint(wire.voting_power),
  status: wire.status,
  jailedUntilMs: wire.jailed_until_ms === null ? null : toNumber(wire.jailed_until_ms),
  tombstoned: wire.tombstoned,
  moniker: wire.moniker,
  endpoint: wire.endpoint,
});

type WireEvidence = RpcNativeBlock['evidence'][number];

const decodeMessage = ({ block_hash, pol_round, signature }: WireEvidence['first']): BlockEvidence['first'] => ({
  blockHash: block_hash,
  polRound: pol_round === null ? null : toNumber(pol_round),
  signature,
});

const decodeEvidence = (wire: WireEvidence): BlockEvidence => ({
  validator: wire.validator,
  signed: wire.signed,
  height: toBigint(wire.height),
  round: toNumber(wire.round),
  first: decodeMessage(wire.first),
  second: decodeMessage(wire.second),
});

/** From wire form, times in ms since 1970; the newest block has no commit yet. */
export const decodeNativeBlock = (wire: RpcNativeBlock): NativeBlock => ({
  number: toBigint(wire.number),
  hash: wire.hash,
  parentHash: wire.parent_hash,
  proposer: wire.proposer,
  timestampMs: toNumber(wire.timestamp_ms),
  gasLimit: toBigint(wire.gas_limit),
  gasUsed: toBigint(wire.gas_used),
  baseFee: toBigint(wire.base_fee),
  stateRoot: wire.state_root,
  ordersRoot: wire.orders_root,
  receiptsRoot: wire.receipts_root,
  eventsRoot: wire.events_root,
  validatorsHash: wire.validators_hash,
  nextValidatorsHash: wire.next_validators_hash,
  commit:
    wire.commit === null
      ? null
      : {
          round: toNumber(wire.commit.round),
          signatureCount: toNumber(wire.commit.signature_count),
          signers: wire.commit.signers,
        },
  lastCommitRound: wire.last_commit_round === null ? null : toNumber(wire.last_commit_round),
  transactionCount: toNumber(wire.transaction_count),
  actionCount: toNumber(wire.action_count),
  // Asked for without the transactions themselves.
  transactions: wire.transactions as readonly Hash[],
  domainEvents: decodeDomainEvents(wire.domain_events),
  evidence: wire.evidence.map(decodeEvidence),
});

/** From wire form. Nothing is verified. */
export function decodeOrdersProof(wire: RpcResult<'primeorders_getProof'>): OrdersProof {
  const { account_proof: account } = wire;
  return {
    blockNumber: toBigint(wire.block_number),
    blockHash: wire.block_hash,
    stateRoot: wire.state_root,
    key: wire.key,
    present: wire.present,
    record: wire.record,
    steps: wire.steps,
    accountProof: {
      address: account.address,
      accountProof: account.accountProof,
      balance: toBigint(account.balance),
      codeHash: account.codeHash,
      nonce: toNumber(account.nonce),
      storageHash: account.storageHash,
      storageProof: account.storageProof.map(({ key, value, proof }) => ({ key, value: toBigint(value), proof })),
    },
  };
}
