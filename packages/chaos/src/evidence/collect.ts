/** Asks every validator, once the network is at peace, for what the verdict is about. */
import { ordersAddress } from '@prime/codec';
import { type BlockClaim, type Evidence, type NodeView, type WriteClaim, worthOf } from '@prime/audit';
import { ordersRootSlot } from '@prime/predeploy';
import type { Load, Promised } from '../run/load.ts';
import type { ChaosNetwork } from '../run/network.ts';
import { readBlocks } from './history.ts';
import type { RegisteredValidator } from '@prime/sdk';
import { rpcAll, RpcError, type RpcRequest, toHex } from '@prime/load';

/** All that the verdict is given: what each node shows, the writes that clients were promised, and what nodes say of them. */
export type Collected = Pick<Evidence, 'views' | 'writes' | 'claims'>;

/** Reads blocks up to `height`, books and acknowledged writes from all validators that serve. */
export async function collect(network: ChaosNetwork, load: Load, height: number): Promise<Collected> {
  const promised = load.promised;
  const views: NodeView[] = [];
  const claims: WriteClaim[] = [];
  const registered = await registeredOfAll(network);
  const askNode = async (index: number): Promise<void> => {
    const url = network.homes.operatorUrls[index]!;
    try {
      const kept = await readBlocks(url, 1, height);
      const book = await viewOf(network, { validator: index, height, kept, accounts: [...load.accounts] });
      const found = await claimsOf(url, index, promised, kept[0]?.height ?? 1);
      if (index < network.validators) await collectCertificates(network, url, index, height);
      views.push({ ...book, registered: registered.get(index) ?? [] });
      claims.push(...found);
    } catch (error) {
      network.say(`${network.name(index)} does not answer: ${(error as Error).message}`);
    }
  };
  await Promise.all(network.serving().map(askNode));
  views.sort((a, b) => a.validator - b.validator);
  return { views, writes: promised.map(({ write }) => write), claims };
}

/** The chain goes on while nodes are asked, and who left is forgotten at some block: nodes that agree do so in one of a few rounds of questions. */
const registeredRounds = 20;
const registeredRoundMs = 250;

/** Who is registered, as each node that serves tells it: alike, or as they still differed in the last round. */
async function registeredOfAll(network: ChaosNetwork): Promise<ReadonlyMap<number, readonly string[]>> {
  for (let round = 1; ; round++) {
    const told = new Map<number, readonly string[]>();
    const askNode = async (index: number): Promise<void> => {
      const url = network.homes.operatorUrls[index]!;
      // Who does not answer is missed in the verdict by what it is asked later.
      const found = await network
        .client(url)
        .getRegisteredValidators()
        .catch(() => []);
      told.set(index, found.map(lineOf).toSorted());
    };
    await Promise.all(network.serving().map(askNode));
    const isAlike = new Set([...told.values()].map((lines) => lines.join())).size <= 1;
    if (isAlike || round === registeredRounds) return told;
    await new Promise((resolve) => setTimeout(resolve, registeredRoundMs));
  }
}

const lineOf = ({ address, status, votingPower, stake }: RegisteredValidator): string =>
  `${address} ${status} ${votingPower} of ${stake}`;

interface Asked {
  readonly validator: number;
  readonly height: number;
  /** Blocks that it has in the end. */
  readonly kept: readonly BlockClaim[];
  readonly accounts: readonly string[];
}

async function viewOf(
  network: ChaosNetwork,
  { validator, height, kept, accounts }: Asked,
): Promise<Omit<NodeView, 'registered'>> {
  const at = toHex(height);
  const [escrow, ordersRoot, ...books] = await rpcAll(network.homes.operatorUrls[validator]!, [
    ask('eth_getBalance', ordersAddress, at),
    ask('eth_getStorageAt', ordersAddress, ordersRootSlot, at),
    ...accounts.map((account) => ask('primeorders_getAccount', account)),
  ]);
  let held = 0n;
  for (const book of books) held += worthOf(book);
  return {
    validator,
    blocks: withTold(kept, network.history.told(validator)),
    snapshots: network.history.snapshots(validator),
    ordersRoot: ordersRoot as string,
    escrow: BigInt(escrow as string),
    held,
  };
}

/** What a node has in the end, and what it told before of blocks that it has no more, or has otherwise. */
function withTold(kept: readonly BlockClaim[], told: readonly BlockClaim[]): BlockClaim[] {
  const has = new Map(kept.map((block) => [block.height, block]));
  const isNew = ({ height, hash, stateRoot }: BlockClaim): boolean =>
    has.get(height)?.hash !== hash || has.get(height)?.stateRoot !== stateRoot;
  return [...kept, ...told.filter(isNew)].toSorted((a, b) => a.height - b.height);
}

