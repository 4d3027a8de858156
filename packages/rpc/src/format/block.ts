import { type Block, encodeBlock, type Receipt } from '@prime/codec';
import { bytesToHex, type Hash, type Hex } from '@prime/primitives';
import type { BlockRecord } from '../ports.ts';
import { toQuantity, toTimestamp } from './quantity.ts';

type Json = Record<string, unknown>;

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

/** Fields that the interface document names. */
const documentFields = ({ record, events, transactions }: BlockView): Json => {
  const { header } = record.block;
  return {
    number: toQuantity(header.height),
    hash: record.hash,
    proposer: header.proposer,
    gas_limit: toQuantity(header.gasLimit),
    gas_used: toQuantity(record.roots.gasUsed),
    base_fee: toQuantity(header.baseFee),
    state_root: record.roots.stateRoot,
    domain_events: events,
    transactions,
  };
};

/**
 * execution-apis block, and the document's fields beside it. `transactionsRoot` is the body root, which covers actions and
 * evidence too; `mixHash` is what PREVRANDAO gives, the parent's hash.
 */
export function formatEthBlock(view: BlockView): Json {
  const { record, receipts } = view;
  const { header } = record.block;
  return {
    ...documentFields(view),
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
    size: toQuantity(blockSize(record.block)),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(record.roots.gasUsed),
    timestamp: toTimestamp(header.timestampMs),
    mixHash: header.parentHash,
    baseFeePerGas: toQuantity(header.baseFee),
    uncles: [],
  };
}

/** Native block. @param ordersRoot root of the order book domain after the block; null where its state is pruned */
export function formatNativeBlock(view: BlockView, ordersRoot: Hash | null): Json {
  const { block, certificate, roots } = view.record;
  return {
    ...documentFields(view),
    parent_hash: block.header.parentHash,
    timestamp: toTimestamp(block.header.timestampMs),
    timestamp_ms: toQuantity(block.header.timestampMs),
    orders_root: ordersRoot,
    receipts_root: roots.receiptsRoot,
    events_root: roots.eventsRoot,
    validators_hash: block.header.validatorsHash,
    next_validators_hash: block.header.nextValidatorsHash,
    commit:
      certificate === null
        ? null
        : {
            round: toQuantity(certificate.round),
            signature_count: toQuantity(certificate.signatures.length),
            signers: certificate.signatures.map((signature) => signature.validator),
          },
    last_commit_round: block.lastCommit === null ? null : toQuantity(block.lastCommit.round),
    transaction_count: toQuantity(block.transactions.length),
    action_count: toQuantity(block.actions.length),
    actions: view.record.actionHashes,
  };
}
