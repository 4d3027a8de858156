import type { Genesis } from '@prime/codec';
import { type Model, modelAccounts, modelMoney, openOrders, textOf } from '@prime/model';
import { setTimeout as delay } from 'node:timers/promises';
import { Answer } from './rpc/answer.ts';
import type { Audit } from './audit.ts';
import type { AuditedNode } from './rpc/call.ts';
import { wrongReads } from './endState.ts';
import { type Finding, finding } from './finding.ts';
import { readBlocksByRpc } from './rpc/rpcBlocks.ts';

/** Times that the order book is read again because a block changed it meanwhile. */
const attemptsDefault = 10;
/** Times that a node is asked whether it is at the height of the others. */
const pollsMax = 200;
const pollMs = 50;

/** A network that goes on while it is read: its nodes, and the replay that says what they have to answer. */
export interface SettledNetwork {
  /** All of them are compared; the first one tells the blocks. */
  readonly nodes: readonly AuditedNode[];
  /** Has replayed what was decided up to some height; goes on from there. */
  readonly audit: Audit;
  readonly genesis: Pick<Genesis, 'chainId'>;
  readonly attempts?: number;
  /** Between two questions for a height. */
  readonly pause?: () => Promise<void>;
}

const rule = 'order book';

/**
 * Reads the end state of the order book from all nodes and compares it with the model, while the chain goes on.
 *
 * Methods of the order book answer for the head and take no height. So the reads count only when no block between the height before them and
 * the height after them changed anything that they show; otherwise they are done again. Blocks without any action pass: nobody has to stop the chain, only to
 * stop sending.
 */
export async function bookFinding(network: SettledNetwork): Promise<Finding> {
  const { nodes, audit, attempts = attemptsDefault } = network;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const begin = await highest(nodes);
    const absent = await wrongHeads(network, begin);
    if (absent.length > 0) return finding(rule, `${nodes.length} nodes at block ${begin}`, absent);
    await replayTo(network, begin);
    const before = viewOf(audit.model);
    const faults = await Promise.all(
      nodes.map(({ call, name }) => answered(name, () => wrongReads(call, name, audit.model))),
    );
    const end = await highest(nodes);
    // The one that tells the blocks may be behind the others.
    const late = await wrongHeads({ ...network, nodes: nodes.slice(0, 1) }, end);
    if (late.length > 0) return finding(rule, `${nodes.length} nodes at block ${end}`, late);
    if (await replayTo(network, end, before)) {
      const { accounts, orders, markets } = audit.model.state;
      const seen = `${Object.keys(accounts).length} accounts, ${orders.size} open orders, ${markets.length} books on ${nodes.length} nodes at block ${end}`;
      return finding(rule, seen, [...audit.faults, ...faults.flat()]);
    }
  }
  return finding(rule, `${attempts} attempts to read ${nodes.length} nodes`, [
    ...audit.faults,
    'the order book changed during each of them: somebody still sends',
  ]);
}

async function answered(name: string, ask: () => Promise<string[]>): Promise<string[]> {
  try {
    return await ask();
  } catch (error) {
    return [`${name} did not answer: ${error instanceof Error ? error.message : String(error)}`];
  }
}

const headOf = async ({ call }: AuditedNode): Promise<number> =>
  new Answer('eth_blockNumber', await call('eth_blockNumber')).number();

/** Head of the node that is ahead of the others; who does not answer is told of by {@link wrongHeads}. */
async function highest(nodes: readonly AuditedNode[]): Promise<number> {
  const heads = await Promise.allSettled(nodes.map(headOf));
  return Math.max(0, ...heads.flatMap((head) => (head.status === 'fulfilled' ? [head.value] : [])));
}

/** Waits for nodes that are behind. @returns a line for each that stays there */
async function wrongHeads({ nodes, pause }: SettledNetwork, height: number): Promise<string[]> {
  const wait = async (node: AuditedNode): Promise<string[]> => {
    for (let poll = 1; ; poll++) {
      const head = await headOf(node);
      if (head >= height) return [];
      if (poll === pollsMax) return [`${node.name} stays at block ${head}, others have ${height}`];
      await (pause ?? (() => delay(pollMs)))();
    }
  };
  return (await Promise.all(nodes.map((node) => answered(node.name, () => wait(node))))).flat();
}

/** @param unchanged what every block has to leave as it is @returns whether they do */
async function replayTo({ nodes, audit, genesis }: SettledNetwork, to: number, unchanged?: string): Promise<boolean> {
  let holds = true;
  for await (const block of readBlocksByRpc(nodes[0]!.call, { chainId: genesis.chainId, from: audit.next, to })) {
    audit.replay([block]);
    if (unchanged !== undefined && viewOf(audit.model) !== unchanged) holds = false;
  }
  return holds;
}

/** All of the model that the reads of a node show; not the nonces, which each report of a price uses up. */
function viewOf(model: Model): string {
  const { markets, locked, subAccounts } = model.state;
  const open = openOrders(model).map(({ id, size, remaining }) => [id, size, remaining]);
  const last = markets.map((market) => market.last);
  return textOf([modelAccounts(model), modelMoney(model), locked, subAccounts, open, last]);
}
