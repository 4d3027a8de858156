import {
  type ActionResult,
  type CommitCertificate,
  defaultStakingParams,
  type Evidence,
  proposalSignDigest,
  type SignerClaim,
  signerProofDigest,
  type StakedValidator,
  type StakingParams,
  type ValidatorActionPayload,
  voteSignDigest,
} from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import { type Address, type Hash, type Height, type Round, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import {
  type EvidenceRules,
  executeStakingBlock,
  genesisStaking,
  inOrder,
  judgeAllEvidence,
  type StakingOutcome,
  type StakingState,
} from '../index.ts';
import { signerAt } from '../staking/state.ts';

export const ether = 10n ** 18n;
const genesisHash = `0x${'99'.repeat(32)}` as Hash;
const chainId = 7919;
const startMs = 1_700_000_000_000;

/** Real signatures take milliseconds: a keyed hash says as much to whoever plays by the rules. */
function createFakeProvider(): Pick<CryptoProvider, 'verify' | 'sign'> & {
  publicKey(key: Uint8Array): Uint8Array;
} {
  const seal = (digest: Uint8Array, publicKey: Uint8Array): Uint8Array => {
    const signature = new Uint8Array(65);
    signature.set(keccak256(Uint8Array.of(...publicKey, ...digest)));
    return signature;
  };
  return {
    sign: (digest, key) => seal(digest, key),
    publicKey: (key) => key,
    verify: (digest, signature, publicKey) => String(signature) === String(seal(digest, publicKey)),
  };
}

export interface Act {
  readonly account: Address;
  readonly payload: ValidatorActionPayload;
  readonly funded?: boolean;
}

export interface BlockContent {
  readonly acts?: readonly Act[];
  readonly evidence?: readonly Evidence[];
  /** Validators whose precommit for the block before is missing. */
  readonly absent?: readonly Address[];
  /** Since the block before, ms. */
  readonly afterMs?: number;
}

/** A staking state that blocks are run on, with keys for everyone. */
export class StakingHarness {
  readonly rules: EvidenceRules;
  readonly provider = createFakeProvider();
  state: StakingState;
  height = 0 as Height;
  timestampMs = startMs as TimestampMs;
  outcome: StakingOutcome | null = null;
  /** Wei paid out so far. */
  readonly paid = new Map<Address, bigint>();
  readonly #keys: readonly Uint8Array[];

  /** @param keys compressed public keys of real points, the first of them those of the validators of genesis */
  constructor(keys: readonly Uint8Array[], stakes: readonly bigint[], params: Partial<StakingParams> = {}) {
    this.#keys = keys;
    this.rules = { params: { ...defaultStakingParams, ...params }, chainId, genesisHash, provider: this.provider };
    this.state = genesisStaking(
      stakes.map((stake, index) => ({ address: owner(index), publicKey: keys[index]!, stake, moniker: `v${index}` })),
    );
  }

  claim(account: Address, keyIndex: number): SignerClaim {
    const publicKey = this.#keys[keyIndex]!;
    return { publicKey, proof: this.provider.sign(signerProofDigest(chainId, genesisHash, account), publicKey) };
  }

  join(index: number, stake: bigint, keyIndex = index): Act {
    const account = owner(index);
    const payload: ValidatorActionPayload = {
      type: 'validatorJoin',
      stake,
      moniker: `v${index}`,
      ...this.claim(account, keyIndex),
      ...endpoint,
    };
    return { account, payload };
  }

  /** Two precommits at one place, signed with the key of that height. */
  doubleVote(index: number, height: number, keyIndex = index): Evidence {
    const vote = (label: string) => {
      const unsigned = {
        type: 'precommit',
        height: height as Height,
        round: 0 as Round,
        blockHash: keccakHex(utf8ToBytes(label)),
      } as const;
      const digest = voteSignDigest(chainId, genesisHash, unsigned);
      return { ...unsigned, validator: owner(index), signature: this.provider.sign(digest, this.#keys[keyIndex]!) };
    };
    return inOrder({ kind: 'duplicateVote', first: vote('one'), second: vote('other') });
  }

  doubleProposal(index: number, height: number): Evidence {
    const proposal = (label: string) => {
      const unsigned = {
        height: height as Height,
        round: 0 as Round,
        polRound: -1 as Round,
        blockHash: keccakHex(utf8ToBytes(label)),
      };
      const digest = proposalSignDigest(chainId, genesisHash, unsigned);
      return { ...unsigned, proposer: owner(index), signature: this.provider.sign(digest, this.#keys[index]!) };
    };
    return inOrder({ kind: 'duplicateProposal', first: proposal('one'), second: proposal('other') });
  }

  validator(index: number): StakedValidator {
    const found = this.state.validators.get(owner(index));
    if (found === undefined) throw new Error(`validator ${index} is not registered`);
    return found;
  }

  active(): Address[] {
    return [...this.state.validators.values()]
      .filter(({ status }) => status === 'active')
      .map(({ address }) => address);
  }

  power(): bigint {
    return this.active().reduce((sum, address) => {
      const { stake } = this.state.validators.get(address)!;
      return sum + (stake < ether ? 1n : stake / ether);
    }, 0n);
  }

  /** Why the evidence of the next block would be refused; null when it is good. */
  refusal(evidence: readonly Evidence[], afterMs = 1_000): string | null {
    const place = { height: (this.height + 1) as Height, timestampMs: (this.timestampMs + afterMs) as TimestampMs };
    return judgeAllEvidence(this.state, evidence, place, this.rules);
  }

  /** Runs one block. @returns results in the order of the acts */
  block(content: BlockContent = {}): readonly ActionResult[] {
    const { acts = [], evidence = [], absent = [], afterMs = 1_000 } = content;
    const reason = evidence.length === 0 ? null : this.refusal(evidence, afterMs);
    if (reason !== null) throw new Error(reason);
    const before = this.height;
    this.height = (before + 1) as Height;
    this.timestampMs = (this.timestampMs + afterMs) as TimestampMs;
    const actions = acts.map(({ account, payload, funded = true }, index) => ({ index, account, payload, funded }));
    const lastCommit = before === 0 ? null : this.#certificate(before as Height, absent);
    const { height, timestampMs } = this;
    this.outcome = executeStakingBlock(this.state, { height, timestampMs, evidence, lastCommit, actions }, this.rules);
    this.state = this.outcome.state;
    for (const { to, amount } of this.outcome.payouts) this.paid.set(to, (this.paid.get(to) ?? 0n) + amount);
    return acts.map((_, index) => this.outcome!.results.get(index)!);
  }

  blocks(count: number, content: BlockContent = {}): void {
    for (let index = 0; index < count; index++) this.block(content);
  }

  events(): string[] {
    return this.outcome!.events.map(({ kind, data }) => `${kind} ${String(data['validator']).slice(-2)}`);
  }

  #certificate(height: Height, absent: readonly Address[]): CommitCertificate {
    const signers = [...this.state.validators.values()].filter((validator) => signerAt(validator, height) !== null);
    const there = signers.filter(({ address }) => !absent.includes(address));
    return {
      height,
      round: 0 as Round,
      blockHash: genesisHash,
      signatures: there.map(({ address }) => ({ validator: address, signature: new Uint8Array(65) })),
    };
  }
}

export const owner = (index: number): Address => `0x${(0xa0 + index).toString(16).padStart(40, '0')}` as Address;
export const endpoint = { host: 'node.example', port: 26_656, spki: `0x${'11'.repeat(32)}` as Hash };
export const codeOf = (result: ActionResult | undefined): string =>
  result === undefined ? 'none' : result.ok ? 'ok' : result.error.code;
