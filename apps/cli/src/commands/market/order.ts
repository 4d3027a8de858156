import { selfTradeModes, sides, timesInForce } from '@prime/codec';
import {
  type BatchItemResult,
  batchSizeMax,
  type Inclusion,
  type Order,
  type OrderRequest,
  type PlacedOrder,
  type Rounding,
  type SelfTradeMode,
  type TimeInForce,
} from '@prime/sdk';
import { Argument, type Command, Option } from 'commander';
import { marketOf, marketsById, onNode } from '../../client/connect.ts';
import { clientIdText, type OrderView, placedLines, viewOrder, viewPlaced } from '../../client/orderView.ts';
import {
  parseClientId,
  parseModifyWords,
  parseOrderId,
  parsePlaceWords,
  roundOption,
} from '../../client/orderWords.ts';
import { counted, print } from '../../terminal/output.ts';
import { addressOf, asSigner, type SignerFlags, type SigningConnection, withSigner } from '../../client/signer.ts';
import { left, pairs, right, table } from '../../terminal/table.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { CliError, notFound, usageError } from '../../errors.ts';
import { refusalWords } from '../../client/errors.ts';

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
  readonly stop?: string;
  readonly stopLimit?: string;
  readonly takeProfit?: string;
  readonly takeProfitLimit?: string;
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
    .option('--reduce-only', 'only makes the position smaller: cut to it while it rests')
    .option('--client-id <id>', 'your own name for it: up to 16 letters, or 16 bytes of hex; "new" makes one')
    .option('--expires-in <time>', 'cancelled after so long: 90s, 30m, 12h, 7d')
    .addOption(
      new Option(
        '--self-trade <mode>',
        'what happens with an order of your own in the way (default: that one is cancelled)',
      ).choices(selfTradeModes),
    )
    .option('--stop <price>', 'closes what it filled when the mark goes against it to there')
    .option('--stop-limit <price>', 'limit of the order that --stop sends (default: a market order)')
    .option('--take-profit <price>', 'closes what it filled when the mark goes in its favour to there')
    .option('--take-profit-limit <price>', 'limit of the order that --take-profit sends (default: a market order)')
    .addOption(roundOption())
    .action(place);
}

async function place(side: 'buy' | 'sell', words: readonly string[], flags: PlaceFlags): Promise<void> {
  const { size, market: named, price } = parsePlaceWords(words);
  const life = lifeOf(flags);
  checkBracket(flags);
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
      ...bracketOf(flags, (text) => market.price(text, { rounding })),
    } as OrderRequest;
    const placed = await wallet.placeOrder({ ...request, owner: connection.owner });
    const view = {
      ...viewPlaced(placed, market),
      side,
      price: market.formatPrice(request.price),
      clientId: clientId ?? null,
    };
    print(flags, view, () => [...placedLines(placed, market), ...bracketLines(flags, placed)]);
  });
}

/** @throws CliError `CLI_USAGE` */
function checkBracket({ stop, stopLimit, takeProfit, takeProfitLimit, reduceOnly }: PlaceFlags): void {
  if (stopLimit !== undefined && stop === undefined) throw usageError('--stop-limit needs --stop', '--stop-limit');
  if (takeProfitLimit !== undefined && takeProfit === undefined)
    throw usageError('--take-profit-limit needs --take-profit', '--take-profit-limit');
  if (reduceOnly === true && (stop ?? takeProfit) !== undefined)
    throw usageError('--stop and --take-profit close what an order opens, and --reduce-only opens nothing', '--stop');
}

/** What is attached to an order. */
function bracketOf(
  { stop, stopLimit, takeProfit, takeProfitLimit }: PlaceFlags,
  priceOf: (text: string) => bigint,
): Pick<OrderRequest, 'stop' | 'takeProfit'> {
  const legOf = (price: string | undefined, limit: string | undefined) =>
    price === undefined
      ? undefined
      : { triggerPrice: priceOf(price), limitPrice: limit === undefined ? undefined : priceOf(limit) };
  return { stop: legOf(stop, stopLimit), takeProfit: legOf(takeProfit, takeProfitLimit) };
}

/** Their numbers follow that of the order, where it rests or traded. */
function bracketLines({ stop, takeProfit }: PlaceFlags, { orderId, status, filled }: PlacedOrder): string[] {
  const legs = [...(stop === undefined ? [] : ['stop']), ...(takeProfit === undefined ? [] : ['take-profit'])];
  if (legs.length === 0 || (filled === 0n && status !== 'open')) return [];
  return [`  ${legs.map((name, index) => `${name} ${orderId + 1 + index}`).join(', ')}: for what it fills`];
}

/** What is kept, and for how long. @throws CliError `CLI_USAGE` for options that contradict each other */
function lifeOf({ tif, postOnly, reduceOnly, expiresIn }: PlaceFlags): Readonly<Record<string, unknown>> {
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

/** `prime order modify`. */
function addOrderModifyCommand(order: Command): void {
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
      price: price === null ? (order.trigger?.triggerPrice ?? order.price) : market.price(price, { rounding }),
      size: size === null ? keptSizeOf(order) : market.size(size, { rounding }),
    });
    const isNew = modified.orderId !== orderId;
    print(flags, { ...viewPlaced(modified, market), replaced: isNew ? orderId : null }, () => [
      ...placedLines(modified, market),
      ...(isNew ? [`  it takes the place of order ${orderId}, at the end of its price`] : []),
    ]);
  });
}

/** 0 for what is attached to an order: it keeps what that filled. */
const keptSizeOf = ({ trigger, remaining }: Order): bigint =>
  trigger === undefined || trigger.parentOrderId === null ? remaining : 0n;

interface CancelFlags extends SignerFlags {
  readonly all?: boolean;
  readonly market?: string;
  readonly clientId?: string;
}

/** `prime order cancel`. */
function addOrderCancelCommand(order: Command): void {
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
