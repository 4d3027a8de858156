import { ordersAddress } from '@prime/codec';
import { answerDifferences } from '@prime/audit';
import type { ChaosNetwork } from '../run/network.ts';
import { rpcAll, RpcError, type RpcRequest, toHex } from '@prime/load';

/** Heights, and accounts, at which a validator with damaged files is compared with others. */
const comparedMax = 60;

/**
 * Compares what a validator says about blocks and balances with what another one says. Where it answers with an error, or not at all,
 * it may; where it answers, it must be right.
 */
export async function compareAnswers(network: ChaosNetwork, validator: number): Promise<void> {
  const { node, homes, watch } = { node: network.node(validator), homes: network.homes, watch: network.watch };
  const other = network.serving().find((index) => index !== validator);
  if (!node.serving || other === undefined) return;
  const head = Math.min(watch.heads[validator]!, watch.heads[other]!);
  const step = Math.max(1, Math.ceil(head / comparedMax));
  const heights = Array.from({ length: Math.floor(head / step) }, (_, index) => head - index * step);
  const calls: RpcRequest[] = heights.flatMap((height) => [
    { method: 'eth_getBlockByNumber', params: [toHex(height), true] },
    { method: 'eth_getBlockReceipts', params: [toHex(height)] },
    { method: 'eth_getBalance', params: [ordersAddress, toHex(height)] },
  ]);
  // The newest are in the log of the database, older ones in its tables.
  for (const account of spread(network.recipients))
    calls.push({ method: 'eth_getBalance', params: [account, toHex(head)] });
  const expected = await rpcAll(homes.operatorUrls[other]!, calls).catch((error: unknown) => String(error));
  if (typeof expected === 'string') return network.say(`${network.name(other)} is no witness: ${expected}`);
  // It may end in the middle of it, when it finds the damage: that is no answer.
  const found = await rpcAll(homes.operatorUrls[validator]!, calls).catch(() => []);
  for (const [index, answer] of found.entries()) {
    const right = expected[index];
    if (answer instanceof RpcError || right instanceof RpcError || answer === null) continue;
    const { method, params } = calls[index]!;
    for (const words of answerDifferences(answer, right))
      network.wrongAnswers.push({
        validator,
        atMs: network.nowMs(),
        words: `${method} ${JSON.stringify(params)}${words}`,
      });
  }
}

/** At most {@link comparedMax} of a list, from all over it. */
function spread<Value>(values: readonly Value[]): Value[] {
  const step = Math.max(1, Math.ceil(values.length / comparedMax));
  return values.filter((_, index) => index % step === 0);
}
