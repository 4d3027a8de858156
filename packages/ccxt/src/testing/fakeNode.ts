import { createPrime, type PrimePro } from '../create.ts';
import { type Answer, fakeCcxt } from './fakeCcxt.ts';

/** A public key of development networks. */
export const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** ETH/USD as the local network has it, and one in whole units. */
const wireMarkets = [
  {
    market_id: 1,
    symbol: 'ETH/USD',
    tick_size: '0x5',
    lot_size: '0xa',
    base_decimals: 16,
    quote_decimals: 18,
    status: 'trading',
    last_price: '0x493e0',
    mark_price: '0x493e0',
    initial_margin_bps: 1000,
    maintenance_margin_bps: 500,
    fees: { taker_ppm: 500, maker_ppm: -100 },
  },
  {
    market_id: 2,
    symbol: 'BTC/USD',
    tick_size: '0xde0b6b3a7640000',
    lot_size: '0x1',
    base_decimals: 0,
    quote_decimals: 18,
    status: 'closed',
    last_price: null,
    mark_price: null,
    initial_margin_bps: 1000,
    maintenance_margin_bps: 500,
  },
];

const firstBlockMs = 1_700_000_000_000;
/** Blocks of the fake chain are a second apart. */
export const timeOfBlock = (block: bigint | number): number => firstBlockMs + Number(block) * 1000;

/** A block as `prime_getBlockByNumber` has it. */
const wireBlock = (block: number) => ({
  number: `0x${block.toString(16)}`,
  hash: `0x${'11'.repeat(32)}`,
  parent_hash: `0x${'22'.repeat(32)}`,
  proposer: other,
  timestamp_ms: `0x${timeOfBlock(block).toString(16)}`,
  gas_limit: '0x0',
  gas_used: '0x0',
  base_fee: '0x0',
  state_root: `0x${'33'.repeat(32)}`,
  orders_root: null,
  receipts_root: `0x${'55'.repeat(32)}`,
  events_root: `0x${'66'.repeat(32)}`,
  validators_hash: `0x${'44'.repeat(32)}`,
  next_validators_hash: `0x${'44'.repeat(32)}`,
  commit: null,
  last_commit_round: null,
  transaction_count: '0x0',
  action_count: '0x0',
  transactions: [],
  actions: [],
  domain_events: [],
  evidence: [],
});

/**
 * An exchange whose node is a function.
 *
 * @param answer what is not undefined takes the place of what every node of the tests says
 */
export function fakePrime(answer: Answer = () => undefined, config: object = {}) {
  const asked: { readonly method: string; readonly params: readonly unknown[] }[] = [];
  const head = 100;
  const node: Answer = (method, params) => {
    asked.push({ method, params });
    const own = answer(method, params);
    if (own !== undefined) return own;
    switch (method) {
      case 'primeorders_getMarkets':
        return wireMarkets;
      case 'prime_getParameters':
        return {
          block_number: '0x1',
          chain_id: 7919,
          consensus: {},
          evm: {},
          clob: { min_notional: '0x2386f26fc10000', initial_margin_bps: 1000, maintenance_margin_bps: 500 },
          markets: [],
        };
      case 'eth_blockNumber':
        return `0x${head.toString(16)}`;
      case 'prime_getBlockByNumber':
        return wireBlock(params[0] === 'latest' ? head : Number(params[0]));
      case 'eth_chainId':
        return '0x1eef';
      default:
        throw new Error(`the test has no answer to ${method}`);
    }
  };
  const { pro } = createPrime(fakeCcxt);
  const exchange = new pro.prime({ privateKey: key, node, ...config }) as PrimePro & { throttled: number };
  return { exchange, asked };
}
