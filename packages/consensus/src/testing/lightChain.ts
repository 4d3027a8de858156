import { type Header, headerHash, type Validator, validatorsHash, voteSignDigest } from '@prime/codec';
import { type CryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { bytesToAddress, type Hash, type Height, type Round, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import { type LightBlock, type LightContext, type LightTrust, trustGenesis } from '../light/verify.ts';

/** Chains of headers and certificates without anything in their blocks, for tests of light verification. */

export const chainId = 77;
const genesisHash = `0x${'6e'.repeat(32)}` as Hash;
const zero = `0x${'00'.repeat(32)}` as Hash;
export const startMs = 1_700_000_000_000;
export const blockMs = 1_000;

/** A member of a set: validator number, number of its signer key, power. */
export interface Member {
  readonly id: number;
  readonly key?: number;
  readonly power?: bigint;
}

const secretOf = (id: number, key: number): Uint8Array => keccak256(utf8ToBytes(`validator ${id} key ${key}`));

export class LightChain {
  readonly #provider: CryptoProvider;
  readonly #membersAt: (height: number) => readonly Member[];
  readonly #sets = new Map<string, readonly Validator[]>();

  /** @param membersAt of heights from 1 on; height 1 is genesis */
  constructor(provider: CryptoProvider, membersAt: (height: number) => readonly Member[]) {
    this.#provider = provider;
    this.#membersAt = membersAt;
  }

  get root(): LightTrust {
    return trustGenesis(startMs as TimestampMs, this.validators(1));
  }

  context(changes: Partial<LightContext> = {}): LightContext {
    const provider = this.#provider;
    return { chainId, genesisHash, provider, nowMs: startMs + 3_600_000, trustingPeriodMs: 86_400_000, ...changes };
  }

  validators(height: number): readonly Validator[] {
    return this.set(this.#membersAt(height));
  }

  set(members: readonly Member[]): readonly Validator[] {
    const name = members.map(({ id, key = 0, power = 1n }) => `${id}/${key}/${power}`).join();
    const known = this.#sets.get(name);
    if (known !== undefined) return known;
    const validators = members
      .map(({ id, key = 0, power = 1n }) => {
        const publicKey = this.#provider.publicKey(secretOf(id, key));
        const address = bytesToAddress(keccak256(utf8ToBytes(`owner ${id}`)).subarray(12));
        return { address, signer: publicKeyToAddress(publicKey), publicKey, stake: 0n, power, moniker: '' };
      })
      .toSorted((a, b) => (a.power === b.power ? (a.address < b.address ? -1 : 1) : a.power > b.power ? -1 : 1));
    this.#sets.set(name, validators);
    return validators;
  }

  header(height: number, changes: Partial<Header> = {}): Header {
    const validators = this.validators(height);
    return {
      version: 1,
      chainId,
      height: height as Height,
      timestampMs: (startMs + height * blockMs) as TimestampMs,
      parentHash: zero,
      proposer: validators[0]!.address,
      validatorsHash: validatorsHash(validators),
      nextValidatorsHash: validatorsHash(this.validators(height + 1)),
      bodyRoot: zero,
      lastCommitHash: zero,
      evidenceHash: zero,
      gasLimit: 1n,
      baseFee: 1n,
      parentResults: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
      ...changes,
    };
  }

  /** The block of a height, signed by the whole set, or by some of any members. */
  block(height: number, changes: Partial<Header> = {}, signers = this.#membersAt(height)): LightBlock {
    return this.signed(this.header(height, changes), this.#membersAt(height), signers);
  }

  signed(header: Header, members: readonly Member[], signers: readonly Member[] = members): LightBlock {
    const validators = this.set(members);
    const blockHash = headerHash(header);
    const round = 0 as Round;
    const vote = { type: 'precommit', height: header.height, round, blockHash } as const;
    const digest = voteSignDigest(chainId, genesisHash, vote);
    const secrets = new Map(signers.map(({ id, key = 0 }) => [this.set([{ id, key }])[0]!.address, secretOf(id, key)]));
    const signatures = validators.flatMap(({ address: validator }) => {
      const secret = secrets.get(validator);
      return secret === undefined ? [] : [{ validator, signature: this.#provider.sign(digest, secret) }];
    });
    return { header, certificate: { height: header.height, round, blockHash, signatures }, validators };
  }
}