const signed = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text));

/** What a node answers about blocks that it does not keep. */
const pruned = 4_444;

/** @param base first block of the node: of what was before, only what it left in the state can be looked for */
async function claimsOf(
  url: string,
  validator: number,
  promised: readonly Promised[],
  base: number,
): Promise<WriteClaim[]> {
  const questions = promised.map((each) => questionOf(each, base));
  const answers = await rpcAll(
    url,
    questions.flatMap(({ calls }) => calls),
  );
  let next = 0;
  return questions.map(({ calls, problem }, index) => {
    const own = answers.slice(next, next + calls.length);
    next += calls.length;
    const refused = own.find((answer) => answer instanceof RpcError && !(base > 1 && answer.code === pruned));
    return {
      validator,
      write: promised[index]!.write,
      problem: refused === undefined ? problem(own) : (refused as RpcError).message,
    };
  });
}

const ask = (method: string, ...params: readonly unknown[]): RpcRequest => ({ method, params });

interface Question {
  readonly calls: readonly RpcRequest[];
  readonly problem: (answers: readonly unknown[]) => string | null;
}

const differs = (what: string, found: unknown, expected: unknown): string | null =>
  String(found) === String(expected) ? null : `${what} is ${String(found)} instead of ${String(expected)}`;

/** How an acknowledged write is looked for on a node whose blocks begin at `base`. */
function questionOf(promised: Promised, base: number): Question {
  switch (promised.kind) {
    case 'transfer':
      return {
        calls: [ask('eth_getTransactionReceipt', promised.hash), ask('eth_getBalance', promised.to, 'latest')],
        problem: ([receipt, balance]) =>
          receipt === null && promised.height >= base
            ? 'no receipt'
            : differs('balance', BigInt(balance as string), promised.value),
      };
    case 'withdrawal':
      return {
        calls: [ask('eth_getBalance', promised.to, 'latest')],
        problem: ([balance]) => differs('balance', BigInt(balance as string), promised.value),
      };
    case 'deposit':
      return {
        calls: [ask('primeorders_getAccount', promised.account)],
        problem: ([account]) =>
          differs('collateral', signed((account as { collateral: string }).collateral), promised.value),
      };
    case 'order':
      return {
        calls: [ask('primeorders_getOrder', toHex(promised.orderId))],
        problem: ([order]) => {
          if (order === null || order instanceof RpcError) return 'no such order';
          const found = order as { owner: string; status: string; price: string };
          return (
            differs('status', found.status, 'open') ??
            differs('owner', found.owner, promised.owner) ??
            differs('price', found.price, toHex(promised.price))
          );
        },
      };
    case 'cancel':
      return {
        calls: [ask('primeorders_getOrder', toHex(promised.orderId))],
        problem: ([order]) =>
          // Cancelled before the block that the node began with.
          order instanceof RpcError
            ? null
            : differs('status', (order as { status: string } | null)?.status, 'cancelled'),
      };
    case 'cancelAll':
      return {
        calls: [ask('primeorders_getOpenOrders', promised.owner)],
        problem: ([orders]) => differs('number of open orders', (orders as readonly unknown[]).length, 0),
      };
    case 'trade': {
      const { height, orderId } = promised;
      return {
        calls: [ask('prime_getDomainEvents', { fromBlock: toHex(height), toBlock: toHex(height), domain: 'orders' })],
        problem: ([events]) =>
          events instanceof RpcError || JSON.stringify(events).includes(`"${toHex(orderId)}"`)
            ? null
            : 'no event of it in its block',
      };
    }
  }
}

/** The certificates of a validator hold signatures of all; each validator is asked for those of its own share of the heights. */
async function collectCertificates(network: ChaosNetwork, url: string, index: number, height: number): Promise<void> {
  const heights = Array.from({ length: height }, (_, offset) => offset + 1).filter(
    (each) => each % network.validators === index,
  );
  const calls = heights.map((each) => ask('prime_getCommit', toHex(each)));
  for (const answer of await rpcAll(url, calls)) {
    if (answer === null || answer instanceof RpcError) continue;
    const commit = answer as {
      readonly height: string;
      readonly round: string;
      readonly block_hash: string;
      readonly signatures: readonly { readonly validator: string }[];
    };
    for (const { validator } of commit.signatures)
      network.signLog.add({
        signer: validator,
        height: Number(commit.height),
        round: Number(commit.round),
        step: 'precommit',
        value: commit.block_hash,
        source: `certificate of ${network.name(index)}`,
      });
  }
}
