import { alias, type MethodDefinition, nativeAlias } from './define.ts';
import { traceBlockByHash } from './methods/debug/traceBlockByHash.ts';
import { traceBlockByNumber } from './methods/debug/traceBlockByNumber.ts';
import { traceCall } from './methods/debug/traceCall.ts';
import { traceTransaction } from './methods/debug/traceTransaction.ts';
import { accounts } from './methods/eth/client/accounts.ts';
import { getBlobBaseFee } from './methods/eth/feeMarket/blobBaseFee.ts';
import { blockNumber } from './methods/eth/client/blockNumber.ts';
import { call } from './methods/eth/execute/call.ts';
import { chainId } from './methods/eth/client/chainId.ts';
import { createAccessList } from './methods/eth/execute/createAccessList.ts';
import { estimateGas } from './methods/eth/execute/estimateGas.ts';
import { feeHistory } from './methods/eth/feeMarket/feeHistory.ts';
import { fillTransaction } from './methods/eth/sign/fillTransaction.ts';
import { gasPrice } from './methods/eth/feeMarket/gasPrice.ts';
import { getBalance } from './methods/eth/state/getBalance.ts';
import { getBlockByHash } from './methods/eth/block/getBlockByHash.ts';
import { getBlockByNumber } from './methods/eth/block/getBlockByNumber.ts';
import { getBlockReceipts } from './methods/eth/block/getBlockReceipts.ts';
import { getBlockTransactionCountByHash } from './methods/eth/block/getBlockTransactionCountByHash.ts';
import { getBlockTransactionCountByNumber } from './methods/eth/block/getBlockTransactionCountByNumber.ts';
import { getCode } from './methods/eth/state/getCode.ts';
import { getFilterChanges } from './methods/eth/filter/getFilterChanges.ts';
import { getFilterLogs } from './methods/eth/filter/getFilterLogs.ts';
import { getLogs } from './methods/eth/filter/getLogs.ts';
import { getProof } from './methods/eth/state/getProof.ts';
import { getStorageAt } from './methods/eth/state/getStorageAt.ts';
import { getTransactionByBlockHashAndIndex } from './methods/eth/transaction/getTransactionByBlockHashAndIndex.ts';
import { getTransactionByBlockNumberAndIndex } from './methods/eth/transaction/getTransactionByBlockNumberAndIndex.ts';
import { getTransactionByHash } from './methods/eth/transaction/getTransactionByHash.ts';
import { getTransactionCount } from './methods/eth/state/getTransactionCount.ts';
import { getTransactionReceipt } from './methods/eth/transaction/getTransactionReceipt.ts';
import { getUncleByBlockHashAndIndex } from './methods/eth/block/getUncleByBlockHashAndIndex.ts';
import { getUncleByBlockNumberAndIndex } from './methods/eth/block/getUncleByBlockNumberAndIndex.ts';
import { getUncleCountByBlockHash } from './methods/eth/block/getUncleCountByBlockHash.ts';
import { getUncleCountByBlockNumber } from './methods/eth/block/getUncleCountByBlockNumber.ts';
import { maxPriorityFeePerGas } from './methods/eth/feeMarket/maxPriorityFeePerGas.ts';
import { mining } from './methods/eth/client/mining.ts';
import { newBlockFilter } from './methods/eth/filter/newBlockFilter.ts';
import { newFilter } from './methods/eth/filter/newFilter.ts';
import { newPendingTransactionFilter } from './methods/eth/filter/newPendingTransactionFilter.ts';
import { protocolVersion } from './methods/eth/client/protocolVersion.ts';
import { sendRawTransaction } from './methods/eth/submit/sendRawTransaction.ts';
import { sendRawTransactionSync } from './methods/eth/submit/sendRawTransactionSync.ts';
import { sendTransaction } from './methods/eth/submit/sendTransaction.ts';
import { sign } from './methods/eth/sign/sign.ts';
import { signTransaction } from './methods/eth/sign/signTransaction.ts';
import { subscribe } from './methods/eth/filter/subscribe.ts';
import { signTypedData, signTypedDataV4 } from './methods/eth/sign/signTypedData.ts';
import { simulateV1 } from './methods/eth/execute/simulateV1.ts';
import { syncing } from './methods/eth/client/syncing.ts';
import { uninstallFilter } from './methods/eth/filter/uninstallFilter.ts';
import { unsubscribe } from './methods/eth/filter/unsubscribe.ts';
import { listening } from './methods/net/listening.ts';
import { peerCount } from './methods/net/peerCount.ts';
import { version } from './methods/net/version.ts';
import { getAccountTransactions } from './methods/prime/getAccountTransactions.ts';
import { getBlockActions } from './methods/prime/getBlockActions.ts';
import { consensusStatus } from './methods/prime/consensusStatus.ts';
import { getCommit } from './methods/prime/getCommit.ts';
import { getCommits } from './methods/prime/getCommits.ts';
import { network } from './methods/prime/network.ts';
import { getDomainEvents } from './methods/prime/getDomainEvents.ts';
import { getGenesis } from './methods/prime/getGenesis.ts';
import { getParameters } from './methods/prime/getParameters.ts';
import { getProposals } from './methods/prime/getProposals.ts';
import { registeredValidators } from './methods/prime/registeredValidators.ts';
import { validators } from './methods/prime/validators.ts';
import { dequeueEvmToOrders } from './methods/primebridge/dequeueEvmToOrders.ts';
import { dequeueOrdersToEvm } from './methods/primebridge/dequeueOrdersToEvm.ts';
import { enqueueEvmToOrders } from './methods/primebridge/enqueueEvmToOrders.ts';
import { enqueueOrdersToEvm } from './methods/primebridge/enqueueOrdersToEvm.ts';
import { addMarket } from './methods/primeorders/addMarket.ts';
import { batch } from './methods/primeorders/batch.ts';
import { cancelAll } from './methods/primeorders/cancelAll.ts';
import { placeTrigger } from './methods/primeorders/placeTrigger.ts';
import { scheduleCancel } from './methods/primeorders/scheduleCancel.ts';
import { cancelOrder } from './methods/primeorders/cancelOrder.ts';
import { depositCollateral } from './methods/primeorders/depositCollateral.ts';
import { getAccount } from './methods/primeorders/getAccount.ts';
import { getAgents } from './methods/primeorders/getAgents.ts';
import { getInsolvent } from './methods/primeorders/margin/getInsolvent.ts';
import { getMarketDebts } from './methods/primeorders/margin/getMarketDebts.ts';
import { getSubAccounts } from './methods/primeorders/getSubAccounts.ts';
import { getCandles } from './methods/primeorders/getCandles.ts';
import { getFills } from './methods/primeorders/history/getFills.ts';
import { getFunding } from './methods/primeorders/history/getFunding.ts';
import { getLiquidations } from './methods/primeorders/history/getLiquidations.ts';
import { getMarkets } from './methods/primeorders/getMarkets.ts';
import { getOpenOrders } from './methods/primeorders/getOpenOrders.ts';
import { getProof as getOrdersProof } from './methods/primeorders/getProof.ts';
import { getOrder } from './methods/primeorders/getOrder.ts';
import { getOrderBook } from './methods/primeorders/getOrderBook.ts';
import { getOrderHistory } from './methods/primeorders/history/getOrderHistory.ts';
import { getMids } from './methods/primeorders/getMids.ts';
import { getTickers } from './methods/primeorders/getTickers.ts';
import { getTrades } from './methods/primeorders/getTrades.ts';
import { getTransfers } from './methods/primeorders/history/getTransfers.ts';
import { isLiquidatable } from './methods/primeorders/margin/isLiquidatable.ts';
import { liquidate } from './methods/primeorders/margin/liquidate.ts';
import { setMarginParams } from './methods/primeorders/margin/setMarginParams.ts';
import { submitOrder } from './methods/primeorders/submitOrder.ts';
import { content } from './methods/txpool/content.ts';
import { contentFrom } from './methods/txpool/contentFrom.ts';
import { inspect } from './methods/txpool/inspect.ts';
import { status } from './methods/txpool/status.ts';
import { clientVersion } from './methods/web3/clientVersion.ts';
import { discoverMethod } from './methods/rpc/discover.ts';
import { sha3 } from './methods/web3/sha3.ts';
import { nativeBlockResult, orNull } from './schema/resultSchemas.ts';
import { sample, sampleNativeBlock } from './schema/samples.ts';

