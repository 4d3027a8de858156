/** Rows of the compatibility table, in their order: what a client is put through. The programs of `test/clients` use the keys. */
export const capabilities = {
  connect: 'chain id, blocks, balances; null for what does not exist',
  addresses: 'addresses in any letter case, no name service',
  deploy: 'deploy a contract',
  write: 'write, wait for the receipt',
  read: 'read: structs, immutables, storage',
  history: 'reads at past blocks',
  legacy: 'transactions of type 0',
  accessListTransaction: 'transactions of type 1',
  dynamicFee: 'transactions of type 2',
  setCode: 'transactions of type 4 (EIP-7702)',
  nodeSigned: 'transactions that the node signs',
  nonces: '20 sends at once, from a key and from the node',
  fees: 'fee and gas estimation, legacy and EIP-1559',
  sendSync: 'send and get the receipt in one call (EIP-7966)',
  reverts: 'reverts decoded: text, custom error, panic',
  failedTransactions: 'receipts of failed transactions',
  typedErrors: 'errors recognised: parameters, method, nonce, funds',
  events: 'event queries by topics, ranges, block hash',
  watch: 'events and blocks by polling',
  webSocket: 'events and blocks by WebSocket',
  batch: 'batched requests',
  multicall: 'Multicall3',
  create2: 'CREATE2 through the deployment proxy',
  pool: 'pending block, waiting transactions',
  proof: 'account and storage proofs',
  accessList: 'access list creation',
  overrides: 'calls with state overrides',
  simulate: 'simulation of blocks',
  trace: 'traces',
} as const;

export type Capability = keyof typeof capabilities;

export const capabilityNames = Object.keys(capabilities) as Capability[];
