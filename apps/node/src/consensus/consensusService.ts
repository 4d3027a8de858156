import type { Handlers } from '@prime/bus';
import type { NodeConfig } from '@prime/config';
import type { AccountReader, Engine, UpgradeStatus } from '@prime/engine';
import type { Mempool, MempoolLimits, MempoolStatus } from '@prime/mempool';
import type { Network, SignerLinkStatus } from '@prime/network';
import { parseAddress } from '@prime/primitives';
import type { PendingFeed } from '../gateway/pendingFeed.ts';
import { connectedPower, missingPower } from './connectedPower.ts';
import { consensusStanding, knownNodes } from './consensusStanding.ts';
import type { EngineCounters } from '../metrics/engineMetrics.ts';
import type { PeerHeads } from '../operator/peerDesk.ts';
import type { GatewayToConsensus } from '../threads/protocols.ts';
import type { ValidatorKeys } from '../keys/validatorKeys.ts';

/** Bytes of transactions in one answer of txpool_content: making it is this thread's time. */
const contentBytesMax = 8 << 20;

/** As JSON: powers as decimal strings. */
const showUpgrade = ({ next, ...now }: UpgradeStatus): Readonly<Record<string, unknown>> => ({
  ...now,
  next: next && { ...next, readyPower: String(next.readyPower), totalPower: String(next.totalPower) },
});

/** Part of the room that is taken, of what has least left. */
const fillOf = (status: MempoolStatus, limits: ConsensusParts['limits']): number =>
  Math.max(
    (status.pending + status.queued) / limits.transactionCountMax,
    status.transactionBytes / limits.transactionBytesMax,
    status.actions / limits.actionCountMax,
    status.actionBytes / limits.actionBytesMax,
  );

/** What the gateway may ask of the consensus thread. */
export interface ConsensusParts {
  readonly engine: Engine;
  readonly mempool: Mempool;
  readonly accounts: AccountReader;
  /** Where the hot keys are; null is in this home. */
  readonly signer: { status(): SignerLinkStatus } | null;
  readonly network: Pick<Network, 'metrics'>;
  readonly keys: Pick<ValidatorKeys, 'self'>;
  readonly counters: Pick<EngineCounters, 'signers' | 'times'>;
  /** Newest blocks that peers told of. */
  readonly heads: Pick<PeerHeads, 'head'>;
  readonly p2p: Pick<NodeConfig['p2p'], 'sentries' | 'privatePeers'>;
  /** Room of the mempool. */
  readonly limits: Pick<
    MempoolLimits,
    'transactionCountMax' | 'transactionBytesMax' | 'actionCountMax' | 'actionBytesMax'
  >;
}

/**
 * What the consensus thread answers to the gateway.
 *
 * @param pending told what the gateway wants to hear
 * @param parts asked for at each call, since the handlers are wired before the engine is made
 */
export function consensusService(
  pending: Pick<PendingFeed, 'listen'>,
  parts: () => ConsensusParts,
): {
  readonly handlers: Handlers<GatewayToConsensus>;
  /** For the admin endpoint; plain data, powers as decimal strings. */
  status(): Readonly<Record<string, unknown>>;
} {
  const handlers: Handlers<GatewayToConsensus> = {
    listenPending: (detail) => {
      pending.listen(detail);
      return null;
    },
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
    ...standingHandlers(parts),
  };
  const status = (): Readonly<Record<string, unknown>> => {
    const { engine, mempool, signer, network, keys, counters, limits } = parts();
    const standing = engine.status();
    const { validators: _validators, registered, upgrade, ...rest } = standing;
    const own = keys.self();
    const pool = mempool.status();
    return {
      ...rest,
      signer: signer?.status() ?? null,
      upgrade: showUpgrade(upgrade),
      mempool: { ...pool, fill: fillOf(pool, limits) },
      traffic: network.metrics(),
      jailed: registered?.some(({ address, status }) => address === own && status === 'jailed') ?? false,
      ...missingPower(standing, counters.signers),
      ...connectedPower(standing),
    };
  };
  return { handlers, status };
}

/** What is told to everybody about consensus and other nodes. */
const standingHandlers = (
  parts: () => ConsensusParts,
): Pick<Handlers<GatewayToConsensus>, 'consensusStatus' | 'knownNodes'> => ({
  consensusStatus() {
    const { engine, counters } = parts();
    return consensusStanding(engine.status(), engine.dump(), counters.times);
  },
  knownNodes() {
    const { engine, heads, p2p } = parts();
    return knownNodes(engine.status(), {
      head: (peer) => heads.head(peer),
      hidden: new Set([...p2p.privatePeers, ...p2p.sentries].map(parseAddress)),
      isBehindSentries: p2p.sentries.length > 0,
    });
  },
});
