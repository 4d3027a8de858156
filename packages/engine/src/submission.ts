import type { ActionPayload } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { checkAuthority, checkOwner } from './authority.ts';
import { mayVouch } from './blockRules.ts';
import type { ChainTip } from './chainTip.ts';
import type { EngineOptions } from './engineOptions.ts';
import { type ActionForwarding, createActionForwarding } from './forwarding.ts';
import { createIntake, type Intake } from './intake.ts';
import type { Membership } from './membership.ts';
import type { EngineStages } from './stages.ts';

export interface Submission {
  readonly intake: Intake;
  readonly forwarding: ActionForwarding;
  /** An unsigned call: this node vouches for it as a validator, or hands it to one. */
  submitAction(account: Address, payload: ActionPayload): Promise<Hash>;
}

export interface SubmissionParts extends Pick<EngineOptions, 'genesis' | 'mempool' | 'ports' | 'onFatal'> {
  readonly tip: ChainTip;
  readonly membership: Membership;
  readonly stages: Pick<EngineStages, 'pooled'>;
  /** The mempool has something for a proposal. */
  readonly onWork: () => void;
}

/** The ways into the mempool, as the engine wires them. */
export function createSubmission({ genesis, mempool, ports, tip, membership, ...parts }: SubmissionParts): Submission {
  const { accounts, signers, verifier, clock, network } = ports;
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
    checkAuthority: (action) => checkAuthority(action, signers, tip.timestampMs),
    checkOwner: (action) => checkOwner(action, owners),
    verifier,
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
  return {
    intake,
    forwarding,
    submitAction: (account, payload) =>
      isOpen && membership.own() === null ? forwarding.submit(account, payload) : intake.submitAction(account, payload),
  };
}
