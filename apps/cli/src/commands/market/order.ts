import { selfTradeModes, sides, timesInForce } from '@prime/codec';
import type { OrderRequest, Rounding, SelfTradeMode, TimeInForce } from '@prime/sdk';
import { Argument, type Command, Option } from 'commander';
import { addOrderCancelCommand } from '../../client/orderCancel.ts';
import { addOrderModifyCommand } from '../../client/orderModify.ts';
import { onNode } from '../../client/connect.ts';
import { marketOf, marketsById } from '../../client/markets.ts';
import { parseClientId, roundOption } from '../../client/options.ts';
import { clientIdText, type OrderView, placedLines, viewOrder, viewPlaced } from '../../client/orderView.ts';
import { parseOrderId, parsePlaceWords } from '../../client/orderWords.ts';
import { print } from '../../terminal/output.ts';
import { addressOf, asSigner, type SignerFlags, withSigner } from '../../client/signer.ts';
import { left, pairs, right, table } from '../../terminal/table.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { usageError, notFound } from '../../errors.ts';

/** `prime order …`: the orders of an account. */
export function addOrderCommands(program: Command): void {
  const order = program.command('order').description('Place, change, cancel and list orders');
  addPlace(order);
  addOrderModifyCommand(order);
  addOrderCancelCommand(order);
  withSigner(order.command('list'))
    .description('Open orders of an account')
    .argument('[address]', 'whose orders (default: of the key)')
    .option('--market <market>', 'only of this market')
    .action(list);
  withSigner(order.command('show'))
    .description('An order wherever it stands, or how it ended')
    .argument('[order]', 'its number')
    .option('--client-id <id>', 'instead: your own name for it')
    .action(show);
}

interface PlaceFlags extends SignerFlags {
  readonly tif: TimeInForce;
  readonly postOnly?: boolean;
  readonly reduceOnly?: boolean;
  readonly clientId?: string;
  readonly expiresIn?: string;
  readonly selfTrade?: SelfTradeMode;
  readonly round?: Rounding;
}

function addPlace(order: Command): void {
  withSigner(order.command('place'))
    .description('Place a limit order, and say what became of it: SIDE SIZE MARKET @ PRICE')
    .addArgument(new Argument('<side>', 'buy or sell').choices(sides))
    .argument('<words...>', 'SIZE MARKET @ PRICE, where the @ may be left out')
    .addOption(
      new Option('--tif <tif>', 'gtc rests, ioc never rests, fok is filled whole or not at all')
        .choices(timesInForce)
        .default('gtc'),
    )
    .option('--post-only', 'refused instead of trading at once')
    .option('--reduce-only', 'trades at most the position; with ioc or fok')
    .option('--client-id <id>', 'your own name for it: up to 16 letters, or 16 bytes of hex; "new" makes one')
    .option('--expires-in <time>', 'cancelled after so long: 90s, 30m, 12h, 7d')
    .addOption(
      new Option(
        '--self-trade <mode>',
        'what happens with an order of your own in the way (default: that one is cancelled)',
      ).choices(selfTradeModes),
    )
    .addOption(roundOption())
    .action(place);
}

async function place(side: 'buy' | 'sell', words: readonly string[], flags: PlaceFlags): Promise<void> {
  const { size, market: named, price } = parsePlaceWords(words);
  const life = lifeOf(flags);
  const clientId = flags.clientId === undefined ? undefined : parseClientId(flags.clientId);
  await asSigner(flags, async (connection) => {
    const { wallet } = connection;
    const market = await marketOf(connection, named);
    const { round: rounding, selfTrade } = flags;
    const request = {
      market,
      side,
      price: market.price(price, { rounding }),
      size: market.size(size, { rounding }),
      clientId,
      selfTrade,
      ...life,
    } as OrderRequest;
    const placed = await wallet.placeOrder({ ...request, owner: connection.owner });
    const view = {
      ...viewPlaced(placed, market),
      side,
      price: market.formatPrice(request.price),
      clientId: clientId ?? null,
    };
    print(flags, view, () => placedLines(placed, market));
  });
}

/** What is kept, and for how long. @throws CliError `CLI_USAGE` for options that contradict each other */
function lifeOf({ tif, postOnly, reduceOnly, expiresIn }: PlaceFlags): Readonly<Record<string, unknown>> {
  if (reduceOnly === true && tif === 'gtc')
    throw usageError('--reduce-only needs --tif ioc or fok: such an order never rests', '--reduce-only');
  if (postOnly === true && tif !== 'gtc')
    throw usageError(`--post-only rests, and --tif ${tif} never does`, '--post-only');
  if (expiresIn === undefined) return { tif, postOnly, reduceOnly };
  if (tif !== 'gtc')
    throw usageError(`--expires-in is for orders that rest, and --tif ${tif} never does`, '--expires-in');
  const expiresAtSeconds = Math.floor(Date.now() / 1_000) + parseDuration(expiresIn, '--expires-in');
  return { tif, postOnly, reduceOnly, expiresAtSeconds };
}

async function list(
  given: string | undefined,
  { market: named, ...flags }: SignerFlags & { readonly market?: string },
): Promise<void> {
  const address = await addressOf(given, flags);
  await onNode(flags, async (connection) => {
    const markets = await marketsById(connection);
    const only = named === undefined ? null : await marketOf(connection, named);
    const orders = (await connection.client.getOpenOrders({ address })).filter(
      ({ marketId }) => only === null || marketId === only.marketId,
    );
    const views = orders.map((order) => viewOrder(order, markets.get(order.marketId) ?? null));
    print(flags, views, () => (views.length === 0 ? [`no open orders of ${address}`] : orderTable(views)));
  });
}

function orderTable(views: readonly OrderView[]): string[] {
  const field = (name: string) => (view: OrderView) => String(view[name] ?? '');
  return table(views, [
    right('order', field('orderId')),
    left('market', field('market')),
    left('side', field('side')),
    right('price', field('price')),
    right('size', field('size')),
    right('remaining', field('remaining')),
    left('client id', (view) => clientIdText(field('clientId')(view))),
  ]);
}

async function show(
  given: string | undefined,
  { clientId, ...flags }: SignerFlags & { readonly clientId?: string },
): Promise<void> {
  if ((given === undefined) === (clientId === undefined))
    throw usageError('give the number of the order, or --client-id', 'ORDER');
  const key =
    clientId === undefined
      ? { orderId: parseOrderId(given!) }
      : { owner: await addressOf(undefined, flags), clientId: parseClientId(clientId) };
  await onNode(flags, async (connection) => {
    const order = await connection.client.getOrder(key);
    const name = given ?? clientId!;
    if (order === null) throw notFound(`there is no order ${name}`, name);
    const view = viewOrder(order, (await marketsById(connection)).get(order.marketId) ?? null);
    print(flags, view, () =>
      pairs(
        Object.entries(view).flatMap(([field, value]) => {
          if (value === null) return [];
          return [[field, field === 'clientId' ? clientIdText(`${value}`) : `${value}`] as const];
        }),
      ),
    );
  });
}
