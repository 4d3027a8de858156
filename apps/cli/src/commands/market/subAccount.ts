import { formatEther } from 'viem';
import type { Command } from 'commander';
import { coin } from '../../client/amounts.ts';
import { onNode } from '../../client/connect.ts';
import { addressOf, asSigner, type SignerFlags, withSigner } from '../../client/signer.ts';
import { usageError } from '../../errors.ts';
import { print } from '../../terminal/output.ts';
import { left, right, table } from '../../terminal/table.ts';

const indexMax = 0xffffffff;

/** `prime sub-account …`: accounts with margin of their own, for which their owner signs. */
export function addSubAccountCommands(program: Command): void {
  const group = program
    .command('sub-account')
    .description('Accounts with margin of their own, for which their owner signs');
  withSigner(group.command('create'))
    .description('Make the sub-account of a number; name its address with --owner to act for it')
    .argument('<index>', `its number, 1 to ${indexMax}`)
    .action(create);
  withSigner(group.command('list'))
    .description('The sub-accounts of an owner, and their collateral')
    .argument('[owner]', 'whose (default: of the key)')
    .action(list);
}

async function create(text: string, flags: SignerFlags): Promise<void> {
  const index = Number(text);
  if (!/^\d+$/.test(text) || index < 1 || index > indexMax)
    throw usageError(`INDEX must be 1 to ${indexMax}, got ${text}`, 'INDEX');
  await asSigner(flags, async ({ wallet, owner }) => {
    const { address, hash, blockNumber } = await wallet.createSubAccount({ owner, index });
    print(flags, { address, owner, index, block: Number(blockNumber), hash }, () => [
      `sub-account ${index} of ${owner} is ${address}, block ${blockNumber}`,
    ]);
  });
}

async function list(given: string | undefined, flags: SignerFlags): Promise<void> {
  const owner = await addressOf(given, flags);
  await onNode(flags, async ({ client }) => {
    const known = await client.getSubAccounts({ owner });
    const accounts = await Promise.all(
      known.map(async ({ address, index }) => {
        const { collateral } = await client.getAccount({ address });
        return { index, address, collateral: formatEther(collateral) };
      }),
    );
    const lines = table(accounts, [
      right('index', ({ index }) => String(index)),
      left('address', ({ address }) => address),
      right(`collateral ${coin}`, ({ collateral }) => collateral),
    ]);
    print(flags, accounts, () => (lines.length === 0 ? [`${owner} has no sub-accounts`] : lines));
  });
}
