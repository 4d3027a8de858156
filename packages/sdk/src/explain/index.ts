export {
  type AdmissionCode,
  admissionCodes,
  admissionMeaning,
  admissionOf,
  explainWaiting,
  unknownTransactionText,
  type WaitingFacts,
} from './admission.ts';
export { type BehindFacts, explainBehind, type Lag, lagOf } from './behind.ts';
export type { Explanation } from './explanation.ts';
export {
  explainJailing,
  type Jailing,
  type JailingCause,
  type JailingFacts,
} from './jailing.ts';
export { keptOrNull } from './kept.ts';
export {
  explainLiquidation,
  explainNotLiquidated,
  type LiquidationFacts,
  type LiquidationStory,
  liquidationStory,
  type LiquidationWords,
  liquidationWords,
} from './liquidation.ts';
export { explainNoBlock, isLate, type NoBlockFacts, quorumOf, type Voter } from './noBlock.ts';
export { explainOrder, type MarginFigures, type OrderFacts } from './order.ts';
export { readJailing, type ReadJailingOptions } from './readJailing.ts';
export { explainedRefusals, explainRefusal, refusalMeaning, toldRefusal, type ToldRefusal } from './refusal.ts';
export {
  explainRevert,
  explainTransaction,
  type RefusalIn,
  revertReason,
  type Reverted,
  type TransactionFacts,
} from './transaction.ts';
export {
  amountText,
  coin,
  countOf,
  type DecimalFormat,
  formatBps,
  formatDecimal,
  formatDuration,
  formatInteger,
  formatMoment,
  formatPercent,
  formatWei,
  listNames,
  type MarketWords,
  priceWords,
  shortHex,
  sizeWords,
  wordsOf,
} from './words.ts';
