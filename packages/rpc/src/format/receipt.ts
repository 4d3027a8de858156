import type { Receipt } from '@prime/codec';
import { bytesToHex, toQuantity } from '@prime/primitives';
import type { Json } from './format.ts';
import type { BlockRecord } from '../ports/ports.ts';
import { formatLog, logEntries } from './log.ts';

/** Fields that the interface document names. */
const documentFields = (record: BlockRecord, receipt: Receipt, logs: readonly Json[]): Json => ({
  transaction_hash: receipt.transactionHash,
  block_hash: record.hash,
  block_number: toQuantity(record.block.header.height),
  transaction_index: toQuantity(receipt.transactionIndex),
  status: toQuantity(receipt.status),
  gas_used: toQuantity(receipt.gasUsed),
  output: bytesToHex(receipt.output),
  logs,
  contract_address: receipt.contractAddress,
});

/** Fields of the execution-apis receipt. */
const ethereumFields = (record: BlockRecord, receipt: Receipt): Json => ({
  type: toQuantity(receipt.type),
  transactionHash: receipt.transactionHash,
  transactionIndex: toQuantity(receipt.transactionIndex),
  blockHash: record.hash,
  blockNumber: toQuantity(record.block.header.height),
  from: receipt.from,
  to: receipt.to,
  cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
  gasUsed: toQuantity(receipt.gasUsed),
  effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
  contractAddress: receipt.contractAddress,
  logsBloom: bytesToHex(receipt.logsBloom),
});

/**
 * @param receipts all receipts of the block: the logs of earlier ones give the place of this one's
 * @param index    which of them
 */
export function formatReceipt(record: BlockRecord, receipts: readonly Receipt[], index: number): Json {
  const receipt = receipts[index]!;
  let firstLog = 0;
  for (let earlier = 0; earlier < index; earlier++) firstLog += receipts[earlier]!.logs.length;
  const logs = logEntries(record, receipt, firstLog).map(formatLog);
  return { ...ethereumFields(record, receipt), ...documentFields(record, receipt, logs) };
}
