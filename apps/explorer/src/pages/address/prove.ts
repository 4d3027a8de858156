/** Runs the light client in the page. Loaded when somebody wants to see something proven. */
import { type Address, getAccount, type Hash } from '@prime/sdk';
import { createLightClient, type LightClient } from '@prime/sdk/light';
import type { RpcClient } from '../../node/rpcClient.ts';
import { type Comparison, compareAccount, isSameShown } from './compare.ts';

/** What was proven of an account. */
export interface AccountProof {
  /** Block after which it stood so. */
  readonly blockNumber: bigint;
  /** State root that the validators signed, in the header of the block after it. */
  readonly stateRoot: Hash;
  /** Block that has it, and who signed that. */
  readonly signedBlock: bigint;
  readonly power: { readonly signed: bigint; readonly total: bigint };
  /** Blocks whose certificates were checked on the way from genesis. */
  readonly steps: number;
  readonly genesisHash: Hash;
  /** Whether there is a record: an account without money has none. */
  readonly isPresent: boolean;
  /** null where the account changed faster than it could be compared. */
  readonly comparisons: readonly Comparison[] | null;
}

/** Verified blocks are kept while the window is open: the way from genesis is gone once. */
const lightClients = new Map<string, LightClient>();
const lightClientsMax = 4;

function lightClientOf(client: RpcClient, genesisHash: Hash): LightClient {
  const key = `${client.url} ${genesisHash}`;
  const known = lightClients.get(key);
  if (known !== undefined) return known;
  if (lightClients.size >= lightClientsMax) lightClients.clear();
  // Genesis is all that somebody in front of a page can know by another way, however old it is.
  const made = createLightClient({ client: client.sdk, root: genesisHash, expiredTrust: 'quorum' });
  lightClients.set(key, made);
  return made;
}

const attemptsMax = 4;

/** @throws LightClientError that says what is not proven */
export async function proveAccount(client: RpcClient, address: Address, genesisHash: Hash): Promise<AccountProof> {
  const light = lightClientOf(client, genesisHash);
  for (let attempt = 1; ; attempt++) {
    const head = BigInt((await client.request({ method: 'eth_blockNumber' })) as string);
    const before = await getAccount(client.sdk, { address });
    const verified = await light.verifyRecord({ address }, { minBlockNumber: head });
    const after = await getAccount(client.sdk, { address });
    const isStill = isSameShown(before, after);
    if (!isStill && attempt < attemptsMax) continue;
    const block = await light.verifyBlock({ blockNumber: verified.blockNumber + 1n });
    return {
      blockNumber: verified.blockNumber,
      stateRoot: block.parentStateRoot,
      signedBlock: block.number,
      power: block.power,
      steps: block.path.length,
      genesisHash,
      isPresent: verified.present,
      comparisons: isStill ? compareAccount(verified.record, after) : null,
    };
  }
}
