/** The 63 methods of the interface document, by namespace: what clients may rely on. All others are extensions. */
export const contract = {
  eth: [
    'blockNumber',
    'chainId',
    'gasPrice',
    'maxPriorityFeePerGas',
    'feeHistory',
    'accounts',
    'syncing',
    'mining',
    'protocolVersion',
    'getBalance',
    'getTransactionCount',
    'getCode',
    'getStorageAt',
    'call',
    'estimateGas',
    'getBlockByNumber',
    'getBlockByHash',
    'getTransactionByHash',
    'getTransactionReceipt',
    'getLogs',
    'sendTransaction',
    'sendRawTransaction',
    'getUncleCountByBlockNumber',
    'getUncleCountByBlockHash',
    'newFilter',
    'newBlockFilter',
    'newPendingTransactionFilter',
    'getFilterChanges',
    'getFilterLogs',
    'uninstallFilter',
  ],
  net: ['version', 'peerCount', 'listening'],
  web3: ['clientVersion'],
  txpool: ['status'],
  prime: [
    'chainId',
    'blockNumber',
    'getBalance',
    'gasPrice',
    'getCode',
    'getStorageAt',
    'getTransactionCount',
    'call',
    'getBlockByNumber',
    'getTransactionReceipt',
    'getTransactionByHash',
    'sendTransaction',
    'getLogs',
    'validators',
    'getDomainEvents',
  ],
  primeorders: [
    'addMarket',
    'submitOrder',
    'cancelOrder',
    'getOrderBook',
    'getOpenOrders',
    'depositCollateral',
    'setMarginParams',
    'isLiquidatable',
    'liquidate',
  ],
  primebridge: ['enqueueOrdersToEvm', 'enqueueEvmToOrders', 'dequeueOrdersToEvm', 'dequeueEvmToOrders'],
} as const;

/** Full names, `eth_blockNumber` first. */
export const contractMethods: readonly string[] = Object.entries(contract).flatMap(([namespace, names]) =>
  names.map((name) => `${namespace}_${name}`),
);

const names: ReadonlySet<string> = new Set(contractMethods);

/** Whether a method belongs to the interface document. */
export const isContractMethod = (name: string): boolean => names.has(name);
