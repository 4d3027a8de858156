import { type MarginAccount, ordersAddress, type PrimeWalletActions } from '@prime/sdk';
import { collateralOf, type Desk, fail, marketsOf, textParameter, wantedOf } from '../desk.ts';
import type { Num, Params, Structure, Symbols } from '../library.ts';
import { parseDecimalDown } from '../numbers.ts';
import { parseMarginBalance, parsePosition, parseWalletBalance } from '../parse/account.ts';
import { plain } from '../plain.ts';

/** Names of the two places where coins of an account are. */
const marginNames: readonly string[] = ['margin', 'swap', 'trading', 'orders', 'clob'];
const walletNames: readonly string[] = ['wallet', 'spot', 'funding', 'evm'];

/** Collateral, or with `type: 'wallet'` the coins of the account in the EVM. */
export async function fetchBalance(desk: Desk, params: Params = {}): Promise<Structure> {
  const type = textParameter(desk, params, 'type') ?? 'swap';
  const address = desk.address();
  if (walletNames.includes(type))
    return parseWalletBalance(desk.exchange, address, await desk.reader.getBalance({ address }));
  if (!marginNames.includes(type))
    return fail(desk, 'BadRequest', `has balances of type ${[...marginNames, ...walletNames].join(', ')}, not ${type}`);
  return parseMarginBalance(desk.exchange, await desk.reader.getAccount({ address }));
}

/** Positions of an account as it stands. */
export async function parsePositions(desk: Desk, account: MarginAccount): Promise<Structure[]> {
  const markets = await marketsOf(desk, account.positions);
  return account.positions.map((position) =>
    parsePosition(desk.exchange, markets.get(position.marketId)!, { position, account }),
  );
}

/** One position per market: there is no hedge mode. */
export async function fetchPositions(desk: Desk, symbols?: Symbols): Promise<Structure[]> {
  const isWanted = wantedOf(desk, symbols);
  const positions = await parsePositions(desk, await desk.reader.getAccount({ address: desk.address() }));
  return positions.filter(({ symbol }) => isWanted(symbol as string));
}

/** Wei of collateral. @throws BadRequest for another currency, or for what is no amount above zero */
function toWei(desk: Desk, code: string, amount: Num): bigint {
  const collateral = collateralOf(desk.exchange);
  if (code !== collateral.code) return fail(desk, 'BadRequest', `moves ${collateral.code} only, not ${code}`);
  const wei = parseDecimalDown(desk.exchange.numberToString(amount), collateral.decimals);
  if (wei === null || wei <= 0n) return fail(desk, 'BadRequest', `takes amounts above 0 ${code}, not ${amount}`);
  return wei;
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/;

function toAddress(desk: Desk, text: string): `0x${string}` {
  if (!addressPattern.test(text))
    return fail(desk, 'InvalidAddress', `takes addresses of 0x and 40 hex digits, not ${text}`);
  return text.toLowerCase() as `0x${string}`;
}

/** Where an action was carried out. */
async function whereOf(desk: Desk, { hash, blockNumber }: { readonly hash: string; readonly blockNumber: bigint }) {
  const timestamp = await desk.times.timeOf(blockNumber);
  return { id: hash, txid: hash, timestamp, datetime: desk.exchange.iso8601(timestamp) };
}

/** Out of collateral, to any account of the EVM. Its status is `pending` until the chain's queue of transfers has carried it out. */
export async function withdraw(desk: Desk, code: string, amount: Num, address: string): Promise<Structure> {
  const to = toAddress(desk, address);
  const done = await desk.writer().withdrawCollateral({ amount: toWei(desk, code, amount), to, ...waitOf(desk) });
  return {
    info: plain(done),
    ...(await whereOf(desk, done)),
    type: 'withdrawal',
    currency: code,
    amount: desk.exchange.parseNumber(desk.exchange.numberToString(amount)),
    network: undefined,
    addressFrom: desk.address(),
    addressTo: to,
    address: to,
    tag: undefined,
    tagFrom: undefined,
    tagTo: undefined,
    status: 'pending',
    updated: undefined,
    comment: undefined,
    internal: false,
    fee: { cost: desk.exchange.parseNumber('0'), currency: code },
  };
}

const waitOf = (desk: Desk) => ({ timeoutMs: Number(desk.exchange.options['outcomeTimeout']) });

/** One move of coins, by where they are and where they go. @throws BadRequest for a pair that does not exist */
function mover(desk: Desk, from: string, to: string, amount: bigint) {
  const writer: PrimeWalletActions = desk.writer();
  const options = waitOf(desk);
  if (walletNames.includes(from) && marginNames.includes(to)) return writer.depositCollateral({ amount, ...options });
  if (marginNames.includes(from) && walletNames.includes(to))
    return writer.withdrawCollateral({ amount, to: desk.address(), ...options });
  if (marginNames.includes(from) && addressPattern.test(to))
    return writer.transferCollateral({ amount, to: toAddress(desk, to), ...options });
  return fail(
    desk,
    'BadRequest',
    `moves from wallet to margin, margin to wallet and margin to an address, not from ${from} to ${to}`,
  );
}

/** `wallet` to `margin` is a deposit of collateral, `margin` to `wallet` a withdrawal, `margin` to an address pays that account's margin. */
export async function transfer(desk: Desk, code: string, amount: Num, from: string, to: string): Promise<Structure> {
  const done = await mover(desk, from, to, toWei(desk, code, amount));
  const { id, timestamp, datetime } = await whereOf(desk, done);
  return {
    info: plain(done),
    id,
    timestamp,
    datetime,
    currency: code,
    amount: desk.exchange.parseNumber(desk.exchange.numberToString(amount)),
    fromAccount: from,
    toAccount: to,
    // A withdrawal waits in the chain's queue of transfers.
    status: done.type === 'transferQueued' ? 'pending' : 'ok',
  };
}

/** A plain payment to the order book's account is a deposit of its sender. */
export async function fetchDepositAddress(desk: Desk, code: string): Promise<Structure> {
  const { code: own } = collateralOf(desk.exchange);
  if (code !== own) return fail(desk, 'BadRequest', `takes deposits of ${own} only, not ${code}`);
  return {
    info: { sender: 'the account that pays is credited' },
    currency: code,
    network: undefined,
    address: ordersAddress,
    tag: undefined,
  };
}
