import {
  type Block,
  type BlockCheck,
  decodeStakingRecords,
  type ExecutionStatus,
  type Genesis,
  genesisHash,
  prefixedKey,
  type RecordWrite,
  stakingRoot,
  stakingWrites,
  statePrefix,
} from '@prime/codec';
import {
  type EvidencePlace,
  type EvidenceRules,
  type EvidenceVerdict,
  genesisStaking,
  isToldAlike,
  judgeAllEvidence,
  judgeEvidence,
  registeredValidators,
  type StakingOutcome,
  type StakingState,
} from '@prime/consensus';
import type { StateDatabase } from '@prime/evm';
import type { Hash } from '@prime/primitives';
import { ChainError } from '../errors.ts';
import { readable } from '../pipeline/readable.ts';

/** The staking state at the head and the rules that it goes by; null on networks whose validators never change. */
export interface StakingDomain {
  readonly state: StakingState;
  readonly rules: EvidenceRules;
}

/** Root and records of the staking state before block 1; null where genesis has no staking. */
export function stakingGenesis(
  genesis: Genesis,
): { readonly root: Hash; readonly writes: readonly RecordWrite[] } | null {
  if (genesis.staking === undefined) return null;
  const state = genesisStaking(genesis.validators);
  return { root: stakingRoot(state), writes: recordWrites(null, state) };
}

/**
 * Reads the staking state of the newest committed block; to be called once the chain is open.
 *
 * @param committedRoot the root that the state at the head commits to: slot 0 of 0x…0200
 * @throws ChainError `CHAIN_STAKING_ROOT_MISMATCH`, `CHAIN_STATE_UNREADABLE`
 */
export async function openStaking(options: {
  readonly genesis: Genesis;
  readonly database: StateDatabase;
  readonly provider: EvidenceRules['provider'];
  readonly committedRoot: () => Hash;
}): Promise<StakingDomain | null> {
  const { genesis, database, provider } = options;
  const { staking: params, chainId } = genesis;
  if (params === undefined) return null;
  const entries: (readonly [Uint8Array, Uint8Array])[] = [];
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.stakingRecord)))
    entries.push([key.slice(1), value]);
  const state = await readable('staking', async () => decodeStakingRecords(entries));
  const rebuilt = stakingRoot(state);
  const stored = options.committedRoot();
  if (rebuilt !== stored)
    throw new ChainError(`the staking records give root ${rebuilt}, the state says ${stored}`, {
      code: 'CHAIN_STAKING_ROOT_MISMATCH',
      stored,
      rebuilt,
    });
  return { state, rules: { params, chainId, genesisHash: genesisHash(genesis), provider } };
}

/** Writes that lead from one state to another, under their prefix in the state database. */
const recordWrites = (before: StakingState | null, after: StakingState): RecordWrite[] =>
  stakingWrites(before, after).map(({ key, value }) => ({ key: prefixedKey(statePrefix.stakingRecord, key), value }));

/** The staking state as it moves from block to block. */
export class StakingHead {
  #domain: StakingDomain | null;

  constructor(domain: StakingDomain | null) {
    this.#domain = domain;
  }

  get domain(): StakingDomain | null {
    return this.#domain;
  }

  /** What the status of execution tells of the validators. */
  status(): Pick<ExecutionStatus, 'validators'> {
    return this.#domain === null ? {} : { validators: registeredValidators(this.#domain.state) };
  }

  /** Why a block's evidence is refused; null when it is good. */
  refuse({ evidence, header }: Block): BlockCheck {
    if (evidence.length === 0) return { ok: true };
    const reason =
      this.#domain === null
        ? 'evidence is not accepted where validators never change'
        : judgeAllEvidence(this.#domain.state, evidence, header, this.#domain.rules);
    return reason === null ? { ok: true } : { ok: false, diverged: false, reason };
  }

  /** Judges evidence that waits for the next block. */
  judge(evidence: Block['evidence'], place: EvidencePlace): readonly EvidenceVerdict[] {
    const domain = this.#domain;
    return evidence.map((piece) =>
      domain === null
        ? { ok: false, reason: 'validators never change here', forged: false }
        : judgeEvidence(domain.state, piece, place, domain.rules),
    );
  }

  /** What a block that is to be committed changes in the database. */
  writes(outcome: StakingOutcome | null): RecordWrite[] {
    return outcome === null ? [] : recordWrites(this.#domain?.state ?? null, outcome.state);
  }

  /** Moves to the state after a block. @returns what it changed about the validators, if anything */
  move(outcome: StakingOutcome | null): Pick<ExecutionStatus, 'validators'> {
    if (this.#domain === null || outcome === null) return {};
    const isSame = isToldAlike(this.#domain.state, outcome.state);
    this.#domain = { ...this.#domain, state: outcome.state };
    return isSame ? {} : this.status();
  }
}
