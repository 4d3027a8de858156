import { type Block, bodyRoot, evidenceHash, lastCommitHash, nativeTransactionHash } from '@prime/codec';
import { keccakHex } from '@prime/crypto';

/** Whether a block holds what its header commits to. */
export const isWholeBlock = ({ header, transactions, actions, evidence, lastCommit }: Block): boolean =>
  header.bodyRoot === bodyRoot(transactions.map(keccakHex), actions.map(nativeTransactionHash)) &&
  header.evidenceHash === evidenceHash(evidence) &&
  header.lastCommitHash === lastCommitHash(lastCommit);
