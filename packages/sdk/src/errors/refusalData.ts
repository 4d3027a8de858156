import { camelCase } from '@prime/primitives';
import type { Address, Hex } from '../types/primitives.ts';

type Nothing = Readonly<Record<never, never>>;

/** The valid values next to one that is none; null where there is none. */
type NextTo = {
  readonly nearestBelow: bigint | null;
  readonly nearestAbove: bigint | null;
};
type OffTick = NextTo & { readonly price: bigint; readonly tickSize: bigint };
type OffLot = NextTo & { readonly size: bigint; readonly lotSize: bigint };

/** What each kind of refusal says besides its words. Amounts are those of the chain. */
export interface RefusalData {
  readonly unknown_market: { readonly marketId: number };
  readonly tick: OffTick;
  readonly lot: OffLot;
  readonly bad_price: OffTick;
  readonly bad_size: OffLot;
  readonly notional_too_small: { readonly minNotional: bigint };
  readonly order_notional: { readonly notional: bigint; readonly orderNotionalMax: bigint };
  /** One of the last two is null: a buy has a highest price, a sell a lowest one. */
  readonly price_band: {
    readonly price: bigint;
    readonly markPrice: bigint;
    readonly lowest: bigint | null;
    readonly highest: bigint | null;
  };
  readonly position_limit: { readonly possible: bigint; readonly positionMax: bigint };
  readonly open_interest: {
    readonly openInterest: bigint;
    readonly opened: bigint;
    readonly openInterestMax: bigint;
  };
  readonly position_too_large: Nothing;
  readonly bad_flags: Nothing;
  readonly insufficient_margin: { readonly required: bigint; readonly free: bigint };
  readonly insufficient_funds: Nothing;
  readonly insufficient_collateral: { readonly withdrawable: bigint };
  readonly profit_unpaid: { readonly marketId: number; readonly unpaid: bigint; readonly withdrawable: bigint };
  readonly bad_amount: Nothing;
  readonly bad_recipient: { readonly address: Address };
  readonly too_many_transfers: { readonly limit: number };
  readonly not_liquidatable: { readonly address: Address };
  readonly unknown_order: { readonly orderId: number };
  readonly order_filled: { readonly orderId: number };
  readonly order_cancelled: { readonly orderId: number };
  readonly unknown_client_id: { readonly clientId: Hex };
  readonly not_owner: { readonly orderId: number };
  readonly duplicate_client_id: { readonly orderId: number };
  readonly post_only: Nothing;
  readonly reduce_only: Nothing;
  readonly order_expired: Nothing;
  readonly bad_expiry: { readonly expiresAt: number };
  readonly market_exists: { readonly symbol: string };
  readonly bad_symbol: Nothing;
  readonly bad_grid: Nothing;
  readonly bad_margin_params: Nothing;
  readonly unauthorized: { readonly signer: Address; readonly account: Address };
  readonly owns_nothing: { readonly signer: Address };
  readonly bad_agent: Nothing;
  readonly agent_revoked: { readonly agent: Address };
  readonly unknown_agent: { readonly agent: Address };
  readonly too_many_agents: { readonly limit: number };
  readonly sub_account: { readonly account: Address; readonly owner: Address };
  readonly sub_account_exists: { readonly address: Address; readonly owner: Address; readonly index: number };
  readonly too_many_sub_accounts: { readonly limit: number };
  readonly nonce: Nothing;
  readonly expired: Nothing;
  readonly too_many_open_orders: { readonly limit: number };
  readonly cancel_only_market: { readonly marketId: number };
  readonly market_halted: { readonly marketId: number };
  readonly market_settling: { readonly marketId: number };
  readonly market_delisted: { readonly marketId: number };
  readonly bad_change: { readonly parameter: string; readonly value: string; readonly allowed: string };
  readonly not_a_validator: { readonly account: Address };
  /** The heights of one that can not be made, else the proposal that is there. */
  readonly bad_proposal: {
    readonly activationHeight?: number;
    readonly expiryHeight?: number;
    readonly leastHeight?: number;
    readonly mostHeight?: number;
    readonly proposal?: Hex;
  };
  readonly too_many_proposals: { readonly limit: number };
  readonly unknown_proposal: { readonly proposal: Hex };
  readonly too_many_triggers: { readonly limit: number };
  readonly bad_schedule: { readonly atMs: number; readonly earliestMs: number };
  readonly block_full: { readonly limit: number };
  readonly oracle_stale: { readonly marketId: number };
  /** `untilMs` is null where the market stays so until that is changed. */
  readonly post_only_market: { readonly marketId: number; readonly untilMs: number | null };
  readonly not_a_reporter: { readonly signer: Address; readonly account: Address };
  readonly bad_report: Nothing;
  readonly not_available: { readonly type: string };
  readonly fixed_validators: Nothing;
  readonly unknown_validator: Nothing;
  readonly already_registered: Nothing;
  readonly tombstoned: Nothing;
  readonly stake_too_small: { readonly stake: bigint; readonly minStake: bigint };
  readonly bad_moniker: Nothing;
  readonly bad_endpoint: Nothing;
  readonly bad_signer: Nothing;
  readonly signer_in_use: Nothing;
  readonly too_many_changes: { readonly limit: number };
  readonly too_many_validators: { readonly limit: number };
  readonly too_few_validators: { readonly minValidators: number };
  readonly too_much_power: { readonly power: bigint; readonly total: bigint };
  readonly not_jailed: Nothing;
  readonly jailed: Nothing;
  readonly still_jailed: { readonly jailedUntilMs: number };
}

/** Stable name of a refusal: `data.kind` of the JSON-RPC error. */
export type RefusalKind = keyof RefusalData;

/** Fields whose hex text is an amount or a number; all others stand as they are. */
const amounts = new Set([
  'price',
  'size',
  'nearestBelow',
  'nearestAbove',
  'tickSize',
  'lotSize',
  'minNotional',
  'notional',
  'orderNotionalMax',
  'markPrice',
  'lowest',
  'highest',
  'possible',
  'positionMax',
  'openInterest',
  'opened',
  'openInterestMax',
  'required',
  'free',
  'unpaid',
  'withdrawable',
  'stake',
  'minStake',
  'power',
  'total',
]);
const numbers = new Set([
  'marketId',
  'orderId',
  'limit',
  'expiresAt',
  'minValidators',
  'jailedUntilMs',
  'atMs',
  'earliestMs',
]);
/** What the wire has besides the fields of the kind. */
const common = new Set(['kind', 'reason', 'hash']);

/** Hex with a sign as the wire has it. */
function signedBigint(value: string | number): bigint {
  const text = String(value);
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

/** The data of a refusal in camelCase, with amounts as bigint and ids as number. Fields that this version does not know stay as they are. */
export function decodeRefusalData(wire: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(wire)
      .filter(([name]) => !common.has(name))
      .map(([wireName, value]) => {
        const name = camelCase(wireName);
        if (typeof value !== 'string' && typeof value !== 'number') return [name, value];
        if (amounts.has(name)) return [name, signedBigint(value)];
        return [name, numbers.has(name) ? Number(value) : value];
      }),
  );
}
