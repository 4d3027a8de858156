import { accountRecordKey, type SubAccount } from '@prime/codec';
import { type Address, hexToBytes } from '@prime/primitives';
import type { AccountTriggers } from '../triggers/accountTriggers.ts';
import { type Exposure, type MarginSums, noTerms } from '../book/exposure.ts';
import { noOrder } from '../book/orderIndex.ts';
import { exactMax, type Quantity } from '../book/quantity.ts';

/** What an account keeps; not part of what an undo restores. */
interface KeptMargin {
  readonly sums: MarginSums;
  /** Pricing of the sums; 0 before the first. */
  pricing: number;
  /** Exposures that changed since. */
  readonly changed: Exposure[];
}

/** What is known of an account's free collateral from below, see room.ts. */
export interface Room {
  most: number;
  spent: number;
  /** Positions and open orders of all markets at their prices, wei, at least. */
  gross: number;
  /** Drift of the state up to which `spent` is counted. */
  drift: number;
  /** Regime of the state in which the others hold; 0 for none. */
  regime: number;
}

/** An account's part of the sum over all accounts, see ledger.ts. */
interface CountedWorth {
  collateral: bigint;
  /** Paid for positions, those of shorts positive. */
  opened: number | bigint;
}

/** An account while the engine runs: what its record holds, its open orders, and sums that save computing them anew. */
export class Account {
  /** Place in the engine's list of accounts. */
  readonly index: number;
  readonly address: Address;
  readonly addressBytes: Uint8Array;
  readonly recordKey: Uint8Array;
  /** Only signed actions are accepted. */
  locked = false;
  /** Whose it is; null for an account with a key of its own. Such a one is locked, because its owner signs. */
  subAccount: SubAccount | null = null;
  /** By market id; all-zero entries count like absent ones. */
  readonly exposures: Exposure[] = [];
  openOrders = 0;
  /** Open orders by id, linked through the order pool. */
  firstOrder = noOrder;
  lastOrder = noOrder;
  /** Open orders with a client id. */
  readonly clientIds = new Map<string, number>();
  /** Ids of remembered orders by the client ids that they keep, see orderMemory.ts; null while there was none. */
  endedClientIds: Map<string, number> | null = null;
  /** Null while there was none. */
  triggers: AccountTriggers | null = null;
  /** What the account was worth in the sum over all accounts at the last commit, see ledger.ts. */
  readonly counted: CountedWorth = { collateral: 0n, opened: 0 };
  /** What was paid for its positions at the end of the open block, as the check of conservation found it. */
  opened: number | bigint = 0;
  readonly kept: KeptMargin = { sums: { ...noTerms }, pricing: 0, changed: [] };
  /** See room.ts. */
  readonly room: Room = { most: 0, spent: 0, gross: 0, drift: 1, regime: 0 };
  savedIn = 0;
  touchedIn = 0;
  /** Collateral is the sum of both, wei; the second is exact. */
  base = 0n;
  gain = 0;

  constructor(index: number, address: Address) {
    this.index = index;
    this.address = address;
    this.addressBytes = hexToBytes(address, 20);
    this.recordKey = accountRecordKey(address);
  }

  /** Wei; negative is bad debt. */
  get collateral(): bigint {
    if (this.gain !== 0) this.collateral = this.base + BigInt(this.gain);
    return this.base;
  }
  set collateral(value: bigint) {
    this.base = value;
    this.gain = 0;
  }

  add(wei: Quantity): void {
    const gain = typeof wei === 'number' ? this.gain + wei : Number.POSITIVE_INFINITY;
    if (gain <= exactMax && gain >= -exactMax) this.gain = gain;
    else this.collateral += BigInt(wei);
  }
}

/** Who signs for an account, or has agents that do. */
export const authorityOf = (known: Account | undefined, address: Address): Address =>
  known?.subAccount?.owner ?? address;

/** Whether an account has anything; one that has not has no record, so that the records do not tell who once had one. */
export const hasAnything = (account: Account): boolean =>
  account.collateral !== 0n || account.locked || hasPosition(account) || hasClaim(account);

const hasClaim = ({ exposures }: Account): boolean =>
  exposures.some(({ exactClaim, bigClaim }) => exactClaim !== 0 || bigClaim !== null);

/** Whether an account is long or short in any market; open orders are no position. */
export const hasPosition = ({ exposures }: Account): boolean =>
  exposures.some(({ big, lots }) => (big === null ? lots !== 0 : big.size !== 0n));

/** Money that is the account's whatever becomes of its claims, wei, see claims.ts; below 0 where fees took more than that. */
export function ownOf({ collateral, exposures }: Account): bigint {
  let own = collateral;
  let exact = 0;
  for (const { exactClaim, bigClaim } of exposures) {
    const sum = exact + exactClaim;
    if (bigClaim === null && Number.isSafeInteger(sum)) exact = sum;
    else own -= bigClaim ?? BigInt(exactClaim);
  }
  return exact === 0 ? own : own - BigInt(exact);
}

/** Whether an account has a loss in any market that it did not pay. */
export const owesAnywhere = ({ exposures }: Account): boolean => exposures.some(({ owes }) => owes);

/** Whether an account owes something, or gave away more than it had. */
export const isShort = (account: Account): boolean => owesAnywhere(account) || ownOf(account) < 0n;

/** Where a market's exposure stands, or would have to be inserted. */
export function exposurePlace({ exposures }: Account, marketId: number): number {
  // Ids of markets begin with 1, so it stands no further behind; who trades in all markets has it just there.
  let high = Math.min(exposures.length, marketId);
  if (high > 0 && exposures[high - 1]!.marketId === marketId) return high - 1;
  let low = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (exposures[middle]!.marketId < marketId) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An account's exposure in a market, which may be all zero. @returns undefined where it has none */
export function findExposure(account: Account, marketId: number): Exposure | undefined {
  const exposure = account.exposures[exposurePlace(account, marketId)];
  return exposure?.marketId === marketId ? exposure : undefined;
}

/** Notes that an exposure is not what its account's sums hold any more. */
export function noteChanged({ kept }: Account, exposure: Exposure): void {
  if (exposure.kept.isChanged) return;
  exposure.kept.isChanged = true;
  kept.changed.push(exposure);
}
