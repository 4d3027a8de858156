import type { ActionError, ActionResult } from '../types.ts';

/**
 * Why actions are refused: the code of each refusal, and its kind in one word, as clients are told it. The only list of both.
 * Neither is ever renamed or given to another refusal: results are part of what blocks commit to.
 */

/** Refusals of the order book and the bridge. */
export const orderRefusals = {
  CLOB_UNKNOWN_MARKET: 'unknown_market',
  CLOB_PRICE_OFF_TICK: 'tick',
  CLOB_SIZE_OFF_LOT: 'lot',
  CLOB_BAD_PRICE: 'bad_price',
  CLOB_BAD_SIZE: 'bad_size',
  CLOB_NOTIONAL_TOO_SMALL: 'notional_too_small',
  CLOB_POSITION_TOO_LARGE: 'position_too_large',
  CLOB_BAD_FLAGS: 'bad_flags',
  CLOB_INSUFFICIENT_MARGIN: 'insufficient_margin',
  CLOB_INSUFFICIENT_FUNDS: 'insufficient_funds',
  CLOB_INSUFFICIENT_COLLATERAL: 'insufficient_collateral',
  CLOB_PROFIT_UNPAID: 'profit_unpaid',
  CLOB_BAD_AMOUNT: 'bad_amount',
  CLOB_BAD_RECIPIENT: 'bad_recipient',
  CLOB_TOO_MANY_TRANSFERS: 'too_many_transfers',
  CLOB_NOT_LIQUIDATABLE: 'not_liquidatable',
  CLOB_UNKNOWN_ORDER: 'unknown_order',
  CLOB_ORDER_FILLED: 'order_filled',
  CLOB_ORDER_CANCELLED: 'order_cancelled',
  CLOB_UNKNOWN_CLIENT_ID: 'unknown_client_id',
  CLOB_NOT_OWNER: 'not_owner',
  CLOB_DUPLICATE_CLIENT_ID: 'duplicate_client_id',
  CLOB_POST_ONLY_WOULD_CROSS: 'post_only',
  CLOB_REDUCE_ONLY_WOULD_INCREASE: 'reduce_only',
  CLOB_ORDER_EXPIRED: 'order_expired',
  CLOB_BAD_EXPIRY: 'bad_expiry',
  CLOB_MARKET_EXISTS: 'market_exists',
  CLOB_BAD_SYMBOL: 'bad_symbol',
  CLOB_BAD_GRID: 'bad_grid',
  CLOB_BAD_MARGIN_PARAMS: 'bad_margin_params',
  CLOB_UNAUTHORIZED: 'unauthorized',
  CLOB_OWNS_NOTHING: 'owns_nothing',
  CLOB_BAD_AGENT: 'bad_agent',
  CLOB_AGENT_REVOKED: 'agent_revoked',
  CLOB_UNKNOWN_AGENT: 'unknown_agent',
  CLOB_TOO_MANY_AGENTS: 'too_many_agents',
  CLOB_SUB_ACCOUNT: 'sub_account',
  CLOB_SUB_ACCOUNT_EXISTS: 'sub_account_exists',
  CLOB_TOO_MANY_SUB_ACCOUNTS: 'too_many_sub_accounts',
  CLOB_NONCE: 'nonce',
  CLOB_EXPIRED: 'expired',
  CLOB_TOO_MANY_OPEN_ORDERS: 'too_many_open_orders',
  CLOB_CANCEL_ONLY_MARKET: 'cancel_only_market',
  CLOB_MARKET_HALTED: 'market_halted',
  CLOB_MARKET_SETTLING: 'market_settling',
  CLOB_MARKET_DELISTED: 'market_delisted',
  CLOB_OPEN_INTEREST: 'open_interest',
  CLOB_POSITION_LIMIT: 'position_limit',
  CLOB_PRICE_BAND: 'price_band',
  CLOB_ORDER_NOTIONAL: 'order_notional',
  CLOB_BAD_SCHEDULE: 'bad_schedule',
  CLOB_BLOCK_FULL: 'block_full',
  CLOB_ORACLE_STALE: 'oracle_stale',
  CLOB_POST_ONLY_MARKET: 'post_only_market',
  CLOB_NOT_A_REPORTER: 'not_a_reporter',
  CLOB_BAD_REPORT: 'bad_report',
  CLOB_BAD_CHANGE: 'bad_change',
  CLOB_NOT_A_VALIDATOR: 'not_a_validator',
  CLOB_BAD_PROPOSAL: 'bad_proposal',
  CLOB_TOO_MANY_PROPOSALS: 'too_many_proposals',
  CLOB_UNKNOWN_PROPOSAL: 'unknown_proposal',
  CLOB_TOO_MANY_TRIGGERS: 'too_many_triggers',
  CLOB_NOT_AVAILABLE: 'not_available',
} as const;

/** Refusals of actions of validators. */
export const stakingRefusals = {
  STAKING_FIXED_VALIDATORS: 'fixed_validators',
  STAKING_INSUFFICIENT_FUNDS: 'insufficient_funds',
  STAKING_UNKNOWN_VALIDATOR: 'unknown_validator',
  STAKING_ALREADY_REGISTERED: 'already_registered',
  STAKING_TOMBSTONED: 'tombstoned',
  STAKING_STAKE_TOO_SMALL: 'stake_too_small',
  STAKING_BAD_AMOUNT: 'bad_amount',
  STAKING_BAD_MONIKER: 'bad_moniker',
  STAKING_BAD_ENDPOINT: 'bad_endpoint',
  STAKING_BAD_SIGNER: 'bad_signer',
  STAKING_SIGNER_IN_USE: 'signer_in_use',
  STAKING_TOO_MANY_CHANGES: 'too_many_changes',
  STAKING_TOO_MANY_VALIDATORS: 'too_many_validators',
  STAKING_TOO_FEW_VALIDATORS: 'too_few_validators',
  STAKING_TOO_MUCH_POWER: 'too_much_power',
  STAKING_NOT_JAILED: 'not_jailed',
  STAKING_JAILED: 'jailed',
  STAKING_STILL_JAILED: 'still_jailed',
} as const;

const kinds = { ...orderRefusals, ...stakingRefusals } as const;

/** Code of a refusal, as results and the RPC error table hold it. */
export type RefusalCode = keyof typeof kinds;

/** The refusing half of an action's result. */
export type Refused = Extract<ActionResult, { readonly ok: false }>;

/** A refusal in words; its kind comes into its data. */
export const refuse = (code: RefusalCode, message: string, data: ActionError['data'] = {}): Refused => ({
  ok: false,
  error: { code, message, data: { kind: kinds[code], ...data } },
});

/** Whether an action was refused for that reason. */
export const isRefusedFor = (result: ActionResult, code: RefusalCode): boolean =>
  !result.ok && result.error.code === code;

/** The kind of a code; of one that this version does not know, the code without the domain before it. */
export const kindOfCode = (code: string): string =>
  (kinds as Readonly<Record<string, string>>)[code] ?? code.toLowerCase().replace(/^(?:clob|staking)_/, '');

/** Kind of a refusal in one word, as JSON-RPC tells it in `data.kind`. */
export const refusalKind = ({ code, data }: ActionError): string =>
  typeof data['kind'] === 'string' ? data['kind'] : kindOfCode(code);
