/** What a drill asks about signatures of one validator. */
import type { ChaosNetwork } from '@prime/chaos';
import { rpcAll, RpcError, toHex } from '@prime/load';

/** Height of the newest message of a validator that was found anywhere; 0 is none. */
export function newestSigned({ signLog, homes }: ChaosNetwork, index: number): number {
  const own = signLog.records.filter(({ signer }) => signer === homes.addresses[index]);
  return own.reduce((newest, { height }) => Math.max(newest, height), 0);
}

/** Heights from one to another whose certificates hold a signature of a validator, as another node tells them. */
export async function heightsSigned(
  network: ChaosNetwork,
  index: number,
  from: number,
  to: number,
): Promise<readonly number[]> {
  const source = network.serving().find((each) => each !== index);
  if (source === undefined || from > to) return [];
  const heights = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  const answers = await rpcAll(
    network.homes.operatorUrls[source]!,
    heights.map((height) => ({ method: 'prime_getCommit', params: [toHex(height)] })),
  );
  return heights.filter((_, at) => {
    const commit = answers[at];
    if (commit === null || commit instanceof RpcError) return false;
    const { signatures } = commit as { readonly signatures: readonly { readonly validator: string }[] };
    return signatures.some(({ validator }) => validator === network.homes.addresses[index]);
  });
}
