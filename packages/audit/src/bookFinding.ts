import type { Genesis } from '@prime/codec';
import { setTimeout as delay } from 'node:timers/promises';
import { Answer } from './rpc/answer.ts';
import type { Audit } from './audit.ts';
import type { AuditedNode } from './rpc/call.ts';
import { answersOf, type BookAnswer, bookReads, wrongAnswer } from './endState.ts';
import { type Finding, finding } from './finding.ts';
import { readBlocksByRpc } from './rpc/rpcBlocks.ts';

/** Times that a node is asked whether it is at the height of the others. */
const pollsMax = 200;
const pollMs = 50;

/** A network that goes on while it is read: its nodes, and the replay that says what they have to answer. */
export interface ReadNetwork {
  /** All of them are compared; the first one tells the blocks. */
  readonly nodes: readonly AuditedNode[];
  /** Has replayed what was decided up to some height; goes on from there. */
  readonly audit: Audit;
  readonly genesis: Pick<Genesis, 'chainId'>;
  /** Between two questions for a height. */
  readonly pause?: () => Promise<void>;
}

const rule = 'order book';

/** An answer, and the node that gave it. */
interface Told extends BookAnswer {
  readonly name: string;
}

/**
 * Reads the order book from all nodes and compares it with the model, while the chain goes on and people trade.
 *
 * Methods of the order book answer for the head and take no height. So an answer is right where the model says the same at one of the heights from the one
 * before the reads to the one after them.
 */
export async function bookFinding(network: ReadNetwork): Promise<Finding> {
  const { nodes, audit } = network;
  const begin = await highest(nodes);
  const absent = await wrongHeads(network, begin);
  if (absent.length > 0) return finding(rule, `${nodes.length} nodes at block ${begin}`, absent);
  await replayTo(network, begin);
  const reads = bookReads(audit.model);
  const { accounts, orders, markets } = audit.model.state;
  const counts = `${Object.keys(accounts).length} accounts, ${orders.size} open orders, ${markets.length} books`;
  const silent: string[] = [];
  const answers = await Promise.all(
    nodes.map(async ({ call, name }): Promise<readonly Told[]> => {
      try {
        return (await answersOf(call, reads)).map((answer) => ({ ...answer, name }));
      } catch (error) {
        silent.push(notAnswered(name, error));
        return [];
      }
    }),
  );
  const end = await highest(nodes);
  const late = await wrongHeads(network, end);
  if (late.length > 0) return finding(rule, `${nodes.length} nodes at block ${end}`, late);
  const isWrong = (answer: Told): boolean => wrongAnswer(answer, audit.model).length > 0;
  let open = answers.flat().filter(isWrong);
  await replayTo(network, end, () => {
    open = open.filter(isWrong);
  });
  const faults = open.flatMap((answer) =>
    wrongAnswer(answer, audit.model).map((fault) => `${answer.name} answers ${fault}`),
  );
  const heights = begin === end ? `block ${end}` : `blocks ${begin} to ${end}`;
  return finding(rule, `${counts} on ${nodes.length} nodes at ${heights}`, [...audit.faults, ...silent, ...faults]);
}

const notAnswered = (name: string, error: unknown): string =>
  `${name} did not answer: ${error instanceof Error ? error.message : String(error)}`;

async function answered(name: string, ask: () => Promise<string[]>): Promise<string[]> {
  try {
    return await ask();
  } catch (error) {
    return [notAnswered(name, error)];
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
async function wrongHeads({ nodes, pause }: ReadNetwork, height: number): Promise<string[]> {
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

/** @param standing called at each height on the way */
async function replayTo({ nodes, audit, genesis }: ReadNetwork, to: number, standing?: () => void): Promise<void> {
  for await (const block of readBlocksByRpc(nodes[0]!.call, { chainId: genesis.chainId, from: audit.next, to })) {
    audit.replay([block]);
    standing?.();
  }
}
