import { type Genesis, genesisHash } from '@prime/codec';
import { formatDuration } from '@prime/sdk/explain';
import { askNode, type NodeClient, type RpcNode } from '../node/rpc.ts';
import { attempt, type Check, fail, ok } from './check.ts';
import { type PricedMarket, staleCheck } from './prices.ts';
import { clockVerdict } from './running.ts';

/** Questions about the time: the one that was answered fastest is the least wrong. */
const looks = 5;

/** How far the clock here is ahead of the node's at least, by its answers; ms, below 0 when it is behind. */
async function offsetTo(client: NodeClient): Promise<number> {
  let best = { offsetMs: 0, tookMs: Number.POSITIVE_INFINITY };
  for (let look = 0; look < looks; look++) {
    const [beganMs, beganAtMs] = [performance.now(), Date.now()];
    const { nowMs } = await client.getConsensusStatus();
    const tookMs = performance.now() - beganMs;
    if (tookMs < best.tookMs) best = { offsetMs: beganAtMs + tookMs / 2 - nowMs, tookMs };
  }
  // The node looked at its clock at some moment between question and answer.
  const certainMs = Math.max(0, Math.abs(best.offsetMs) - best.tookMs / 2);
  return Math.sign(best.offsetMs) * certainMs;
}

/** What an asked node says. */
interface Answers {
  readonly offsetMs: number;
  readonly genesis: string | null;
  readonly markets: readonly PricedMarket[];
}

/** Markets with an oracle, as of the newest block. */
async function pricedMarkets(client: NodeClient): Promise<PricedMarket[]> {
  const [markets, first, newest] = [
    await client.getMarkets(),
    await client.getNativeBlock({ block: 0n }),
    await client.getNativeBlock({ block: 'latest' }),
  ];
  const [firstMs, nowMs] = [first?.timestampMs ?? 0, newest?.timestampMs ?? 0];
  return markets.flatMap(({ symbol, oracle }) => {
    if (oracle === undefined) return [];
    const { staleSinceMs } = oracle;
    // Before its first price a market is stale since ever.
    const staleMs = staleSinceMs === null ? 0 : Math.max(0, nowMs - Math.max(staleSinceMs, firstMs));
    return [{ symbol, staleSeconds: staleMs / 1_000 }];
  });
}

/** What a node of the network says that a home can be compared with, before it runs. @param genesis null where it could not be read */
export async function askedNodeChecks(node: RpcNode, genesis: Genesis | null): Promise<Check[]> {
  const advice = {
    why: 'without it neither clock nor network can be compared',
    advice: 'name a node of the network that runs: --rpc http://host:port',
  };
  let answers: Answers | null = null;
  const asked = await attempt('asked node', advice, () =>
    askNode(node, async (client) => {
      const [offsetMs, block] = [await offsetTo(client), await client.getNativeBlock({ block: 0n })];
      answers = { offsetMs, genesis: block?.hash ?? null, markets: await pricedMarkets(client) };
      return `${node.url} answers`;
    }),
  );
  if (answers === null) return [asked];
  const { offsetMs, genesis: theirs, markets } = answers as Answers;
  return [
    asked,
    ...(genesis === null ? [] : [networkCheck(node, genesisHash(genesis), theirs)]),
    ...staleCheck(markets),
    clockAgainst(node, offsetMs),
  ];
}

const networkCheck = ({ url }: RpcNode, own: string, theirs: string | null): Check =>
  own === theirs
    ? ok('network', `${url} is of the same genesis`)
    : fail('network', `the genesis of this home is ${own}, and ${url} is of ${theirs}`, {
        why: 'nodes of two networks never talk to each other',
        advice: 'copy genesis.json from a node of the network',
      });

/** @param offsetMs how far the clock here is ahead */
function clockAgainst({ url }: RpcNode, offsetMs: number): Check {
  const found = `${formatDuration(Math.abs(offsetMs))} ${offsetMs < 0 ? 'behind' : 'ahead of'} ${url}`;
  return clockVerdict(found, offsetMs, 'this machine (NTP), or of that one');
}
