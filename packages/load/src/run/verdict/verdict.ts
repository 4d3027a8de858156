import {
  agreement,
  type AuditedNode,
  type Call,
  type Finding,
  finding,
  progress,
  readChainViews,
  roots,
} from '@prime/audit';
import { rpc, RpcError, limitExceeded } from '../../rpc.ts';
import type { RunReport } from '../../report/runReport.ts';
import type { Evidence } from './evidence.ts';
import { judgeState } from './judgeState.ts';
import { accounted, type Ledger } from './ledger.ts';
import { waitingInMempools } from './waiting.ts';

/** The verdict as a report has it. */
export type LoadVerdict = RunReport['verdict'];

const pollMs = 100;
/** What is refused because a node is busy is asked again for so long, ms. */
const patienceMs = 60_000;
/** Caches fill in the beginning of any run, however short: so much is never called growth, bytes. */
const warmUpBytes = 512 * 1024 * 1024;

/** Judges a run. Nodes that do not answer are violations, not exceptions. */
export async function judgeRun(evidence: Evidence): Promise<LoadVerdict> {
  const nodes = evidence.urls.map(auditedNode);
  const settled = await settle(nodes, evidence);
  const findings: Finding[] = [settled.finding];
  findings.push(...(await judgeChain(evidence, nodes, settled.height)));
  evidence.ledger.waiting(await waitingInMempools(settled.up, evidence.ledger.openHashes));
  findings.push(evidence.ledger.finding(), gaps(evidence), ...growth(evidence), errorLines(evidence), ...evidence.more);
  return {
    ...countsOf(evidence.ledger, findings, settled.height !== null),
    findings: findings.map(({ violations, ...rest }) => ({ ...rest, violations: [...violations] })),
  };
}

function countsOf(
  ledger: Ledger,
  findings: readonly Finding[],
  areBlocksKnown: boolean,
): Omit<LoadVerdict, 'findings'> {
  const { lost, doubled, unresolved } = ledger.losses(areBlocksKnown);
  const others = findings.filter(({ rule }) => rule !== accounted);
  const wrong = others.reduce((sum, { violations }) => sum + violations.length, 0);
  return { clean: findings.every(({ violations }) => violations.length === 0), lost, doubled, wrong, unresolved };
}

/** For a whole answer, ms. */
const answerMsMax = 15_000;
/** Connections that were lost one after the other, until a node counts as one that does not answer. */
const lostMax = 5;

/** A node as the audit asks it: one that is busy is given time, and one that drops a connection is asked over another one. */
function auditedNode(url: string, index: number): AuditedNode {
  const patient: Call = async (method, params = []) => {
    let lost = 0;
    for (const end = performance.now() + patienceMs; ; ) {
      try {
        return await rpc(url, method, params, answerMsMax);
      } catch (error) {
        const isBusy = error instanceof RpcError && error.code === limitExceeded;
        const isOver = isBusy ? performance.now() > end : error instanceof RpcError || ++lost >= lostMax;
        if (isOver) throw error;
      }
      await pause();
    }
  };
  return { name: `validator${index} (${url})`, call: patient };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pollMs));

/** Waits until all nodes that answer have the newest block of any of them. */
async function settle(
  nodes: readonly AuditedNode[],
  { settleMs, say }: Evidence,
): Promise<{ readonly height: number | null; readonly up: readonly AuditedNode[]; readonly finding: Finding }> {
  say('waiting for all nodes to have the same block');
  const begun = await heads(nodes);
  const goal = Math.max(0, ...begun.flatMap((head) => (typeof head === 'number' ? [head] : [])));
  let now = begun;
  for (const end = performance.now() + settleMs; ; now = await heads(nodes)) {
    if (now.every((head) => typeof head === 'number' && head >= goal) || performance.now() > end) break;
    await pause();
  }
  const violations = now.flatMap((head, index) => {
    const { name } = nodes[index]!;
    if (typeof head !== 'number') return [`${name} stopped: ${head}`];
    return head >= goal ? [] : [`${name} stays at block ${head}, others have ${goal}`];
  });
  const up = nodes.filter((_, index) => typeof now[index] === 'number');
  const stopped = nodes.length - up.length;
  return {
    height: up.length > 0 ? goal : null,
    up,
    finding: finding(
      stopped > 0 ? 'validators stopped' : 'validators answer',
      `${nodes.length} nodes asked, ${nodes.length - stopped} answer, newest block ${goal}`,
      violations,
    ),
  };
}

