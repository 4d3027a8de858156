/** What a drill asks about signatures of one validator. */
import type { ChaosNetwork } from '@prime/chaos';
import { rpcAll, RpcError, toHex } from '@prime/load/rpc';

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
  const commits = await commitsAt(network.homes.operatorUrls[source]!, heights);
  return heights.filter((_, at) =>
    commits[at]?.signatures.some(({ validator }) => validator === network.homes.addresses[index]),
  );
}

/** What of a certificate is looked at. */
interface Commit {
  /** Encoded, hex. */
  readonly header: string;
  readonly signatures: readonly { readonly validator: string }[];
}

/** Certificates as a node tells them; null for those that it has not. */
export async function commitsAt(url: string, heights: readonly number[]): Promise<readonly (Commit | null)[]> {
  const answers = await rpcAll(
    url,
    heights.map((height) => ({ method: 'prime_getCommit', params: [toHex(height)] })),
  );
  return answers.map((answer) => (answer instanceof RpcError ? null : (answer as Commit | null)));
}
