import type { ActionPayload, CommitOutcome, ExecutableBlock, Genesis } from '@prime/codec';
import type { Mempool } from '@prime/mempool';
import { type Address, type Hash, unreachable } from '@prime/primitives';
import { type AuthorityReaders, checkAuthority, checkOwner } from './authority.ts';
import { mayVouch } from '../block/blockRules.ts';
import type { ChainTip } from '../chain/chainTip.ts';
import { DrainMeter } from './drainMeter.ts';
import { type ActionForwarding, createActionForwarding } from './forwarding.ts';
import { createIntake, type Intake } from './intake.ts';
import type { Membership } from '../chain/membership.ts';
import { createPooledExchange, type PooledExchange } from './pooledExchange.ts';
import type { AccountReader, Clock, PeerMessage, PeerNetwork, SignerReader } from '../ports.ts';
import type { SentryPaths } from '../peers/sentryPaths.ts';
import type { EngineStages } from '../stages.ts';
import type { VerifiedItems } from './verifiedItems.ts';

const messageKinds = [
  'transactions',
  'actions',
  'pooledHashes',
  'pooledRequest',
  'actionRequest',
  'actionAnswer',
] as const satisfies readonly PeerMessage['kind'][];

/** What peers say of transactions and actions. */
export type SubmissionMessage = PeerMessage & { readonly kind: (typeof messageKinds)[number] };

/** Whether a message is about the mempool, not about consensus or sync. */
export const isSubmissionMessage = (message: PeerMessage): message is SubmissionMessage =>
  (messageKinds as readonly string[]).includes(message.kind);

/** All ways of transactions and actions into the mempool: from clients, from peers, and from calls without a signature. */
export interface Submission {
  readonly intake: Intake;
  onMessage(from: Address, message: SubmissionMessage): void;
  onPeerGone(peer: Address): void;
  /** An unsigned call: this node vouches for it as a validator, or hands it to one. */
  submitAction(account: Address, payload: ActionPayload): Promise<Hash>;
  /** A block is committed: what it holds waits no more, and at which rate blocks take things is measured. */
  onCommit(block: ExecutableBlock, outcome: CommitOutcome): void;
}

/** The parts of the engine that the mempool is filled with and checked against. */
export interface SubmissionParts {
  readonly genesis: Genesis;
  readonly mempool: Mempool;
  readonly accounts: AccountReader;
  readonly signers: SignerReader;
  readonly clock: Clock;
  readonly network: PeerNetwork;
  readonly tip: ChainTip;
  readonly membership: Membership;
  readonly items: VerifiedItems;
  readonly paths: SentryPaths;
  readonly stages: Pick<EngineStages, 'pooled'>;
  /** The mempool has something for a proposal. */
  readonly onWork: () => void;
  /** Items can not be checked any more. */
  readonly onFatal: (error: unknown) => void;
}

/** The ways into the mempool, as the engine wires them. */
export function createSubmission({
  genesis,
  mempool,
  accounts,
  signers,
  clock,
  network,
  tip,
  membership,
  paths,
  ...parts
}: SubmissionParts): Submission {
  const isOpen = genesis.actions === 'open';
  const owners = {
    signers,
    accounts,
    isValidator: (account: Address): boolean => tip.registered?.some(({ address }) => address === account) === true,
    hasFaucet: genesis.faucet !== null,
  };
  const intake = createIntake({
    chainId: genesis.chainId,
    mempool,
    accounts,
    checkAuthority: (action) =>
      checkAuthority(action, { signers, ...reportersOf(genesis, tip, clock) }, tip.timestampMs),
    checkOwner: (action) => checkOwner(action, owners),
    clock,
    headTimeMs: () => tip.timestampMs,
    gatewaySigner: () => (isOpen ? (membership.own()?.key ?? null) : null),
    mayVouch: (action) => mayVouch(action, tip.context()),
    broadcast: (message) => network.broadcast(message),
    ...parts,
  });
  const connected = (): Address[] => network.peers().map(({ address }) => address);
  const isFollower = (peer: Address): boolean =>
    network.peers().some(({ address, role }) => address === peer && role !== 'validator');
  const forwarding = createActionForwarding({
    chainId: genesis.chainId,
    clock,
    validators: () => connected().filter((peer) => membership.isValidator(peer)),
    serves: (peer) => isOpen && membership.own() !== null && isFollower(peer),
    send: (to, message) => network.send(to, message),
    vouch: (account, payload) => intake.submitAction(account, payload),
  });
  const pooled = createPooledExchange({
    ...intake.pooled,
    clock,
    send: (to, message) => network.send(to, message),
  });
  const drain = new DrainMeter();
  return {
    intake,
    onMessage: receiver({ intake, pooled, forwarding, paths }),
    onPeerGone(peer) {
      forwarding.onPeerGone(peer);
      pooled.onPeerGone(peer);
    },
    onCommit({ block, ...executable }, { transactionGas: gasUsed, accounts: changed, nextBaseFee }) {
      const transactions = executable.transactions.map(({ hash }) => hash);
      const actions = executable.actions.map(({ hash }) => hash);
      intake.onCommit(transactions, actions);
      const { timestampMs } = block.header;
      const drained = mempool.onCommit({ transactions, gasUsed, actions, accounts: changed, nextBaseFee, timestampMs });
      mempool.setDrainRates(drain.onBlock(drained, clock.monotonicMs()));
    },
    submitAction: (account, payload) =>
      isOpen && membership.own() === null ? forwarding.submit(account, payload) : intake.submitAction(account, payload),
  };
}

/** Whose price reports are taken, by the newest block, and of which time, by the clock. */
function reportersOf(
  { clob, consensus }: SubmissionParts['genesis'],
  tip: SubmissionParts['tip'],
  clock: SubmissionParts['clock'],
): Pick<AuthorityReaders, 'mayReport' | 'isTimely'> {
  const { oracle } = clob;
  if (oracle === undefined) return { mayReport: () => false, isTimely: () => false };
  return {
    mayReport(validator, key) {
      if (tip.registered === null)
        return tip
          .context()
          .validators.validators.some(({ address, signer }) => address === validator && signer === key);
      const known = tip.registered.find(({ address }) => address === validator);
      return known?.status === 'active' && (known.signer === key || known.oracleKey === key);
    },
    isTimely(observedAtMs) {
      const nowMs = Math.max(clock.nowMs(), tip.timestampMs);
      return observedAtMs >= nowMs - oracle.reportMaxAgeMs && observedAtMs <= nowMs + consensus.precisionMs;
    },
  };
}

interface Receivers {
  readonly intake: Intake;
  readonly pooled: PooledExchange;
  readonly forwarding: ActionForwarding;
  readonly paths: SentryPaths;
}

/** Who takes which message. */
const receiver =
  ({ intake, pooled, forwarding, paths }: Receivers): Submission['onMessage'] =>
  (from, message) => {
    switch (message.kind) {
      case 'transactions':
      case 'actions':
        return intake.onGossip(message, paths.onGossip(from, message));
      case 'pooledHashes':
        return paths.onPooled(from, pooled.onHashes(from, message));
      case 'pooledRequest':
        return pooled.onRequest(from, message);
      case 'actionRequest':
        return forwarding.onRequest(from, message);
      case 'actionAnswer':
        return forwarding.onAnswer(from, message);
      default:
        return unreachable(message);
    }
  };
