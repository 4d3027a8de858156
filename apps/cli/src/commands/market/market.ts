import type { Market } from '@prime/sdk';
import type { Command } from 'commander';
import { marketOf, type NodeFlags, onNode, withNode } from '../../client/connect.ts';
import { type SignerFlags, withSigner } from '../../client/signer.ts';
import { sendChange } from './governance.ts';
import { print } from '../../terminal/output.ts';
import { left, pairs, right, table } from '../../terminal/table.ts';

/** `prime market …`: what can be traded. */
export function addMarketCommands(program: Command): void {
  const market = program.command('market').description('Markets: what is traded, in which steps, at which price');
  withNode(market.command('list')).description('All markets').action(list);
  withNode(market.command('show'))
    .description('One market: steps, prices, margin, fees')
    .argument('<market>', 'symbol such as ETH-USD, or its id')
    .action(show);
  withSigner(market.command('state'))
    .description(
      'Set the state of a market with the key of the admin: trading, post_only, cancel_only, halted, settling',
    )
    .argument('<market>', 'symbol such as ETH-USD, or its id')
    .argument('<state>', 'the new state')
    .option('--price <price>', 'of a settlement, in quote per base (default: the index when it begins)')
    .option('--at <height>', 'block that begins with it (default: at once)')
    .action(state);
}

interface StateFlags extends SignerFlags {
  readonly price?: string;
  readonly at?: string;
}

async function state(text: string, status: string, flags: StateFlags): Promise<void> {
  const { marketId, price } = await onNode(flags, async (connection) => {
    const market = await marketOf(connection, text);
    return { marketId: market.marketId, price: flags.price === undefined ? null : String(market.price(flags.price)) };
  });
  await sendChange({ parameter: 'status', market: marketId, value: { status, price } }, flags);
}

/** A basis point is a hundredth of a percent; exact, without floats. */
const percent = (bps: number): string => `${bps / 100} %`;

function viewMarket(market: Market) {
  const { formatPrice, formatSize, fees, funding, riskTiers } = market;
  const priceOf = (price: bigint | null): string | null => (price === null ? null : formatPrice(price));
  return {
    id: market.marketId,
    symbol: market.symbol,
    status: market.status,
    lastPrice: priceOf(market.lastPrice),
    markPrice: priceOf(market.markPrice),
    tickSize: formatPrice(market.tickSize),
    lotSize: formatSize(market.lotSize),
    baseDecimals: market.baseDecimals,
    quoteDecimals: market.quoteDecimals,
    initialMarginBps: market.initialMarginBps,
    maintenanceMarginBps: market.maintenanceMarginBps,
    ...(fees === undefined ? {} : { takerFeePpm: fees.takerPpm, makerFeePpm: fees.makerPpm }),
    ...(funding === undefined ? {} : { fundingRate: funding.rate.toString() }),
    ...(riskTiers === undefined
      ? {}
      : {
          riskTiers: riskTiers.map(({ aboveNotional, ...margin }) => ({
            aboveNotional: market.formatQuoteAmount(aboveNotional),
            ...margin,
          })),
        }),
  };
}

async function list(flags: NodeFlags): Promise<void> {
  await onNode(flags, async ({ client }) => {
    const views = (await client.getMarkets()).map(viewMarket);
    const lines = table(views, [
      right('id', ({ id }) => `${id}`),
      left('market', ({ symbol }) => symbol),
      left('status', ({ status }) => status),
      right('last', ({ lastPrice }) => lastPrice ?? '-'),
      right('mark', ({ markPrice }) => markPrice ?? '-'),
      right('tick', ({ tickSize }) => tickSize),
      right('lot', ({ lotSize }) => lotSize),
    ]);
    print(flags, views, () => (lines.length === 0 ? ['there are no markets'] : lines));
  });
}

async function show(text: string, flags: NodeFlags): Promise<void> {
  await onNode(flags, async (connection) => {
    const market = await marketOf(connection, text);
    const view = viewMarket(market);
    print(flags, view, () => [
      ...pairs([
        ['market', `${view.symbol} (${view.id}), ${view.status}`],
        ['last price', view.lastPrice ?? 'none yet'],
        ['mark price', view.markPrice ?? 'none yet'],
        ['tick', `${view.tickSize} ${market.quote}`],
        ['lot', `${view.lotSize} ${market.base}`],
        ['initial margin', percent(view.initialMarginBps)],
        ['maintenance margin', percent(view.maintenanceMarginBps)],
        ...feeLines(market),
      ]),
      ...(view.riskTiers ?? []).map(
        ({ aboveNotional, initialMarginBps, maintenanceMarginBps }) =>
          `above ${aboveNotional} ${market.quote}: ${percent(initialMarginBps)} initial, ${percent(maintenanceMarginBps)} maintenance`,
      ),
    ]);
  });
}

/** Millionths as percent. */
const feeLines = ({ fees }: Market): (readonly [string, string])[] =>
  fees === undefined
    ? []
    : [
        ['taker fee', `${fees.takerPpm / 10_000} %`],
        ['maker fee', `${fees.makerPpm / 10_000} %`],
      ];
