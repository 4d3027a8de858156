import type { Command } from 'commander';
import { formatEther } from 'viem';
import { coin, parseAmount } from '../../client/amounts.ts';
import { print } from '../../terminal/output.ts';
import { asSigner, parseAddress, type SignerFlags, withSigner } from '../../client/signer.ts';

/** `prime deposit`: from the balance into collateral. */
export function addDepositCommand(program: Command): void {
  withSigner(program.command('deposit'))
    .description(`Move ${coin} of the balance into collateral, to trade with`)
    .argument('<amount>', `${coin}, such as 100 or 0.5`)
    .action(deposit);
}

/** `prime withdraw`: from collateral into a balance. */
export function addWithdrawCommand(program: Command): void {
  withSigner(program.command('withdraw'))
    .description(`Move ${coin} of the collateral back into a balance`)
    .argument('<amount>', `${coin}, such as 100 or 0.5`)
    .option('--to <address>', 'whose balance (default: of the account itself)')
    .action(withdraw);
}

/** `prime transfer`: collateral to another account. */
export function addTransferCommand(program: Command): void {
  withSigner(program.command('transfer'))
    .description('Move collateral to another account, at once')
    .argument('<amount>', `${coin}, such as 100 or 0.5`)
    .argument('<to>', 'address of the other account')
    .action(transfer);
}

async function deposit(text: string, flags: SignerFlags): Promise<void> {
  const amount = parseAmount(text, 'AMOUNT');
  await asSigner(flags, async ({ wallet, owner }) => {
    const { collateral, hash, blockNumber } = await wallet.depositCollateral({ owner, amount });
    const view = {
      address: owner,
      amount: formatEther(amount),
      collateral: formatEther(collateral),
      block: Number(blockNumber),
      hash,
    };
    print(flags, view, () => [
      `deposited ${view.amount} ${coin}; collateral of ${owner} is ${view.collateral} ${coin}, block ${blockNumber}`,
    ]);
  });
}

async function transfer(text: string, target: string, flags: SignerFlags): Promise<void> {
  const amount = parseAmount(text, 'AMOUNT');
  const to = parseAddress(target, 'TO');
  await asSigner(flags, async ({ wallet, owner }) => {
    const { collateral, hash, blockNumber } = await wallet.transferCollateral({ owner, amount, to });
    const view = {
      from: owner,
      to,
      amount: formatEther(amount),
      collateral: formatEther(collateral),
      block: Number(blockNumber),
      hash,
    };
    print(flags, view, () => [
      `transferred ${view.amount} ${coin} to ${to}; ${view.collateral} ${coin} are left, block ${blockNumber}`,
    ]);
  });
}

/** More than a block carries out of a queue: what was queued before goes first. */
const dequeueMax = 1_000;

/** A withdrawal waits in a queue. Where the chain does not carry it out by itself anybody may, and this does. */
async function withdraw(text: string, { to: target, ...flags }: SignerFlags & { readonly to?: string }): Promise<void> {
  const amount = parseAmount(text, 'AMOUNT');
  const given = target === undefined ? null : parseAddress(target, '--to');
  await asSigner(flags, async ({ wallet, client, owner }) => {
    const to = given ?? owner;
    const queued = await wallet.withdrawCollateral({ owner, amount, to });
    const { processed, pending } = await wallet.dequeueOrdersToEvm({ max: dequeueMax });
    const own = processed.find(({ transferId }) => transferId === queued.transferId);
    // Nothing waits any more: then somebody else, or the chain itself, was faster.
    const status = own?.status ?? (pending === 0 ? 'carried_out' : 'queued');
    const balance = formatEther(await client.getBalance({ address: to }));
    const { transferId, hash, blockNumber } = queued;
    const view = {
      from: owner,
      to,
      amount: formatEther(amount),
      transferId,
      status,
      reason: own?.reason ?? null,
      balance,
      block: Number(blockNumber),
      hash,
    };
    print(flags, view, () => [
      status === 'queued'
        ? `${view.amount} ${coin} wait as transfer ${transferId}, one of ${pending}; the next dequeue of anybody carries on`
        : status === 'failed'
          ? `transfer ${transferId} of ${view.amount} ${coin} failed and went back: ${view.reason}`
          : `withdrew ${view.amount} ${coin}; balance of ${to} is ${balance} ${coin}, block ${blockNumber}`,
    ]);
  });
}
