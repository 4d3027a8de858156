import type { Rounding } from '@prime/sdk';
import type { Command } from 'commander';
import { CliError, notFound } from '../errors.ts';
import { marketOf } from './markets.ts';
import { roundOption } from './options.ts';
import { placedLines, viewPlaced } from './orderView.ts';
import { parseModifyWords, parseOrderId } from './orderWords.ts';
import { print } from '../terminal/output.ts';
import { asSigner, type SignerFlags, withSigner } from './signer.ts';

/** `prime order modify`. */
export function addOrderModifyCommand(order: Command): void {
  withSigner(order.command('modify'))
    .description('Give an open order another open size, another price, or both: ORDER [SIZE] [@ PRICE]')
    .argument('<order>', 'its number')
    .argument('<words...>', '[SIZE] [@ PRICE]; what is left out stays')
    .addOption(roundOption())
    .action(modify);
}

async function modify(
  text: string,
  words: readonly string[],
  flags: SignerFlags & { readonly round?: Rounding },
): Promise<void> {
  const orderId = parseOrderId(text);
  const { size, price } = parseModifyWords(words);
  await asSigner(flags, async (connection) => {
    const { client, wallet, owner } = connection;
    const order = await client.getOrder({ orderId });
    if (order === null) throw notFound(`there is no order ${orderId}`, text);
    if (order.status !== 'open' && order.status !== 'partially_filled')
      throw new CliError(`order ${orderId} is ${order.status}: only open ones can be modified`, {
        code: 'CLI_ACTION_REFUSED',
        refusal: 'not_open',
        reason: order.status,
      });
    const market = await marketOf(connection, `${order.marketId}`);
    const { round: rounding } = flags;
    const modified = await wallet.modifyOrder({
      owner,
      orderId,
      price: price === null ? order.price : market.price(price, { rounding }),
      size: size === null ? order.remaining : market.size(size, { rounding }),
    });
    const isNew = modified.orderId !== orderId;
    print(flags, { ...viewPlaced(modified, market), replaced: isNew ? orderId : null }, () => [
      ...placedLines(modified, market),
      ...(isNew ? [`  it takes the place of order ${orderId}, at the end of its price`] : []),
    ]);
  });
}
