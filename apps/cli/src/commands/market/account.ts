import type { MarginAccount, Market, Position } from '@prime/sdk';
import type { Command } from 'commander';
import { formatEther } from 'viem';
import { coin } from '../../client/amounts.ts';
import { marketsById, type NodeFlags, onNode, withNode } from '../../client/connect.ts';
import { counted, type JsonFlags, print } from '../../terminal/output.ts';
import { addressOf, type SignerFlags, withSigner } from '../../client/signer.ts';
import { left, pairs, right, table } from '../../terminal/table.ts';
import { makeKeystore, refuseTaken } from '../../keys/keystores.ts';
import { type NewPasswordFlags, protectionOf, withNewPassword } from '../../keys/passwordFlags.ts';

/** `prime account …`: what an account has, and keys for new ones. */
export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('Balances, collateral, margin and positions; new keys');
  withSigner(account.command('show', { isDefault: true }))
    .description('Balance, collateral, margin and positions of an account')
    .argument('[address]', 'whose (default: of the key)')
    .action(show);
  withNewPassword(account.command('new'))
    .description('Make a private key in a keystore, and say the address of its account')
    .requiredOption('--out <file>', 'new keystore for the key; mode 0600')
    .option('--json', 'for programs: JSON')
    .action(makeKey);
  withNode(account.command('list'))
    .description('Accounts whose keys the node holds, for --from; on test networks')
    .action(list);
}

async function show(given: string | undefined, flags: SignerFlags): Promise<void> {
  const address = await addressOf(given, flags);
  await onNode(flags, async (connection) => {
    const [balance, account, markets] = await Promise.all([
      connection.client.getBalance({ address }),
      connection.client.getAccount({ address }),
      marketsById(connection),
    ]);
    const positions = account.positions.map((position) => viewPosition(position, markets.get(position.marketId)));
    const view = { address, coin, balance: formatEther(balance), ...viewMargin(account), positions };
    print(flags, view, () => accountLines(view));
  });
}

const viewMargin = (account: MarginAccount) => ({
  collateral: formatEther(account.collateral),
  equity: formatEther(account.equity),
  initialMargin: formatEther(account.initialMargin),
  maintenanceMargin: formatEther(account.maintenanceMargin),
  freeCollateral: formatEther(account.freeCollateral),
  withdrawable: formatEther(account.withdrawable),
  liquidatable: account.liquidatable,
  locked: account.locked,
  openOrders: account.openOrders,
});

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** @param market absent where the node does not list it: amounts are those of the chain then */
function viewPosition({ marketId, size, entry, unrealized }: Position, market: Market | undefined) {
  const {
    symbol,
    formatPrice = String,
    formatSize = String,
    formatQuoteAmount = String,
    markPrice = null,
  } = market ?? {};
  const absolute = magnitude(size);
  return {
    market: symbol ?? `${marketId}`,
    side: size < 0n ? 'short' : 'long',
    size: formatSize(absolute),
    // Of several fills: between two steps of the chain's prices it is the lower one.
    entryPrice: formatPrice(magnitude(entry) / absolute),
    markPrice: markPrice === null ? null : formatPrice(markPrice),
    unrealized: unrealized === null ? null : formatQuoteAmount(unrealized),
  };
}

type AccountView = ReturnType<typeof viewMargin> & {
  readonly address: string;
  readonly balance: string;
  readonly positions: readonly ReturnType<typeof viewPosition>[];
};

function accountLines(view: AccountView): string[] {
  const { positions, openOrders } = view;
  const rows = table(positions, [
    left('market', ({ market }) => market),
    left('side', ({ side }) => side),
    right('size', ({ size }) => size),
    right('entry', ({ entryPrice }) => entryPrice),
    right('mark', ({ markPrice }) => markPrice ?? '-'),
    right('unrealized', ({ unrealized }) => unrealized ?? '-'),
  ]);
  const amounts = [
    ['balance', view.balance],
    ['collateral', view.collateral],
    ['equity', view.equity],
    ['initial margin', view.initialMargin],
    ['maintenance margin', view.maintenanceMargin],
    ['free collateral', view.freeCollateral],
    ['withdrawable', view.withdrawable],
  ].map(([name, amount]) => [name!, `${amount} ${coin}`] as const);
  const marks = [view.liquidatable ? 'LIQUIDATABLE' : null, view.locked ? 'only signed actions count' : null];
  return [
    ...pairs([['account', view.address], ...amounts, ['open orders', `${openOrders}`]]),
    ...marks.filter((mark) => mark !== null),
    '',
    ...(positions.length === 0 ? ['no positions'] : [`${counted(positions.length, 'position')}:`, ...rows]),
  ];
}

interface NewFlags extends NewPasswordFlags, JsonFlags {
  readonly out: string;
}

async function makeKey({ out, ...flags }: NewFlags): Promise<void> {
  refuseTaken(out);
  const { address } = await makeKeystore(out, 'owner', await protectionOf(out, 'owner', flags));
  print(flags, { address, keyFile: out }, () => [
    address,
    `its private key is in ${out}, encrypted: who loses the file or its password loses the account`,
  ]);
}

async function list(flags: NodeFlags): Promise<void> {
  await onNode(flags, async ({ client }) => {
    const addresses = (await client.request({ method: 'eth_accounts' as never })) as readonly `0x${string}`[];
    const accounts = await Promise.all(
      addresses.map(async (address) => {
        const [balance, { collateral }] = await Promise.all([
          client.getBalance({ address }),
          client.getAccount({ address }),
        ]);
        return { address, balance: formatEther(balance), collateral: formatEther(collateral) };
      }),
    );
    const lines = table(accounts, [
      left('address', ({ address }) => address),
      right(`balance ${coin}`, ({ balance }) => balance),
      right(`collateral ${coin}`, ({ collateral }) => collateral),
    ]);
    print(flags, accounts, () => (lines.length === 0 ? ['the node holds no keys'] : lines));
  });
}
