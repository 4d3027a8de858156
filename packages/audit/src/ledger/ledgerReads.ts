import { keccak256 } from '@prime/crypto';
import { type Address, bytesToHex, utf8ToBytes } from '@prime/primitives';
import { Answer } from '../rpc/answer.ts';
import { type AuditedNode, allInOrder, type Call, toHex } from '../rpc/call.ts';
import type { EvmLedger, LedgerStart } from './ledger.ts';
import { type Finding, finding } from '../finding.ts';
import type { TokenLedger } from './tokens.ts';

/** Questions to one node at once. */
const width = 16;

/** Balance and nonce of accounts after a block. */
export const readAccounts = (call: Call, addresses: readonly Address[], height: number): Promise<LedgerStart[]> =>
  allInOrder(addresses, width, async (address) => {
    const [balance, nonce] = await Promise.all([
      quantity(call, 'eth_getBalance', [address, toHex(height)]),
      quantity(call, 'eth_getTransactionCount', [address, toHex(height)]),
    ]);
    return { address, balance, nonce: Number(nonce) };
  });

const quantity = async (call: Call, method: string, params: readonly unknown[]): Promise<bigint> =>
  new Answer(method, await call(method, params)).quantity();

/** Balances and nonces of the ledger's accounts after a block, on every node. The ledger has to know all blocks up to it. */
export async function balancesFinding(
  ledger: EvmLedger,
  nodes: readonly AuditedNode[],
  height: number,
): Promise<Finding> {
  const known = [...ledger.accounts].filter(([, { unknown }]) => unknown === null);
  const lost = ledger.accounts.size - known.length;
  const differences = await onAll(nodes, async ({ name, call }) => {
    const found = await readAccounts(
      call,
      known.map(([address]) => address),
      height,
    );
    return found.flatMap(({ address, balance, nonce }, index) => {
      const expected = known[index]![1];
      const wrong: string[] = [];
      if (balance !== expected.balance) wrong.push(`balance ${balance} wei, blocks make it ${expected.balance}`);
      if (nonce !== expected.nonce) wrong.push(`nonce ${nonce}, blocks make it ${expected.nonce}`);
      return wrong.map((words) => `${address} on ${name}: ${words}`);
    });
  });
  const left = lost === 0 ? '' : ` (${lost} left out: stake or code of their own)`;
  const seen = `${known.length} accounts${left} with ${ledger.transactions} transactions on ${nodes.length} nodes at block ${height}`;
  return finding('balances and nonces', seen, [...ledger.faults, ...differences]);
}

const selector = (signature: string): string => bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, 4));
const balanceOf = selector('balanceOf(address)');
const totalSupply = selector('totalSupply()');
const word = (address: Address): string => address.slice(2).padStart(64, '0');

/** Balances of all holders, and the supply of each token, after a block, on every node. */
export async function tokensFinding(
  ledger: TokenLedger,
  nodes: readonly AuditedNode[],
  height: number,
): Promise<Finding> {
  const questions = [...ledger.tokens].flatMap(([token, balances]) => [
    { token, data: totalSupply, what: 'supply', expected: ledger.supplyOf(token) },
    ...[...balances].map(([holder, expected]) => ({
      token,
      data: balanceOf + word(holder),
      what: `balance of ${holder}`,
      expected,
    })),
  ]);
  const differences = await onAll(nodes, async ({ name, call }) => {
    const found = await allInOrder(questions, width, ({ token, data }) => tokenNumber(call, token, data, height));
    return found.flatMap((value, index) => {
      const { token, what, expected } = questions[index]!;
      return value === expected ? [] : [`token ${token} on ${name}: ${what} is ${value}, logs make it ${expected}`];
    });
  });
  const holders = questions.length - ledger.tokens.size;
  const seen = `${ledger.tokens.size} tokens, ${holders} holders, ${ledger.transfers} transfers on ${nodes.length} nodes at block ${height}`;
  return finding('token sums', seen, [...ledger.faults, ...differences]);
}

/** A word that a token answers; null where it answers something else, or there is no token. */
async function tokenNumber(call: Call, to: Address, data: string, height: number): Promise<bigint | null> {
  const output = new Answer('eth_call', await call('eth_call', [{ to, data }, toHex(height)])).bytes();
  return output.length === 32 ? BigInt(bytesToHex(output)) : null;
}

/** What all nodes answer wrongly; one that does not answer is among it. */
async function onAll(nodes: readonly AuditedNode[], ask: (node: AuditedNode) => Promise<string[]>): Promise<string[]> {
  const lines = await Promise.all(
    nodes.map((node) =>
      ask(node).catch((error: unknown) => [
        `${node.name} did not answer: ${error instanceof Error ? error.message : String(error)}`,
      ]),
    ),
  );
  return lines.flat();
}
