import { sides, triggerKinds } from '@prime/codec';
import type { Market, Rounding, Trigger, TriggerKind } from '@prime/sdk';
import { Argument, type Command, Option } from 'commander';
import { marketOf, marketsById, onNode } from '../../client/connect.ts';
import { clientIdText } from '../../client/orderView.ts';
import { parseClientId, parsePlaceWords, roundOption } from '../../client/orderWords.ts';
import { print } from '../../terminal/output.ts';
import { addressOf, asSigner, type SignerFlags, withSigner } from '../../client/signer.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { left, right, table } from '../../terminal/table.ts';
import { usageError } from '../../errors.ts';

/** `prime trigger …`: orders that wait for the mark of their market. `prime order cancel` and `modify` are for them, too. */
export function addTriggerCommands(program: Command): void {
  const trigger = program.command('trigger').description('Orders that wait until the mark is at a price');
  withSigner(trigger.command('place'))
    .description('Place a stop or a take-profit: KIND SIDE SIZE MARKET @ PRICE; the SIZE all closes the position')
    .addArgument(new Argument('<kind>', 'stop or take_profit').choices(triggerKinds))
    .addArgument(new Argument('<side>', 'buy or sell').choices(sides))
    .argument('<words...>', 'SIZE MARKET @ PRICE, where the @ may be left out')
    .option('--limit <price>', 'limit of its order (default: a market order)')
    .addOption(new Option('--tif <tif>', 'of an order with a limit').choices(['gtc', 'ioc']))
    .option('--reduce-only', 'only makes the position smaller')
    .option('--group <number>', 'when one of a group fires, the others go')
    .option('--client-id <id>', 'your own name for it: up to 16 letters, or 16 bytes of hex; "new" makes one')
    .option('--expires-in <time>', 'gone after so long: 90s, 30m, 12h, 7d')
    .addOption(roundOption())
    .action(place);
  withSigner(trigger.command('list'))
    .description('What of an account waits for a mark')
    .argument('[address]', 'whose (default: of the key)')
    .action(list);
}

interface PlaceFlags extends SignerFlags {
  readonly limit?: string;
  readonly tif?: 'gtc' | 'ioc';
  readonly reduceOnly?: boolean;
  readonly group?: string;
  readonly clientId?: string;
  readonly expiresIn?: string;
  readonly round?: Rounding;
}

async function place(
  kind: TriggerKind,
  side: 'buy' | 'sell',
  words: readonly string[],
  flags: PlaceFlags,
): Promise<void> {
  const { size, market: named, price } = parsePlaceWords(words);
  const { limit, tif, reduceOnly, round: rounding } = flags;
  if (tif === 'gtc' && limit === undefined)
    throw usageError('--tif gtc needs --limit: a market order never rests', '--tif');
  const clientId = flags.clientId === undefined ? undefined : parseClientId(flags.clientId);
  const group = groupOf(flags.group);
  const expiresAtSeconds = lifeOf(flags.expiresIn);
  await asSigner(flags, async (connection) => {
    const market = await marketOf(connection, named);
    const placed = await connection.wallet.placeTrigger({
      owner: connection.owner,
      market,
      side,
      kind,
      triggerPrice: market.price(price, { rounding }),
      limitPrice: limit === undefined ? undefined : market.price(limit, { rounding }),
      size: size === 'all' ? 'position' : market.size(size, { rounding }),
      tif,
      reduceOnly,
      clientId,
      group,
      expiresAtSeconds,
    });
    const { orderId, hash, blockNumber } = placed;
    const view = {
      orderId,
      market: market.symbol,
      kind,
      side,
      clientId: clientId ?? null,
      block: Number(blockNumber),
      hash,
    };
    print(flags, view, () => [`trigger ${orderId}: waits, block ${blockNumber}`]);
  });
}

function groupOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const group = Number(text);
  if (!Number.isInteger(group) || group < 1 || group > 0xffff_ffff)
    throw usageError(`--group is a whole number from 1 to 4294967295, not ${text}`, '--group');
  return group;
}

const lifeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Math.floor(Date.now() / 1_000) + parseDuration(text, '--expires-in');

type View = Readonly<Record<string, string | number | boolean | null>>;

function viewTrigger(trigger: Trigger, market: Market | null): View {
  const { formatPrice = String, formatSize = String } = market ?? {};
  const { limitPrice, size } = trigger;
  return {
    orderId: trigger.orderId,
    market: market?.symbol ?? `${trigger.marketId}`,
    kind: trigger.kind,
    side: trigger.side,
    triggerPrice: formatPrice(trigger.triggerPrice),
    limitPrice: limitPrice === null ? null : formatPrice(limitPrice),
    size: size === 'position' ? 'all' : formatSize(size),
    reduceOnly: trigger.reduceOnly,
    group: trigger.group,
    due: trigger.isQueued,
    parentOrderId: trigger.parentOrderId,
    asleep: trigger.isAsleep,
    clientId: trigger.clientId,
  };
}

async function list(given: string | undefined, flags: SignerFlags): Promise<void> {
  const address = await addressOf(given, flags);
  await onNode(flags, async (connection) => {
    const markets = await marketsById(connection);
    const triggers = await connection.client.getTriggers({ address });
    const views = triggers.map((trigger) => viewTrigger(trigger, markets.get(trigger.marketId) ?? null));
    print(flags, views, () => (views.length === 0 ? [`nothing of ${address} waits`] : triggerTable(views)));
  });
}

function triggerTable(views: readonly View[]): string[] {
  const field = (name: string) => (view: View) => String(view[name] ?? '');
  return table(views, [
    right('order', field('orderId')),
    left('market', field('market')),
    left('kind', field('kind')),
    left('side', field('side')),
    right('at', field('triggerPrice')),
    right('limit', field('limitPrice')),
    right('size', field('size')),
    right('of order', field('parentOrderId')),
    left('client id', (view) => clientIdText(field('clientId')(view))),
  ]);
}