const nativeBlock = {
  result: orNull(nativeBlockResult),
  examples: [{ params: [sample.height, false], result: sampleNativeBlock }],
};
/** Every method that the node answers; validation, dispatch and documentation are made from this list. */
const methods: readonly MethodDefinition[] = [
  chainId,
  blockNumber,
  gasPrice,
  maxPriorityFeePerGas,
  feeHistory,
  accounts,
  syncing,
  mining,
  protocolVersion,
  getBalance,
  getTransactionCount,
  getCode,
  getStorageAt,
  getProof,
  call,
  estimateGas,
  createAccessList,
  simulateV1,
  getBlockByNumber,
  getBlockByHash,
  getBlockReceipts,
  getBlockTransactionCountByNumber,
  getBlockTransactionCountByHash,
  getTransactionByHash,
  getTransactionByBlockNumberAndIndex,
  getTransactionByBlockHashAndIndex,
  getTransactionReceipt,
  getLogs,
  newFilter,
  newBlockFilter,
  newPendingTransactionFilter,
  getFilterChanges,
  getFilterLogs,
  uninstallFilter,
  subscribe,
  unsubscribe,
  sendRawTransaction,
  sendRawTransactionSync,
  sendTransaction,
  signTransaction,
  signTypedDataV4,
  signTypedData,
  sign,
  fillTransaction,
  getBlobBaseFee,
  getUncleCountByBlockNumber,
  getUncleCountByBlockHash,
  getUncleByBlockNumberAndIndex,
  getUncleByBlockHashAndIndex,
  version,
  peerCount,
  listening,
  clientVersion,
  sha3,
  status,
  content,
  contentFrom,
  inspect,
  traceTransaction,
  traceBlockByNumber,
  traceBlockByHash,
  traceCall,
  nativeAlias(chainId, 'prime_chainId'),
  nativeAlias(blockNumber, 'prime_blockNumber'),
  nativeAlias(getBalance, 'prime_getBalance'),
  nativeAlias(gasPrice, 'prime_gasPrice'),
  nativeAlias(getCode, 'prime_getCode'),
  nativeAlias(getStorageAt, 'prime_getStorageAt'),
  nativeAlias(getTransactionCount, 'prime_getTransactionCount'),
  nativeAlias(call, 'prime_call'),
  nativeAlias(getBlockByNumber, 'prime_getBlockByNumber', nativeBlock),
  alias(getTransactionReceipt, 'prime_getTransactionReceipt'),
  alias(getTransactionByHash, 'prime_getTransactionByHash'),
  nativeAlias(sendTransaction, 'prime_sendTransaction'),
  alias(getLogs, 'prime_getLogs'),
  nativeAlias(subscribe, 'prime_subscribe'),
  nativeAlias(unsubscribe, 'prime_unsubscribe'),
  validators,
  registeredValidators,
  getDomainEvents,
  getCommit,
  getCommits,
  getAccountTransactions,
  consensusStatus,
  network,
  getBlockActions,
  getGenesis,
  getParameters,
  getProposals,
  addMarket,
  depositCollateral,
  setMarginParams,
  submitOrder,
  getOrderBook,
  getOpenOrders,
  getOrdersProof,
  cancelOrder,
  isLiquidatable,
  liquidate,
  getMarkets,
  getMids,
  getTickers,
  getCandles,
  getAccount,
  getAgents,
  getSubAccounts,
  getInsolvent,
  getMarketDebts,
  getOrder,
  getTrades,
  getFills,
  getOrderHistory,
  getFunding,
  getTransfers,
  getLiquidations,
  cancelAll,
  scheduleCancel,
  placeTrigger,
  batch,
  enqueueOrdersToEvm,
  dequeueOrdersToEvm,
  enqueueEvmToOrders,
  dequeueEvmToOrders,
];

/** Every method of the node. */
export const definitions: readonly MethodDefinition[] = [...methods, discoverMethod(methods)];
