/** Values that the examples of the definitions share, so that they tell one story. */
export const sample = {
  address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  otherAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  /** Sub-account 1 of the first. */
  subAccount: '0xe85d5583fc57efdc98f8783965979369fb789790',
  /** Of a transaction. */
  hash: '0x9b5c1f3d7a6e4c2b8d0f1e3a5c7b9d2f4e6a8c0b1d3f5e7a9c2b4d6f8e0a1c3b',
  /** Of a block; also stands for roots. */
  otherHash: '0x3c1a0e8f6d4b2c9a7e5f3d1b0c8a6e4f2d9b7c5a3e1f0d8b2c4e6a7d3f1c5b9f',
  /** Height of the block of {@link sample.otherHash}, which holds the transaction of {@link sample.hash}. */
  height: '0x2a',
  /** A token: the first contract that {@link sample.address} deploys. */
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  /** A transfer of 1 wei, signed by the tenth account of the local network, and its hash. */
  rawTransaction:
    '0x02f86d821eef80843b9aca0085012a05f2008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a039ccec9bca3c02f1ff29be73b827f3a4a3b791fb1592119d8ab4772b2c0344e5a0303290f0b306826b00dd02c2646c8937e56e43feb3d80d8184b3a8116d09c8e8',
  rawTransactionHash: '0x71f757f8d06b9df534e2344f9254081243fb2e744f9718fe6fefcc763046bef1',
  /** The same of the ninth account. */
  otherRawTransaction:
    '0x02f86d821eef80843b9aca0085012a05f2008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0a953ff2e9b2fee3772327d8aa693d4108847dad82bfd0baa6b54c572a40ff69ea06ed82b6b14a8a5ea0e8d34926fc8575e087c4fa3423582bb2765040b7548bef2',
  /** Compressed, of a validator. */
  publicKey: '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  /** An account whose equity is below its maintenance margin. */
  indebted: '0x00000000000000000000000000000000000000d5',
  filterId: '0xb1d2c3a4958677f0e1d2c3b4a5968778',
  subscriptionId: '0xc7e0f19283a4b5d6978812fe340a5bcd',
  bloom: `0x${'0'.repeat(512)}`,
} as const;

const documentBlock = {
  number: sample.height,
  hash: sample.otherHash,
  proposer: sample.address,
  gas_limit: '0x1c9c380',
  gas_used: '0x5208',
  base_fee: '0x3b9aca00',
  state_root: sample.otherHash,
  domain_events: [],
  transactions: [sample.hash],
};

/** The sample block, as eth_ methods show it. */
export const sampleEthBlock = {
  ...documentBlock,
  parentHash: sample.otherHash,
  nonce: '0x0000000000000000',
  sha3Uncles: sample.hash,
  logsBloom: sample.bloom,
  transactionsRoot: sample.hash,
  stateRoot: sample.otherHash,
  receiptsRoot: sample.hash,
  miner: sample.address,
  difficulty: '0x0',
  totalDifficulty: '0x0',
  extraData: '0x',
  size: '0x3e8',
  gasLimit: '0x1c9c380',
  gasUsed: '0x5208',
  timestamp: '0x6748a1c0',
  mixHash: sample.otherHash,
  baseFeePerGas: '0x3b9aca00',
  uncles: [],
};

/** The same block as prime_ methods show it. */
export const sampleNativeBlock = {
  ...documentBlock,
  parent_hash: sample.otherHash,
  timestamp: '0x6748a1c0',
  timestamp_ms: '0x19378d2b000',
  orders_root: sample.hash,
  receipts_root: sample.hash,
  events_root: sample.hash,
  validators_hash: sample.hash,
  next_validators_hash: sample.hash,
  commit: { round: '0x0', signature_count: '0x1', signers: [sample.address] },
  last_commit_round: '0x0',
  transaction_count: '0x1',
  action_count: '0x0',
  actions: [],
  evidence: [],
};

/** An order that rests whole. */
export const sampleOrderValue = {
  order_id: '0x1',
  filled: '0x0',
  remaining: '0xa',
  trades: [],
  status: 'open',
  market_id: 1,
  decremented: '0x0',
  reason: null,
};

/** A transfer with EIP-1559 fees in the sample block. */
export const sampleTransaction = {
  hash: sample.hash,
  from: sample.address,
  type: '0x2',
  chainId: '0x1eef',
  nonce: '0x0',
  maxPriorityFeePerGas: '0x3b9aca00',
  maxFeePerGas: '0x77359400',
  gasPrice: '0x77359400',
  gas: '0x5208',
  to: sample.otherAddress,
  value: '0xde0b6b3a7640000',
  input: '0x',
  accessList: [],
  v: '0x0',
  yParity: '0x0',
  r: '0x1',
  s: '0x1',
  blockHash: sample.otherHash,
  blockNumber: sample.height,
  blockTimestamp: '0x6748a1c0',
  transactionIndex: '0x0',
};

/** Receipt of {@link sampleTransaction}. */
export const sampleEthReceipt = {
  type: '0x2',
  transactionHash: sample.hash,
  transactionIndex: '0x0',
  blockHash: sample.otherHash,
  blockNumber: sample.height,
  from: sample.address,
  to: sample.otherAddress,
  cumulativeGasUsed: '0x5208',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x77359400',
  contractAddress: null,
  logsBloom: sample.bloom,
  transaction_hash: sample.hash,
  block_hash: sample.otherHash,
  block_number: sample.height,
  transaction_index: '0x0',
  status: '0x1',
  gas_used: '0x5208',
  output: '0x',
  logs: [],
  contract_address: null,
};

/** A log in the sample block. */
export const sampleLog = {
  address: sample.contract,
  topics: [sample.hash],
  data: '0x',
  blockNumber: sample.height,
  blockHash: sample.otherHash,
  blockTimestamp: '0x6748a1c0',
  transactionHash: sample.hash,
  transactionIndex: '0x0',
  logIndex: '0x0',
  removed: false,
};

/** A deposit in the sample block. */
export const sampleEvent = {
  block_number: sample.height,
  block_hash: sample.otherHash,
  time_ms: '0x19378d2b000',
  index: '0x0',
  domain: 'orders',
  kind: 'collateral_deposited',
  transaction_hash: sample.hash,
  data: { address: sample.address, amount: '0xde0b6b3a7640000', collateral: '0xde0b6b3a7640000' },
};

/** Of a state with this one account. */
export const sampleAccountProof = {
  address: sample.address,
  accountProof: [
    '0xf872a120e9707d0e6171f728f7473c24cc0432a9b07eaaf1efed6a137a4a8c12c79552d9b84ef84c80880de0b6b3a7640000a056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421a0c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  ],
  balance: '0xde0b6b3a7640000',
  codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  nonce: '0x0',
  storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  storageProof: [],
};
