import type { Handlers } from '@prime/bus';
import type { AccountReader, Engine, UpgradeStatus } from '@prime/engine';
import type { Mempool } from '@prime/mempool';
import type { SignerLinkStatus } from '@prime/network';
import { connectedPower } from './connectedPower.ts';
import type { GatewayToConsensus } from './protocols.ts';

/** Bytes of transactions in one answer of txpool_content: making it is this thread's time. */
const contentBytesMax = 8 << 20;

/** As JSON: powers as decimal strings. */
const showUpgrade = ({ next, ...now }: UpgradeStatus): Readonly<Record<string, unknown>> => ({
  ...now,
  next: next && { ...next, readyPower: String(next.readyPower), totalPower: String(next.totalPower) },
});

/** What the gateway may ask of the consensus thread. */
export interface ConsensusParts {
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly accounts: AccountReader;
  /** Where the hot keys are; null is in this home. */
  readonly signer: { status(): SignerLinkStatus } | null;
}

export function consensusService(parts: () => ConsensusParts): {
  readonly handlers: Omit<Handlers<GatewayToConsensus>, 'listenPending'>;
  /** For the admin endpoint; plain data, powers as decimal strings. */
  status(): Readonly<Record<string, unknown>>;
} {
  const handlers: Omit<Handlers<GatewayToConsensus>, 'listenPending'> = {
    submitTransaction: (raw) => parts().engine.submitTransaction(raw),
    submitReadyTransaction: (raw) => parts().engine.submitReadyTransaction(raw),
    submitAction: ({ account, payload }) => parts().engine.submitAction(account, payload),
    pendingNonce: (address) => {
      const { mempool, accounts } = parts();
      return mempool.pendingNonce(address) ?? accounts.account(address).nonce;
    },
    poolStatus: () => {
      const { pending, queued } = parts().mempool.status();
      return { pending, queued };
    },
    pooledTransaction: (hash) => {
      const { mempool } = parts();
      const found = mempool.transaction(hash);
      if (found !== null) return { raw: found.raw, hash, sender: found.sender };
      const action = mempool.action(hash);
      return action === null ? null : { raw: action.raw, hash, sender: action.transaction.account };
    },
    poolContent: (sender) =>
      parts()
        .mempool.transactions(sender, contentBytesMax)
        .map(({ status, transaction: { raw, hash, nonce, sender: from } }) => ({
          status,
          raw,
          hash,
          nonce,
          sender: from,
        })),
    proposalTransactions: () =>
      parts()
        .engine.nextTransactions()
        .map(({ raw, hash, sender }) => ({ raw, hash, sender })),
    networkStatus: () => {
      const { peers, syncing, active, validators, registered } = parts().engine.status();
      const status = { peerCount: peers.length, listening: true, syncing, active, validators: validators.validators };
      return registered === null ? status : { ...status, registered };
    },
  };
  const status = (): Readonly<Record<string, unknown>> => {
    const { engine, mempool, signer } = parts();
    const standing = engine.status();
    const { validators: _validators, registered: _registered, upgrade, ...rest } = standing;
    return {
      ...rest,
      signer: signer?.status() ?? null,
      upgrade: showUpgrade(upgrade),
      mempool: mempool.status(),
      ...connectedPower(standing),
    };
  };
  return { handlers, status };
}
