import {
  encodeHeader,
  encodeRlp,
  genesisFromJson,
  genesisHash,
  type Header,
  headerHash,
  leafHash,
  type Validator,
  validatorsHash,
  voteSignDigest,
} from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import { createNobleProvider, keccak256 } from '@prime/crypto';
import {
  bytesEqual,
  bytesToHex,
  concatBytes,
  type Hash,
  type Height,
  hexToBytes,
  type Round,
  type TimestampMs,
  utf8ToBytes,
} from '@prime/primitives';
import type { Genesis, LightBlock } from '../light/types.ts';
import type { OrdersProof } from '../types/chain.ts';
import type { Hex } from '../types/primitives.ts';

/** A network without nodes: genesis, blocks that its validators signed, and states of a few records with their proofs. */

const provider = createNobleProvider();
export const blockMs = 1_000;
export const startMs = 1_700_000_000_000;
const zero = `0x${'00'.repeat(32)}` as Hash;
const hex = (bytes: Uint8Array): Hex => bytesToHex(bytes) as Hex;

const secretOf = (name: string): Uint8Array => keccak256(utf8ToBytes(`key of ${name}`));
const ownerOf = (name: string): Hex => hex(keccak256(utf8ToBytes(`owner ${name}`)).subarray(12));

export interface Member {
  readonly name: string;
  /** Stake in units of 10^18 wei. */
  readonly power: number;
}
export const members = (...powers: readonly number[]): Member[] =>
  powers.map((power, index) => ({ name: `validator${index}`, power }));

export interface LightNetworkOptions {
  /** Who decides each height, from 1 on; those of height 1 are in genesis. Default: four of power 1. */
  readonly membersAt?: (height: number) => readonly Member[];
  /** Changes of genesis.json. */
  readonly genesis?: Readonly<Record<string, unknown>>;
}

export interface SignedBlockOptions {
  /** Changes of the header, made before it is signed. */
  readonly header?: Partial<Header>;
  /** Names of who signs; default all. */
  readonly signers?: readonly string[];
}

export class LightNetwork {
  readonly genesis: Genesis;
  readonly #membersAt: (height: number) => readonly Member[];
  readonly #hash: Hash;

  constructor({ membersAt = () => members(1, 1, 1, 1), genesis = {} }: LightNetworkOptions = {}) {
    this.#membersAt = membersAt;
    this.genesis = genesisWith(membersAt(1), genesis);
    this.#hash = genesisHash(genesisFromJson(this.genesis as never));
  }

  get hash(): Hex {
    return this.#hash as string as Hex;
  }

