import type { DepositFunding } from '@prime/clob';
import type { ActionResult, VerifiedAction } from '@prime/codec';
import type { EvmBlock } from '@prime/evm';
import { type Address, assert, bigintMin } from '@prime/primitives';

/** The order book's account in the EVM domain: its balance is the escrow behind all collateral. */
export const clobAddress = '0x0000000000000000000000000000000000000100' as Address;

/** A deposit whose wei are in escrow, with who paid which part. */
interface FundedDeposit extends DepositFunding {
  readonly account: Address;
  readonly ownAmount: bigint;
}

/**
 * Boundary phase: moves the wei of this block's deposits into escrow before either domain runs.
 *
 * What the depositor lacks comes from the faucet where genesis names one, otherwise the deposit stays unfunded and the order book
 * refuses it. No wei is created.
 */
export async function fundDeposits(
  evm: EvmBlock,
  actions: readonly VerifiedAction[],
  faucet: Address | null,
): Promise<FundedDeposit[]> {
  const deposits: FundedDeposit[] = [];
  for (const [actionIndex, { transaction }] of actions.entries()) {
    const { account, payload } = transaction;
    if (payload.type !== 'deposit') continue;
    const ownAmount = bigintMin(evm.balance(account), payload.amount);
    const faucetAmount = payload.amount - ownAmount;
    const funded =
      faucetAmount === 0n || (faucet !== null && evm.balance(faucet) >= faucetAmount && faucet !== account);
    if (funded) {
      await move(evm, account, clobAddress, ownAmount);
      if (faucet !== null) await move(evm, faucet, clobAddress, faucetAmount);
    }
    deposits.push({ actionIndex, funded, faucetAmount: funded ? faucetAmount : 0n, account, ownAmount });
  }
  return deposits;
}

/** Gives back what deposits brought that the order book refused (a replayed nonce, an expired action). */
export async function refundDeposits(
  evm: EvmBlock,
  deposits: readonly FundedDeposit[],
  results: readonly ActionResult[],
  faucet: Address | null,
): Promise<void> {
  for (const deposit of deposits) {
    const result = results[deposit.actionIndex];
    assert(result !== undefined, `the order book gave no result for action ${deposit.actionIndex}`);
    if (!deposit.funded || result.ok) continue;
    await move(evm, clobAddress, deposit.account, deposit.ownAmount);
    if (faucet !== null) await move(evm, clobAddress, faucet, deposit.faucetAmount);
  }
}

async function move(evm: EvmBlock, from: Address, to: Address, amount: bigint): Promise<void> {
  if (amount === 0n) return;
  assert(await evm.transfer(from, to, amount), `${from} could not pay ${amount} that it was seen to have`);
}
