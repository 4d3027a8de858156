import type { Command } from 'commander';
import { ladderLines } from '../../client/book/ladder.ts';
import { openScreen, ScreenViewer } from '../../client/book/screenViewer.ts';
import { type BookViewer, jsonViewer, lineViewer, type ViewerParameters } from '../../client/book/viewer.ts';
import { pastOf, watchBook } from '../../client/book/watchBook.ts';
import { type Connection, marketOf, type NodeFlags, onNode, withNode } from '../../client/connect.ts';
import { viewTrade } from '../../client/orderView.ts';
import { print } from '../../terminal/output.ts';
import { parseWholeNumber } from '../../errors.ts';
import { canDraw, paint, writeLine, untilViewEnds } from '../../terminal/liveOutput.ts';

interface BookFlags extends NodeFlags {
  readonly watch?: boolean;
  readonly depth: string;
  readonly trades: string;
}

/** `prime book`: the order book of a market as a ladder. */
export function addBookCommand(program: Command): void {
  withNode(program.command('book'))
    .description('The order book of a market as a ladder; live with --watch')
    .argument('<market>', 'symbol such as ETH-USD, or its id')
    .option('--watch', 'go on until Ctrl-C; a line for each change where the output is no terminal')
    .option('--depth <levels>', 'levels of each side, 1 to 1000', '10')
    .option('--trades <count>', 'newest trades, 0 to 100', '5')
    .action(show);
}

async function show(named: string, flags: BookFlags): Promise<void> {
  const depth = parseWholeNumber(flags.depth, '--depth', 1, 1_000);
  const trades = parseWholeNumber(flags.trades, '--trades', 0, 100);
  await onNode(flags, async (connection) => {
    const found = await marketOf(connection, named);
    // What is asked once is not shown for long.
    const market = flags.watch === true ? { ...found, markPrice: null } : found;
    const { trades: past, fromBlock } = await pastOf(connection, market.marketId, trades);
    const parameters = { market, depth, trades, past };
    return flags.watch === true
      ? watch(connection, flags, parameters, fromBlock)
      : showOnce(connection, flags, parameters);
  });
}

/** Of output that is no terminal. */
const plainWidth = 80;

async function showOnce({ client }: Connection, flags: BookFlags, parameters: ViewerParameters): Promise<void> {
  const { market, depth, trades, past } = parameters;
  const { bids, asks } = await client.getOrderBook({ market });
  const { formatPrice, formatSize } = market;
  const levels = (side: typeof bids): string[][] =>
    side.slice(0, depth).map(({ price, size }) => [formatPrice(price), formatSize(size)]);
  const told = past.map((trade) => ({ ...viewTrade(trade, market), block: Number(trade.blockNumber) }));
  const value = { market: market.symbol, bids: levels(bids), asks: levels(asks), trades: told };
  const width = process.stdout.columns ?? plainWidth;
  print(flags, value, () =>
    ladderLines(
      { market, bids, asks, trades: past, standing: '' },
      { depth, trades, width, isSteady: false, paint: paint() },
    ),
  );
}

async function watch(
  connection: Connection,
  { json = false }: BookFlags,
  parameters: ViewerParameters,
  fromBlock: bigint,
): Promise<void> {
  const viewer = viewerOf(json, parameters);
  const onResize = (): void => {
    if (viewer instanceof ScreenViewer) viewer.redraw();
  };
  process.stdout.on('resize', onResize);
  const { ended, done } = untilViewEnds();
  try {
    await watchBook(connection, parameters, { viewer, fromBlock, ending: ended });
  } finally {
    viewer.close();
    process.stdout.off('resize', onResize);
    done();
  }
}

function viewerOf(json: boolean, parameters: ViewerParameters): BookViewer {
  if (json) return jsonViewer(parameters, writeLine);
  if (canDraw()) return new ScreenViewer(parameters, openScreen(process.stdout), paint());
  return lineViewer(parameters, writeLine, (line) => console.error(`prime: ${line}`));
}
