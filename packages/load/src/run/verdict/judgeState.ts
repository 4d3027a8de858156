import {
  Audit,
  type AuditedNode,
  balancesFinding,
  bookFinding,
  type DecidedBlock,
  EvmLedger,
  type Finding,
  finding,
  readGenesisByRpc,
  TokenLedger,
  tokensFinding,
  whyNoBlock,
} from '@prime/audit';
import type { Evidence } from './evidence.ts';

type Genesis = Awaited<ReturnType<typeof readGenesisByRpc>>;

const orderBook = 'order book';
const unkept = 'no node keeps all blocks of the run';

/**
 * What follows from the blocks: the order book by the model, balances, token sums, and what blocks refused. A rule for which no node keeps the blocks any more
 * says so.
 *
 * @param nodes that answer
 * @param height that all of them have
 */
export async function judgeState(
  evidence: Evidence,
  nodes: readonly AuditedNode[],
  height: number,
): Promise<readonly Finding[]> {
  const { withModel, refusals, scenario } = evidence;
  try {
    const genesis = await readGenesisByRpc(nodes[0]!.call);
    const whole = withModel ? await nodesFrom(nodes, 1) : null;
    if (whole?.absent.length === 0) return await judgeByModel(evidence, whole.nodes, genesis);
    const book =
      whole === null
        ? finding(orderBook, 'left out: --without-model', [])
        : finding(
            orderBook,
            'nothing: the model begins at genesis, and no node keeps all blocks; --without-model leaves it out',
            whole.absent,
          );
    return [book, ...(await judgeByBlocks(evidence, { nodes, height, genesis }))];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [finding('state as the blocks make it', 'it could not be read', [words]), refusals.finding(scenario, words)];
  }
}

/** Nodes with one in front that has a block; or why none of them has it. */
async function nodesFrom(
  nodes: readonly AuditedNode[],
  height: number,
): Promise<{ readonly nodes: readonly AuditedNode[]; readonly absent: readonly string[] }> {
  const absent: string[] = [];
  for (const node of nodes) {
    const why = await whyNoBlock(node, height);
    if (why === null) return { nodes: [node, ...nodes.filter((other) => other !== node)], absent: [] };
    absent.push(`${node.name}: ${why}`);
  }
  return { nodes, absent };
}

async function judgeByModel(
  evidence: Evidence,
  nodes: readonly AuditedNode[],
  genesis: Genesis,
): Promise<readonly Finding[]> {
  const { say } = evidence;
  say('replaying the chain in the model');
  const state = new StateOfRun(evidence, genesis);
  const audit = new Audit(genesis, { see: (block) => state.see(block) });
  const book = await bookFinding({ nodes, audit, genesis });
  return [book, ...(await state.findings(nodes, audit.next - 1))];
}

/** Without what came before the run. */
async function judgeByBlocks(
  evidence: Evidence,
  { nodes, height, genesis }: { nodes: readonly AuditedNode[]; height: number; genesis: Genesis },
): Promise<readonly Finding[]> {
  const { from, withModel, refusals, scenario, readBlocks, say } = evidence;
  // What contracts ask for is carried out in the next block.
  const own = await nodesFrom(nodes, Math.max(1, from - 1));
  if (own.absent.length > 0)
    return [
      // Whoever leaves out the model knows that history is pruned.
      withModel
        ? finding('balances and nonces', `nothing: ${unkept}`, own.absent)
        : finding('balances and nonces', `nothing: ${unkept}: ${own.absent.join(', ')}`, []),
      refusals.finding(scenario, unkept),
    ];
  say('reading the blocks of the run');
  const state = new StateOfRun(evidence, genesis);
  const blocks = readBlocks(own.nodes[0]!.call, { chainId: genesis.chainId, from, to: height });
  for await (const block of blocks) state.see(block);
  return state.findings(nodes, height);
}

/** What blocks make of the accounts, tokens and operations of a run. */
class StateOfRun {
  readonly #evidence: Evidence;
  readonly #balances: EvmLedger;
  readonly #sums: TokenLedger;
  #first: number | null = null;

  constructor(evidence: Evidence, { faucet }: Genesis) {
    this.#evidence = evidence;
    this.#balances = new EvmLedger(evidence.accounts, faucet);
    this.#sums = new TokenLedger(evidence.tokens.map((address) => ({ address })));
  }

  /** @param block the next one */
  see(block: DecidedBlock): void {
    const { from, ledger, refusals } = this.#evidence;
    this.#first ??= block.height;
    // Tokens may be older than the run.
    this.#sums.add(block);
    if (block.height < from) return;
    this.#balances.add(block);
    block.actions.forEach(({ hash }, index) => {
      const entry = ledger.entryOf(hash);
      const result = block.results[index];
      if (entry === null || result === undefined) return;
      ledger.executed(hash, result.ok ? null : result.error.code);
      refusals.action(entry.kind, result);
    });
    for (const { hash, status } of block.transactions) {
      const entry = ledger.entryOf(hash);
      if (entry === null) continue;
      ledger.executed(hash, status === 1 ? null : 'failed');
      if (status === 0) refusals.failed(entry.kind);
    }
  }

  /** @param at height of the last block that it saw */
  async findings(nodes: readonly AuditedNode[], at: number): Promise<readonly Finding[]> {
    const { say, tokens, refusals, scenario } = this.#evidence;
    say(`comparing balances at block ${at}`);
    return [
      await balancesFinding(this.#balances, nodes, at),
      ...(tokens.length === 0 ? [] : [await this.#tokens(nodes, at)]),
      refusals.finding(scenario, null),
    ];
  }

  async #tokens(nodes: readonly AuditedNode[], at: number): Promise<Finding> {
    const { accounts } = this.#evidence;
    const isDeployerNew = accounts.at(-1)?.nonce === 0;
    return this.#first === 1 || isDeployerNew
      ? tokensFinding(this.#sums, nodes, at)
      : finding('token sums', 'nothing: the tokens are older than the run, and so are blocks with their transfers', []);
  }
}
