import { ChainError } from '@prime/chain';
import { type ExecutableBlock, type ExecutionRoots, type Genesis, genesisHash, stakingRoot } from '@prime/codec';
import {
  type EvidenceVerdict,
  genesisStaking,
  judgeAllEvidence,
  judgeEvidence,
  registeredValidators,
  type StakingState,
} from '@prime/consensus';
import { type CryptoProvider, keccak256 } from '@prime/crypto';
import type { Execution } from '@prime/engine';
import {
  bytesToHash,
  concatBytes,
  type Hash,
  type Height,
  hexToBytes,
  type Prng,
  utf8ToBytes,
} from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { NodeDisk, SimulatedStatus } from './disk.ts';
import { damaged, type MembershipDamage, rulesOf, runStaking } from '../scenario/membership.ts';
import type { VirtualTime } from '../time.ts';

/** Checked blocks that are kept, as the real pipeline keeps a few. */
const checkedBlocksMax = 8;

const rootsOf = (bytes: Uint8Array): ExecutionRoots => {
  const root = bytesToHash(bytes);
  return { stateRoot: root, receiptsRoot: root, eventsRoot: root, gasUsed: 0n };
};

const genesisStatus = (genesis: Genesis): Omit<SimulatedStatus, 'staking'> => ({
  height: 0 as Height,
  hash: genesisHash(genesis),
  roots: rootsOf(keccak256(utf8ToBytes('genesis'))),
  nextBaseFee: genesis.evm.initialBaseFee,
});

/**
 * Execution as a hash chain over blocks: the same blocks give the same roots, and any difference shows in the next header. Each
 * call takes its time; calls are carried out in order.
 */
export function createExecution(options: {
  readonly genesis: Genesis;
  readonly disk: NodeDisk;
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly isAlive: () => boolean;
  readonly provider: CryptoProvider;
  readonly damage: MembershipDamage;
}): Execution {
  const { genesis, disk, time, prng, isAlive, damage } = options;
  const rules = genesis.staking === undefined ? null : rulesOf(genesis, options.provider, damage);
  const start: SimulatedStatus = withValidators(genesisStatus(genesis), rules && genesisStaking(genesis.validators));
  const head = (): SimulatedStatus => disk.states.at(-1) ?? start;
  /** The state that evidence is judged by: one that forgets convictions is a damaged one. */
  const judges = (): StakingState | null => {
    const { staking } = head();
    return staking !== null && damage.convictsTwice === true ? forgiving(staking) : staking;
  };
  const after = (block: ExecutableBlock): StakingState | null => {
    const state = judges();
    return state === null || rules === null ? null : runStaking(state, block, rules);
  };
  const checked = new Map<Hash, ExecutableBlock>();
  const known = (hash: Hash): ExecutableBlock => {
    const block = checked.get(hash);
    if (block !== undefined) return block;
    const code = 'CHAIN_UNKNOWN_BLOCK';
    throw new ChainError(`block ${hash} was not checked`, { code, hash, head: head().height });
  };
  const apply = (block: ExecutableBlock): ExecutionRoots => {
    const staking = after(block);
    const root = staking === null ? new Uint8Array(0) : hexToBytes(stakingRoot(staking));
    return rootsOf(keccak256(concatBytes(hexToBytes(head().roots.stateRoot), hexToBytes(block.hash), root)));
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Result): Promise<Result> => {
    const turn = last.then(async () => {
      await time.sleep(prng.below(4));
      // A process that is gone does not answer.
      if (!isAlive()) await new Promise(() => undefined);
      return work();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    status: () => inTurn(head),
    check: (block) =>
      inTurn(() => {
        const { parentResults, parentHash } = block.block.header;
        if (parentHash !== head().hash) return { ok: false, diverged: false, reason: 'parent' };
        if (parentResults.stateRoot !== head().roots.stateRoot)
          return { ok: false, diverged: true, reason: 'state root' };
        const { evidence, header } = block.block;
        const state = judges();
        const reason = state === null || rules === null ? null : judgeAllEvidence(state, evidence, header, rules);
        if (reason !== null) return { ok: false, diverged: false, reason };
        for (const oldest of checked.keys()) {
          if (checked.size < checkedBlocksMax || checked.has(block.hash)) break;
          checked.delete(oldest);
        }
        checked.set(block.hash, block);
        return { ok: true };
      }),
    judgeEvidence: (evidence) =>
      inTurn(() => {
        const state = judges();
        const { height } = head();
        const timestampMs = disk.block(height)?.block.header.timestampMs ?? genesis.timestampMs;
        const place = { height: (height + 1) as Height, timestampMs };
        return evidence.map(
          (piece): EvidenceVerdict =>
            state === null || rules === null
              ? { ok: false, reason: 'validators never change', forged: false }
              : judgeEvidence(state, piece, place, rules),
        );
      }),
    commit: (hash) =>
      inTurn(() => {
        const block = known(hash);
        const { height } = block.block.header;
        if (!disk.isDurable(height, hash))
          throw new Violation(`block ${height} is executed for good, and shown, before it is durable`);
        const before = head().staking;
        const status = { height, hash, roots: apply(block), nextBaseFee: genesis.evm.initialBaseFee };
        const simulated = withValidators(status, after(block), damage.activatesLate === true ? before : undefined);
        const told = simulated.validators && { validators: damaged(simulated.validators, genesis, damage) };
        disk.states.push({ ...simulated, ...told });
        checked.clear();
        return { ...status, ...told, accounts: [], transactionGas: block.transactions.map(() => 21_000) };
      }),
  };
}

/** @param told the state that is told of instead of the true one */
function withValidators(
  status: Omit<SimulatedStatus, 'staking'>,
  staking: StakingState | null,
  told: StakingState | null = staking,
): SimulatedStatus {
  return told === null ? { ...status, staking } : { ...status, staking, validators: registeredValidators(told) };
}

function forgiving(state: StakingState): StakingState {
  const entries = [...state.validators].map(([address, entry]) => [address, { ...entry, tombstoned: false }] as const);
  return { ...state, validators: new Map(entries) };
}
