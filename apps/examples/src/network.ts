import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicClient, type Hash, http } from 'viem';

/** What the examples need of the `network.json` that `prime testnet up` writes into the folder of a network. */
export interface LocalNetwork {
  /** One per node that callers may ask. */
  readonly rpcUrls: readonly string[];
  /** Hash of block 0. */
  readonly genesisHash: Hash;
}

/** Where `npm start` keeps its network. */
export const defaultNetworkFolder = join('.prime', 'testnet');

/** @throws Error in words for whoever has not started a network */
export function readLocalNetwork(folder: string): LocalNetwork {
  try {
    return JSON.parse(readFileSync(join(folder, 'network.json'), 'utf8')) as LocalNetwork;
  } catch {
    throw new Error(`there is no network in ${folder}: start one with npm start, or name a folder with --network`);
  }
}

/**
 * Before anything is written: that the nodes are of this network. Ports change hands: what answers there may be another network, of
 * somebody who works on the same machine.
 *
 * @throws Error that names the node
 */
export async function checkNetwork({ rpcUrls, genesisHash }: LocalNetwork): Promise<void> {
  for (const url of rpcUrls) {
    const found = await genesisHashOf(url).catch(() => null);
    if (found === null)
      throw new Error(`no node of this network answers at ${url}: is it running? Start it: npm start`);
    if (found !== genesisHash)
      throw new Error(
        `what answers at ${url} is another network: its genesis is ${found}, not ${genesisHash}. Start yours: npm start`,
      );
  }
}

/** Hash of block 0, which no two networks share. */
export async function genesisHashOf(url: string): Promise<Hash> {
  const { hash } = await createPublicClient({ transport: http(url) }).getBlock({ blockNumber: 0n });
  return hash;
}
