import {
  type ActionPayload,
  encodeNativeTransaction,
  genesisHash,
  nativeSigningDigest,
  signerProofDigest,
} from '@prime/codec';
import type { Address, Prng } from '@prime/primitives';
import type { SimulatedNode } from '../node/node.ts';
import { startMs, type World } from '../world.ts';

/** Owners change what is theirs while everything fails. */
export function planMembership(world: World, honest: readonly SimulatedNode[]): void {
  const { time, options } = world;
  if (!options.membership) return;
  const prng = world.prng.fork();
  for (let atMs = 300; atMs < options.faultsMs; atMs += 150 + prng.below(500))
    time.after(atMs, () => {
      const node = honest[prng.below(honest.length)]!;
      void node.submitTransaction(signedByOwner(world, node.address, payloadFor(world, node.address, prng)));
    });
  // Whoever went comes back: a network that lost its validators one by one proves little.
  time.after(options.faultsMs, () => {
    for (const node of honest)
      void node.submitTransaction(signedByOwner(world, node.address, { type: 'validatorUnjail' }));
  });
}

function payloadFor(world: World, owner: Address, prng: Prng): ActionPayload {
  switch (prng.below(5)) {
    case 0:
      return { type: 'validatorJail' };
    case 1:
      return { type: 'validatorUnjail' };
    case 2:
      return { type: 'validatorBond', amount: BigInt(1 + prng.below(3)) * 10n ** 17n };
    case 3:
      return { type: 'validatorUnbond', amount: BigInt(1 + prng.below(3)) * 10n ** 17n };
    default:
      return { type: 'validatorRotateSigner', ...claimOf(world, owner, prng.below(2)) };
  }
}

/** What registers a key of a validator: the one of genesis, or the one to rotate to. */
export function claimOf({ keys, genesis, provider }: World, owner: Address, index: number) {
  const key = keys.get(owner)![index]!;
  const digest = signerProofDigest(genesis.chainId, genesisHash(genesis), owner);
  return { publicKey: provider.publicKey(key), proof: provider.sign(digest, key) };
}

export function signedByOwner(world: World, account: Address, payload: ActionPayload): Uint8Array {
  const { genesis, provider, keys } = world;
  const nonce = Math.floor(startMs + world.time.nowMs);
  const common = { chainId: genesis.chainId, nonce, expiresAt: 0, account, payload } as const;
  const unsigned = { ...common, signatureKind: 'raw' } as const;
  const signature = provider.sign(nativeSigningDigest(unsigned), keys.get(account)![0]!);
  return encodeNativeTransaction({ ...unsigned, signature });
}