  validators(height: number): readonly Validator[] {
    return validatorsFromGenesis(this.#membersAt(height).map(toGenesisValidator)).validators;
  }

  header(height: number, changes: Partial<Header> = {}): Header {
    const validators = this.validators(height);
    return {
      version: 1,
      chainId: this.genesis.chainId,
      height: height as Height,
      timestampMs: (startMs + height * blockMs) as TimestampMs,
      parentHash: bytesToHex(keccak256(utf8ToBytes(`block ${height - 1}`))) as string as Hash,
      proposer: validators[0]!.address,
      validatorsHash: validatorsHash(validators),
      nextValidatorsHash: validatorsHash(this.validators(height + 1)),
      bodyRoot: zero,
      lastCommitHash: zero,
      evidenceHash: zero,
      gasLimit: 30_000_000n,
      baseFee: 7n,
      parentResults: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
      ...changes,
    };
  }

  /** The block of a height as nodes show it. */
  block(height: number, { header: changes = {}, signers }: SignedBlockOptions = {}): LightBlock {
    const header = this.header(height, changes);
    const round = 0 as Round;
    const vote = { type: 'precommit', height: header.height, round, blockHash: headerHash(header) } as const;
    const digest = voteSignDigest(header.chainId, this.#hash, vote);
    const names = new Map(this.#membersAt(height).map(({ name }) => [ownerOf(name) as string, name]));
    const validators = this.validators(height);
    return {
      commit: {
        height: BigInt(height),
        blockHash: vote.blockHash as string as Hex,
        header: hex(encodeHeader(header)),
        round,
        signatures: validators
          .filter(({ address }) => signers?.includes(names.get(address)!) ?? true)
          .map(({ address }) => ({
            validator: address as string as Hex,
            signature: hex(provider.sign(digest, secretOf(names.get(address)!))),
          })),
      },
      validators: validators.map(({ address, publicKey, power }) => ({
        address: address as string as Hex,
        publicKey: hex(publicKey),
        votingPower: power,
      })),
    };
  }
}

const toGenesisValidator = ({ name, power }: Member) => ({
  address: ownerOf(name) as string as Validator['address'],
  publicKey: provider.publicKey(secretOf(name)),
  stake: BigInt(power) * 10n ** 18n,
  moniker: name,
});

const genesisWith = (first: readonly Member[], changes: Readonly<Record<string, unknown>>): Genesis => ({
  formatVersion: 2,
  chainId: 77,
  networkName: 'light',
  testNetwork: true,
  timestampMs: startMs,
  actions: 'signed',
  consensus: {
    minBlockIntervalMs: 50,
    emptyBlockIntervalMs: blockMs,
    precisionMs: 500,
    messageDelayMs: 1_000,
    maxBlockBytes: 1_048_576,
    maxBlockActions: 10_000,
  },
  evm: { gasLimit: '30000000', initialBaseFee: '1000000000' },
  clob: {
    cancelFirst: true,
    selfTrade: 'cancel_maker',
    initialMarginBps: 1_000,
    maintenanceMarginBps: 500,
    liquidationFeeBps: 100,
    minNotional: '0',
    maxOpenOrders: 1_000,
    levelProofs: true,
  },
  alloc: {},
  validators: first.map(toGenesisValidator).map(({ address, publicKey, stake, moniker }) => ({
    address,
    publicKey: hex(publicKey),
    stake: String(stake),
    moniker,
  })),
  markets: [{ symbol: 'ETH/USD', tickSize: '1', lotSize: '1' }],
  staking: { unbondingMs: 3_600_000, evidenceMaxAgeMs: 3_600_000 },
  ...changes,
});

/** A leaf of the tree of records. */
export interface Leaf {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A state with these leaves in its order book, and with proofs as nodes give them. */
export class LightState {
  readonly #leaves: readonly Leaf[];
  readonly #account: { readonly root: Uint8Array; readonly nodes: readonly Uint8Array[] };
  readonly #slot: { readonly root: Uint8Array; readonly nodes: readonly Uint8Array[] };

  constructor(leaves: readonly Leaf[]) {
    this.#leaves = leaves;
    const ordersRoot = rootOf(leaves);
    this.#slot = pairTrie(keccak256(new Uint8Array(32)), encodeRlp(withoutZeros(ordersRoot)));
    const account = encodeRlp([Uint8Array.of(1), new Uint8Array(0), this.#slot.root, new Uint8Array(32)]);
    this.#account = pairTrie(keccak256(hexToBytes(`0x${'00'.repeat(18)}0100`)), account);
  }

  get stateRoot(): Hash {
    return hex(this.#account.root) as string as Hash;
  }

  /** @param key of the leaf @param blockNumber of the block after which the state is this */
  proof(key: Uint8Array, blockNumber: bigint): OrdersProof {
    const { steps, leaf } = pathTo(this.#leaves, key);
    return {
      blockNumber,
      blockHash: hex(keccak256(utf8ToBytes(`block ${blockNumber}`))),
      stateRoot: hex(this.#account.root),
      key: hex(key),
      present: leaf !== null && bytesEqual(leaf.key, key),
      record: leaf === null ? null : { key: hex(leaf.key), value: hex(leaf.value) },
      steps: steps.map(({ depth, children }) => ({ depth, children: children.map(hex) })),
      accountProof: {
        address: `0x${'00'.repeat(18)}0100`,
        accountProof: this.#account.nodes.map(hex),
        balance: 0n,
        codeHash: zero as string as Hex,
        nonce: 1,
        storageHash: hex(this.#slot.root),
        storageProof: [{ key: zero as string as Hex, value: 0n, proof: this.#slot.nodes.map(hex) }],
      },
    };
  }
}

const withoutZeros = (bytes: Uint8Array): Uint8Array => bytes.subarray(bytes.findIndex((byte) => byte !== 0));

/** A Merkle Patricia trie with the path and one neighbour beside it: a branch above two leaves. */
function pairTrie(path: Uint8Array, value: Uint8Array): { root: Uint8Array; nodes: readonly Uint8Array[] } {
  const nibble = path[0]! >> 4;
  const leafOf = (of: Uint8Array, content: Uint8Array): Uint8Array => {
    // Odd length: the flag 3 stands in front of the second nibble.
    const rest = of.slice();
    rest[0] = 0x30 | (of[0]! & 15);
    return encodeRlp([rest, content]);
  };
  const leaf = leafOf(path, value);
  const other = leafOf(keccak256(path), keccak256(value));
  const children: Uint8Array[] = Array.from({ length: 17 }, () => new Uint8Array(0));
  children[nibble] = keccak256(leaf);
  children[(nibble + 1) % 16] = keccak256(other);
  const branch = encodeRlp(children);
  return { root: keccak256(branch), nodes: [branch, leaf] };
}

/** The tree of docs/protocol/orders-root.md, as it is written there. */
const digitOf = (key: Uint8Array, step: number): number => ((key[step >> 2] ?? 0) >> (6 - 2 * (step & 3))) & 3;

/** First step in which keys differ. */
function splitOf(leaves: readonly Leaf[]): number {
  for (let step = 0; ; step++) if (new Set(leaves.map(({ key }) => digitOf(key, step))).size > 1) return step;
}

const childrenOf = (leaves: readonly Leaf[], depth: number): (readonly Leaf[])[] =>
  [0, 1, 2, 3].map((digit) => leaves.filter(({ key }) => digitOf(key, depth) === digit));

function rootOf(leaves: readonly Leaf[]): Uint8Array {
  if (leaves.length === 0) return new Uint8Array(32);
  if (leaves.length === 1) return leafHash(leaves[0]!.key, leaves[0]!.value);
  const depth = splitOf(leaves);
  return keccak256(concatBytes(Uint8Array.of(1, depth >> 8, depth & 255), ...childrenOf(leaves, depth).map(rootOf)));
}

interface Path {
  readonly steps: readonly { readonly depth: number; readonly children: readonly Uint8Array[] }[];
  readonly leaf: Leaf | null;
}

function pathTo(leaves: readonly Leaf[], key: Uint8Array): Path {
  if (leaves.length < 2) return { steps: [], leaf: leaves[0] ?? null };
  const depth = splitOf(leaves);
  const sets = childrenOf(leaves, depth);
  const { steps, leaf } = pathTo(sets[digitOf(key, depth)]!, key);
  return { steps: [{ depth, children: sets.map(rootOf) }, ...steps], leaf };
}
