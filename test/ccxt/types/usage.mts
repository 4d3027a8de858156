/** What a program in TypeScript may do with the class: its instances are ccxt's exchanges, by ccxt's own types. */
import ccxt, { type Exchange, type Order } from 'ccxt';
import { createPrime, prime, pro } from '@prime/ccxt';

const rest: Exchange = new prime({ privateKey: '0x01' });
const streaming: Exchange = new pro.prime();

export const order: Promise<Order> = rest.createOrder('ETH/USD:USD', 'limit', 'buy', 1, 3000);
export const book: Promise<unknown> = streaming.watchOrderBook('ETH/USD:USD');
// Of another copy of ccxt, such as a browser's.
export const made = createPrime(ccxt).pro.prime;
// @ts-expect-error an amount in words
export const wrong = rest.createOrder('ETH/USD:USD', 'limit', 'buy', 'one', 3000);
