export { type Asked, type JsonError, tradeWords, wrongAnswers } from './answers.ts';
export { answerDifferences } from './answerDifferences.ts';
export {
  Audit,
  type AuditedGenesis,
  type AuditOptions,
  type JudgedAction,
  type ModelOrderView,
  type StreamExpectation,
  type Wanted,
} from './audit.ts';
export { bookOf, type Level } from './book.ts';
export { type AuditedNode, type Call, toHex } from './rpc/call.ts';
export {
  agreement,
  type BlockClaim,
  blockClaimOf,
  type BlockTime,
  type ChainView,
  progress,
  readBlockClaims,
  readChainViews,
  roots,
  whyNoBlock,
} from './chainViews.ts';
export * from './chaos/evidence.ts';
export { judge, judgeFaults, signaturesFinding } from './chaos/judge.ts';
export { calledIn, type DecidedBlock, deployedIn, type ExecutedTransaction, revertedIn } from './decidedBlock.ts';
export { differing, wrongReads } from './endState.ts';
export { AuditError, type AuditErrorDetail } from './errors.ts';
export { type Finding, finding, seconds, type Verdict, verdictOf } from './finding.ts';
export { EvmLedger, type LedgerAccount, type LedgerStart } from './ledger/ledger.ts';
export { balancesFinding, readAccounts, tokensFinding } from './ledger/ledgerReads.ts';
export { factsAsAnswered, modelAction, type OutsideFacts } from './modelAction.ts';
export { type BlockRange, readBlocksByRpc, verifiedAction } from './rpc/rpcBlocks.ts';
export { readGenesisByRpc } from './rpc/rpcGenesis.ts';
export { bookFinding, type ReadNetwork } from './bookFinding.ts';
export { TokenLedger, type TokenStart } from './ledger/tokens.ts';
export { worthOf } from './worth.ts';
