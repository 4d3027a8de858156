import type { EncodedOutcome } from '@prime/clob';
import {
  type ActionResult,
  appendEvents,
  type DomainEvent,
  type ExecutableBlock,
  isSuccessAt,
  isValidatorAction,
  isValidatorType,
  replaceResults,
  stakingAddress,
  stakingRoot,
  type VerifiedAction,
} from '@prime/codec';
import {
  escrowOf,
  executeStakingBlock,
  stakingRefusal,
  type StakingOutcome,
  type ValidatorAction,
} from '@prime/consensus';
import { type EvmBlock } from '@prime/evm';
import { type Address, assert, type Hash } from '@prime/primitives';
import type { StakingDomain } from './staking.ts';

const slotZero = `0x${'00'.repeat(32)}` as Hash;

/** What the staking state made of a block, and the block's results and events with its own. */
export interface Bonded {
  /** null where the validators never change. */
  readonly staking: StakingOutcome | null;
  /** Encoded, see resultFrames.ts and eventFrames.ts of the codec. */
  readonly results: Uint8Array;
  readonly events: Uint8Array;
}

/**
 * The boundary between the EVM and the staking state during one block: wei that are bonded leave their owner before the transactions
 * run; when both domains are done the staking state has its turn, and what it releases or takes is paid out of escrow.
 *
 * The order book has judged nonce and signature of validator actions by then. That the account holds what the staking state answers
 * for is checked here: a difference stops the node before the block has a root.
 */
export class Bonding {
  readonly #evm: EvmBlock;
  readonly #staking: StakingDomain | null;
  readonly #before: bigint;
  /** By the index of the action. */
  readonly #debits = new Map<number, { readonly account: Address; readonly amount: bigint }>();
  #debited = 0n;

  constructor(evm: EvmBlock, staking: StakingDomain | null) {
    this.#evm = evm;
    this.#staking = staking;
    this.#before = evm.balance(stakingAddress);
  }

  /** Takes the wei of this block's actions from their owners, where they have them. */
  async debit(actions: readonly VerifiedAction[]): Promise<void> {
    if (this.#staking === null) return;
    for (const [index, { facts, transaction }] of actions.entries()) {
      const { account } = transaction;
      const amount = isValidatorType(facts.type) ? facts.debit : 0n;
      if (amount === 0n || account === stakingAddress || this.#evm.balance(account) < amount) continue;
      await this.#move(account, stakingAddress, amount);
      this.#debits.set(index, { account, amount });
    }
    this.#debited = this.#evm.balance(stakingAddress);
  }

  /** @throws InvariantError when escrow is not what the staking state adds up to */
  async settle(block: ExecutableBlock, outcome: Pick<EncodedOutcome, 'results' | 'events'>): Promise<Bonded> {
    const actions = validatorActions(block, outcome.results, (index) => this.#debits.has(index));
    if (this.#staking === null) return withRefusals(block, outcome, actions);
    const { state, rules } = this.#staking;
    const ran = this.#evm.balance(stakingAddress);
    assert(ran >= this.#debited, `the EVM took ${this.#debited - ran} wei out of stake`);
    const { height, timestampMs } = block.block.header;
    const { evidence, lastCommit } = block.block;
    const staking = executeStakingBlock(state, { height, timestampMs, evidence, lastCommit, actions }, rules);
    const results = replaceResults(outcome.results, staking.results);
    for (const [index, { account, amount }] of this.#debits)
      if (!isSuccessAt(results, index)) await this.#move(stakingAddress, account, amount);
    for (const { to, amount } of staking.payouts) await this.#move(stakingAddress, to, amount);
    const change = this.#evm.balance(stakingAddress) - ran + this.#debited - this.#before;
    const expected = escrowOf(staking.state) - escrowOf(state);
    assert(change === expected, `stake in escrow moved by ${change} wei, the staking state by ${expected}`);
    const held = this.#evm.balance(stakingAddress);
    assert(held >= escrowOf(staking.state), `${held} wei are in escrow for ${escrowOf(staking.state)} wei of stake`);
    if (staking.state !== state) await this.#evm.setStorage(stakingAddress, slotZero, stakingRoot(staking.state));
    const refused = rejections(block, actions, staking.results);
    return { staking, results, events: appendEvents(outcome.events, [...refused, ...staking.events]) };
  }

  async #move(from: Address, to: Address, amount: bigint): Promise<void> {
    assert(await this.#evm.transfer(from, to, amount), `${from} could not pay ${amount} that it was seen to have`);
  }
}

/** The block's actions for the staking state that the order book let pass. */
const validatorActions = (
  block: ExecutableBlock,
  results: Uint8Array,
  isFunded: (index: number) => boolean,
): ValidatorAction[] =>
  block.actions.flatMap(({ facts, transaction }, index) => {
    if (!isValidatorType(facts.type) || !isSuccessAt(results, index)) return [];
    const { account, payload } = transaction;
    return isValidatorAction(payload) ? [{ index, account, payload, funded: isFunded(index) }] : [];
  });

function withRefusals(
  block: ExecutableBlock,
  { results, events }: Pick<EncodedOutcome, 'results' | 'events'>,
  actions: readonly ValidatorAction[],
): Bonded {
  if (actions.length === 0) return { staking: null, results, events };
  const refused = new Map(actions.map(({ index }) => [index, stakingRefusal.fixedValidators()]));
  return {
    staking: null,
    results: replaceResults(results, refused),
    events: appendEvents(events, rejections(block, actions, refused)),
  };
}

/** The event that tells of a refused action, as the order book makes it for its own. */
const rejections = (
  block: ExecutableBlock,
  actions: readonly ValidatorAction[],
  results: ReadonlyMap<number, ActionResult>,
): DomainEvent[] =>
  actions.flatMap(({ index, account }) => {
    const result = results.get(index);
    if (result === undefined || result.ok) return [];
    const { hash } = block.actions[index]!;
    const reason = String(result.error.data['kind']);
    return [
      { domain: 'orders', kind: 'action_rejected', actionIndex: index, data: { account, hash, ticket: null, reason } },
    ];
  });
