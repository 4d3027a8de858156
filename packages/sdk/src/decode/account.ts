import type { RpcResult } from '../generated/methods.ts';
import type { Agent, MarginAccount, Position } from '../types/account.ts';
import { toBigint, toBigintOrNull, toNumber } from './quantity.ts';

type WireAccount = RpcResult<'primeorders_getAccount'>;

const funding = (wire: string | undefined) => (wire === undefined ? {} : { unsettledFunding: toBigint(wire) });

const decodePosition = (wire: WireAccount['positions'][number]): Position => ({
  marketId: wire.market_id,
  size: toBigint(wire.size),
  entry: toBigint(wire.entry),
  unrealized: toBigintOrNull(wire.unrealized),
  ...funding(wire.unsettled_funding),
});

/** From wire form: hex quantities become bigints of wei and plain numbers. */
export const decodeAccount = (wire: WireAccount): MarginAccount => ({
  address: wire.address,
  collateral: toBigint(wire.collateral),
  equity: toBigint(wire.equity),
  initialMargin: toBigint(wire.initial_margin),
  maintenanceMargin: toBigint(wire.maintenance_margin),
  freeCollateral: toBigint(wire.free_collateral),
  withdrawable: toBigint(wire.withdrawable),
  liquidatable: wire.liquidatable,
  locked: wire.locked,
  positions: wire.positions.map(decodePosition),
  openOrders: toNumber(wire.open_orders),
  scheduledCancelMs: wire.scheduled_cancel_ms === undefined ? null : toNumber(wire.scheduled_cancel_ms),
  ...funding(wire.unsettled_funding),
  ...(wire.sub_account === undefined ? {} : { subAccount: wire.sub_account }),
});

/** From wire form; the end of an approval is in ms since 1970, 0 for none. */
export const decodeAgent = (wire: RpcResult<'primeorders_getAgents'>[number]): Agent => ({
  agent: wire.agent,
  name: wire.name,
  permissions: wire.permissions,
  validUntilMs: toNumber(wire.expires_at),
  status: wire.status,
});
