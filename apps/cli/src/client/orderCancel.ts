import { type BatchItemResult, batchSizeMax, type Inclusion } from '@prime/sdk';
import type { Command } from 'commander';
import { CliError, usageError } from '../errors.ts';
import { refusalWords } from './errors.ts';
import { marketOf } from './markets.ts';
import { parseClientId } from './options.ts';
import { parseOrderId } from './orderWords.ts';
import { counted, print } from '../terminal/output.ts';
import { asSigner, type SignerFlags, type SigningConnection, withSigner } from './signer.ts';

interface CancelFlags extends SignerFlags {
  readonly all?: boolean;
  readonly market?: string;
  readonly clientId?: string;
}

/** `prime order cancel`. */
export function addOrderCancelCommand(order: Command): void {
  withSigner(order.command('cancel'))
    .description('Cancel orders by number, by client id, or all of them')
    .argument('[orders...]', `numbers, at most ${batchSizeMax}`)
    .option('--all', 'every open order of the account')
    .option('--market <market>', 'with --all or --client-id: only in this market')
    .option('--client-id <id>', 'the order with this client id; needs --market')
    .action(cancel);
}

async function cancel(texts: readonly string[], flags: CancelFlags): Promise<void> {
  const { all, clientId, market } = flags;
  const ways = [texts.length > 0, all === true, clientId !== undefined].filter(Boolean).length;
  const refuse = (message: string): CliError => usageError(message, 'ORDER');
  if (ways !== 1) throw refuse('give the numbers of orders, or --all, or --client-id with --market');
  if (clientId !== undefined && market === undefined) throw refuse('--client-id needs --market');
  if (texts.length > 0 && market !== undefined) throw refuse('--market goes with --all or --client-id');
  if (texts.length > batchSizeMax) throw refuse(`at most ${batchSizeMax} orders at once, got ${texts.length}`);
  const orderIds = texts.map(parseOrderId);
  const name = clientId === undefined ? null : parseClientId(clientId);
  await asSigner(flags, async (connection) => {
    if (name !== null) return cancelByClientId(connection, flags, name);
    if (all === true) return cancelAll(connection, flags);
    return orderIds.length === 1 ? cancelOne(connection, flags, orderIds[0]!) : cancelMany(connection, flags, orderIds);
  });
}

async function cancelOne({ wallet, owner }: SigningConnection, flags: CancelFlags, orderId: number): Promise<void> {
  printCancelled(flags, orderId, await wallet.cancelOrder({ owner, orderId }));
}

const printCancelled = (flags: CancelFlags, orderId: number, { hash, blockNumber }: Inclusion): void =>
  print(flags, { cancelled: [orderId], refused: [], block: Number(blockNumber), hash }, () => [
    `order ${orderId}: cancelled, block ${blockNumber}`,
  ]);

async function cancelByClientId(
  connection: SigningConnection,
  flags: CancelFlags,
  clientId: `0x${string}`,
): Promise<void> {
  const { wallet, owner } = connection;
  const market = await marketOf(connection, flags.market!);
  const cancelled = await wallet.cancelOrderByClientId({ owner, market, clientId });
  printCancelled(flags, cancelled.orderId, cancelled);
}

async function cancelAll(connection: SigningConnection, flags: CancelFlags): Promise<void> {
  const { wallet, owner } = connection;
  const market = flags.market === undefined ? undefined : await marketOf(connection, flags.market);
  const { orderIds, hash, blockNumber } = await wallet.cancelAllOrders({ owner, market });
  print(flags, { cancelled: orderIds, refused: [], block: Number(blockNumber), hash }, () => [
    orderIds.length === 0
      ? `nothing to cancel, block ${blockNumber}`
      : `${counted(orderIds.length, 'order')} cancelled: ${orderIds.join(', ')}, block ${blockNumber}`,
  ]);
}

/** In one action; one that is refused does not stop the others. @throws CliError `CLI_ACTION_REFUSED` when one was */
async function cancelMany(
  { wallet, owner }: SigningConnection,
  flags: CancelFlags,
  orderIds: readonly number[],
): Promise<void> {
  const items = orderIds.map((orderId) => ({ type: 'cancel', orderId }) as const);
  const { results, hash, blockNumber } = await wallet.submitBatch({ owner, items });
  const cancelled = orderIds.filter((_, index) => results[index]!.ok);
  const refused = orderIds.flatMap((orderId, index) => refusalOf(orderId, results[index]!));
  print(flags, { cancelled, refused, block: Number(blockNumber), hash }, () => [
    ...cancelled.map((orderId) => `order ${orderId}: cancelled, block ${blockNumber}`),
    ...refused.map(({ orderId, reason }) => `order ${orderId}: refused: ${reason}`),
  ]);
  const [first] = refused;
  if (first === undefined) return;
  throw new CliError(`${refused.length} of ${counted(orderIds.length, 'cancel')} refused`, {
    code: 'CLI_ACTION_REFUSED',
    refusal: first.kind,
    reason: first.reason,
  });
}

const refusalOf = (
  orderId: number,
  result: BatchItemResult,
): { readonly orderId: number; readonly kind: string; readonly reason: string }[] =>
  result.ok ? [] : [{ orderId, kind: result.error.kind, reason: refusalWords(result.error) }];