/** Head of each node, or why there is none. */
const heads = (nodes: readonly AuditedNode[]): Promise<readonly (number | string)[]> =>
  Promise.all(
    nodes.map(({ call: ask }) =>
      ask('eth_blockNumber').then(Number, (error: unknown) => (error instanceof Error ? error.message : String(error))),
    ),
  );

/** What needs the blocks. A node that stopped is told of already; whoever answers is judged. */
async function judgeChain(
  evidence: Evidence,
  nodes: readonly AuditedNode[],
  height: number | null,
): Promise<readonly Finding[]> {
  const { from, say, refusals, scenario } = evidence;
  const unread = 'no node answers';
  if (height === null) return [refusals.finding(scenario, unread)];
  const names = nodes.map(({ name }) => name);
  say(`comparing blocks ${from} to ${height} of ${nodes.length} nodes`);
  const views = await readChainViews(nodes, { from, to: height });
  const chain = { names, views, from };
  const findings: Finding[] = [agreement(chain), roots(chain)];
  const up = nodes.filter((_, index) => views.some(({ validator }) => validator === index));
  if (up.length === 0) return [...findings, refusals.finding(scenario, unread)];
  return [...findings, ...(await judgeState(evidence, up, height))];
}

/**
 * No height without progress for longer than the rules allow, but while somebody broke something. The ends of the run count as blocks: one that never came has
 * no time. What counts is when a node told of a block: how long this program took to read it is no pause of the chain.
 */
function gaps({ seen, span, bounds, faults }: Evidence): Finding {
  const blocks = seen
    .filter(({ toldMs }) => toldMs >= span.fromMs && toldMs <= span.toMs)
    .map(({ height, toldMs }) => ({ height, atMs: toldMs }));
  const [first, last] = [blocks[0]?.height ?? 1, blocks.at(-1)?.height ?? 0];
  const whole = [{ height: first - 1, atMs: span.fromMs }, ...blocks, { height: last + 1, atMs: span.toMs }];
  const isExcused = (fromMs: number, toMs: number): boolean =>
    faults.some((fault) => fromMs < fault.toMs && toMs > fault.fromMs);
  return progress(whole, bounds.gapMs, isExcused);
}

const untold = 'nothing: no admin addresses were given, or the nodes do not tell';

/** Memory and disk of each validator, beyond what any run takes, for the operations that it carried out. */
function growth({ sampler, ledger, bounds }: Evidence): readonly Finding[] {
  const { samples } = sampler;
  const measured = samples.filter(({ samples: own }) => own.length >= 2);
  const allowed = (bytesOfMillion: number): number => warmUpBytes + (bytesOfMillion * ledger.committed) / 1e6;
  const words = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  const rule = (
    name: string,
    bytesOfMillion: number,
    of: (sample: (typeof samples)[number]['samples'][number]) => number | null,
  ): Finding => {
    const grown = measured.flatMap(({ name: node, samples: own }) => {
      // A node that is busy may leave one of them out.
      const told = own.map(of).filter((bytes) => bytes !== null);
      return told.length < 2 ? [] : [{ node, bytes: told.at(-1)! - told[0]! }];
    });
    const limit = allowed(bytesOfMillion);
    const most = grown.reduce((max, { bytes }) => Math.max(max, bytes), 0);
    return finding(
      name,
      grown.length === 0
        ? untold
        : `${grown.length} validators, at most ${words(most)} more for ${ledger.committed} operations, ${words(limit)} allowed`,
      grown
        .filter(({ bytes }) => bytes > limit)
        .map(({ node, bytes }) => `${node} took ${words(bytes)} more, at most ${words(limit)}`),
    );
  };
  return [
    rule('memory', bounds.memoryBytes, ({ rssBytes }) => rssBytes),
    rule('disk', bounds.diskBytes, ({ diskBytes }) => diskBytes),
  ];
}

/** A node that does what it is for has nothing to say at this level, whatever the load. */
function errorLines({ sampler }: Evidence): Finding {
  const told = sampler.errorLines.flatMap(({ name, lines }) => (lines === null ? [] : [{ name, lines }]));
  const words = (lines: number): string => `${lines} ${lines === 1 ? 'line' : 'lines'}`;
  const sum = told.reduce((all, { lines }) => all + lines, 0);
  return finding(
    'no log line at level error',
    told.length === 0
      ? untold
      : `${told.length} of ${sampler.errorLines.length} validators tell, ${words(sum)} while it was sent`,
    told.filter(({ lines }) => lines > 0).map(({ name, lines }) => `${name} logged ${words(lines)} at level error`),
  );
}
