import { type ActionPayload, type ContractAction, type ContractPayload, subAccountAddress } from '@prime/codec';
import type { Address, Hash, Prng } from '@prime/primitives';
import { authorityOf } from '../state/accounts.ts';
import type { ClobState } from '../state/state.ts';
import { addressOf, order, type Step } from './harness.ts';
import { traders } from './streams.ts';

/** Keys that sign for others, and keys of nobody. */
const agents = [1, 2, 3, 4].map((index) => addressOf(0xa00 + index));
const strangers = [1, 2].map((index) => addressOf(0xf00 + index));

const pick = <T>(random: Prng, values: readonly T[]): T => values[random.below(values.length)]!;

export interface SigningOptions {
  readonly state: ClobState;
  readonly timeMs: number;
}

/**
 * Has the actions of a block signed: by the account, by agents that may and agents that may not, by keys of nobody, and now and then by
 * nobody at all. Some become approvals, revocations and locks; a nonce is used twice at times.
 */
export function signed(random: Prng, steps: readonly Step[], { state, timeMs }: SigningOptions): Step[] {
  const hasSubAccounts = state.params.subAccountsMax !== undefined;
  return steps.map((plain, index) => {
    const step = hasSubAccounts ? ofSubAccount(random, plain, state) : plain;
    const { account } = step;
    const owner = authorityOf(state.accountOf.get(account), account);
    const payload = random.chance(1, 10) ? randomAuthority(random, timeMs, hasSubAccounts) : step.payload;
    const nonce = timeMs + (random.chance(1, 40) ? 0 : index);
    if (random.chance(1, 40)) {
      const signer = pick(random, strangers);
      const own = random.chance(1, 2) ? signer : account;
      return { ...step, account: own, payload, signer, signatureKind: 'raw', nonce, outsider: true };
    }
    const isLocked = state.accountOf.get(account)?.locked === true;
    if (isLocked ? random.chance(1, 30) : !random.chance(1, 20)) return { ...step, payload };
    const approved = [...(state.agents.get(owner)?.keys() ?? [])];
    const signer =
      approved.length > 0 && random.chance(1, 5) ? pick(random, random.chance(1, 8) ? agents : approved) : owner;
    return { ...step, payload, signer, signatureKind: 'raw', nonce, outsider: random.chance(1, 4) };
  });
}

/** Numbers of the sub-accounts that owners have, or could have. */
const indexes = [1, 2, 3, 4] as const;

/** The step of an owner, for one of his sub-accounts at times; whom it pays or liquidates may be one as well, also one that is not made yet. */
function ofSubAccount(random: Prng, step: Step, state: ClobState): Step {
  const some = (): Address => subAccountAddress(pick(random, traders), pick(random, indexes));
  const own = subAccountAddress(step.account, pick(random, indexes));
  const account = state.accountOf.get(own)?.subAccount != null && random.chance(1, 3) ? own : step.account;
  const { payload } = step;
  const isPaid = payload.type === 'transfer' || payload.type === 'enqueueEvmToOrders';
  if (isPaid && random.chance(2, 3))
    return { ...step, account, payload: { ...payload, to: random.chance(1, 2) ? own : some() } };
  if (payload.type === 'liquidate' && random.chance(1, 2))
    return { ...step, account, payload: { ...payload, address: some() } };
  return { ...step, account };
}

function randomAuthority(random: Prng, timeMs: number, hasSubAccounts: boolean): ActionPayload {
  if (hasSubAccounts && random.chance(1, 3)) return { type: 'createSubAccount', index: pick(random, indexes) };
  const dice = random.below(20);
  if (dice < 1) return { type: 'validatorUnjail' };
  if (dice < 2) return { type: 'lockAccount' };
  if (dice < 3) return { type: 'noop' };
  if (dice < 8) return { type: 'scheduleCancel', atMs: random.chance(1, 4) ? 0 : timeMs + 4500 + random.below(2500) };
  return dice < 17
    ? randomApproval(random, timeMs, hasSubAccounts ? 17 : 9)
    : { type: 'revokeAgent', agent: pick(random, agents) };
}

/** @param permissions up to this one, which is too many */
function randomApproval(
  random: Prng,
  timeMs: number,
  permissions: number,
): Extract<ActionPayload, { type: 'approveAgent' }> {
  // Tombstones stay: there is always a new key to approve.
  const agent = random.chance(1, 12)
    ? pick(random, traders)
    : random.chance(1, 2)
      ? pick(random, agents)
      : addressOf(0xb000 + random.below(200));
  const expiry = random.chance(1, 2) ? 0 : timeMs - 500 + random.below(20_000);
  return { type: 'approveAgent', agent, expiry, permissions: random.below(permissions), name: 'bot' };
}

/** What contracts asked for in the block before, with tickets from one on. */
export function randomWrites(random: Prng, ticket: number, center: number): ContractAction[] {
  return Array.from({ length: random.below(4) }, (_, index): ContractAction => {
    const number = ticket + index;
    const transactionHash = `0x${number.toString(16).padStart(64, '0')}` as Hash;
    return { ticket: number, transactionHash, account: pick(random, traders), payload: randomWrite(random, center) };
  });
}

function randomWrite(random: Prng, center: number): ContractPayload {
  const clientId = `0x${random.below(4).toString(16).padStart(32, '0')}`;
  const to = pick<Address>(random, traders);
  const dice = random.below(20);
  if (dice < 7) {
    const tif = pick(random, ['gtc', 'gtc', 'ioc', 'fok'] as const);
    const [price, size] = [BigInt(center - 4 + random.below(9)), BigInt(random.below(30))];
    const more = {
      tif,
      clientId: random.chance(1, 2) ? clientId : null,
      reduceOnly: random.chance(1, tif === 'gtc' ? 6 : 4),
    };
    return order(pick(random, ['buy', 'sell'] as const), price, size, more) as ContractPayload;
  }
  if (dice < 11) return { type: 'deposit', to, amount: BigInt(1 + random.below(4000)) };
  if (dice < 13) return { type: 'withdraw', to, amount: BigInt(random.below(3000)) };
  if (dice < 15) return { type: 'liquidate', address: to };
  if (dice < 16) return { type: 'cancelAll', marketId: null };
  if (dice < 18) return { type: 'cancelByClientId', clientId };
  if (dice < 19) return { type: 'revokeAgent', agent: pick(random, agents) };
  return { type: 'approveAgent', agent: pick(random, agents), expiry: 0, permissions: 1 + random.below(7), name: 'c' };
}
