import { type Block, encodeBlock, type Evidence, type Receipt } from '@prime/codec';
import { bytesToHex, type Hash, type Hex, toQuantity } from '@prime/primitives';
import type { Json } from './format.ts';
import type { BlockRecord } from '../ports/ports.ts';
import { toTimestamp } from './quantity.ts';

/** keccak256 of the RLP of an empty list: there are no uncles. */
const emptyUnclesHash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const bloomBytes = 256;

/** A block and what of it was looked up for the answer. */
export interface BlockView {
  readonly record: BlockRecord;
  readonly receipts: readonly Receipt[];
  readonly events: readonly Json[];
  /** Hashes, or whole transactions when those were asked for. */
  readonly transactions: readonly unknown[];
}

/** Bloom of a block: the union of its receipts'. */
function unionBloom(receipts: readonly Receipt[]): Hex {
  const bloom = new Uint8Array(bloomBytes);
  for (const receipt of receipts)
    for (let index = 0; index < bloomBytes; index++) bloom[index]! |= receipt.logsBloom[index]!;
  return bytesToHex(bloom);
}

const sizes = new WeakMap<Block, number>();

/** Bytes of the canonical encoding; remembered, since the same recent blocks are asked for again and again. */
function blockSize(block: Block): number {
  const size = sizes.get(block) ?? encodeBlock(block).length;
  sizes.set(block, size);
  return size;
}

/** Fields of the header that the interface document names. */
const documentHeader = ({ block: { header }, hash, roots }: BlockRecord): Json => ({
  number: toQuantity(header.height),
  hash,
  proposer: header.proposer,
  gas_limit: toQuantity(header.gasLimit),
  gas_used: toQuantity(roots.gasUsed),
  base_fee: toQuantity(header.baseFee),
  state_root: roots.stateRoot,
});

/**
 * {@link formatEthBlock} without what is not the header's: body, events, size. `transactionsRoot` is the body root, which covers
 * actions and evidence too; `mixHash` is what PREVRANDAO gives, the parent's hash.
 */
export function formatEthHeader(record: BlockRecord, receipts: readonly Receipt[]): Json {
  const { header } = record.block;
  return {
    ...documentHeader(record),
    parentHash: header.parentHash,
    nonce: '0x0000000000000000',
    sha3Uncles: emptyUnclesHash,
    logsBloom: unionBloom(receipts),
    transactionsRoot: header.bodyRoot,
    stateRoot: record.roots.stateRoot,
    receiptsRoot: record.roots.receiptsRoot,
    miner: header.proposer,
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x',
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(record.roots.gasUsed),
    timestamp: toTimestamp(header.timestampMs),
    mixHash: header.parentHash,
    baseFeePerGas: toQuantity(header.baseFee),
  };
}

/** execution-apis block, and the document's fields beside it. */
export const formatEthBlock = (view: BlockView): Json => ({
  ...formatEthHeader(view.record, view.receipts),
  domain_events: view.events,
  transactions: view.transactions,
  size: toQuantity(blockSize(view.record.block)),
  uncles: [],
});

/** Who signed a block, in which round; null for the genesis block. */
export const formatCommit = (certificate: BlockRecord['certificate']): Json | null =>
  certificate === null
    ? null
    : {
        round: toQuantity(certificate.round),
        signature_count: toQuantity(certificate.signatures.length),
        signers: certificate.signatures.map((signature) => signature.validator),
      };

/** {@link formatNativeBlock} without body, events and what is read from the state. */
export function formatNativeHeader(record: BlockRecord): Json {
  const { block, certificate, roots } = record;
  return {
    ...documentHeader(record),
    parent_hash: block.header.parentHash,
    timestamp: toTimestamp(block.header.timestampMs),
    timestamp_ms: toQuantity(block.header.timestampMs),
    receipts_root: roots.receiptsRoot,
    events_root: roots.eventsRoot,
    validators_hash: block.header.validatorsHash,
    next_validators_hash: block.header.nextValidatorsHash,
    commit: formatCommit(certificate),
    last_commit_round: block.lastCommit === null ? null : toQuantity(block.lastCommit.round),
    transaction_count: toQuantity(block.transactions.length),
    action_count: toQuantity(block.actions.length),
  };
}

/** Two messages of one validator that no honest one signs both, with what their signatures are checked by. */
function formatEvidence({ kind, first, second }: Evidence): Json {
  const [validator, signed] = kind === 'duplicateVote' ? [first.validator, first.type] : [first.proposer, 'proposal'];
  const shown = (message: Evidence['first']): Json => ({
    block_hash: message.blockHash,
    pol_round: 'polRound' in message && message.polRound >= 0 ? toQuantity(message.polRound) : null,
    signature: bytesToHex(message.signature),
  });
  return {
    validator,
    signed,
    height: toQuantity(first.height),
    round: toQuantity(first.round),
    first: shown(first),
    second: shown(second),
  };
}

/** Native block. @param ordersRoot root of the order book domain after the block; null where its state is pruned */
export const formatNativeBlock = (view: BlockView, ordersRoot: Hash | null): Json => ({
  ...formatNativeHeader(view.record),
  orders_root: ordersRoot,
  domain_events: view.events,
  transactions: view.transactions,
  actions: view.record.actionHashes,
  evidence: view.record.block.evidence.map(formatEvidence),
});
