import { type ChainConfig, Common, type CustomCrypto, Hardfork, Mainnet } from '@ethereumjs/common';
import { paramsTx } from '@ethereumjs/tx';
import { type CryptoProvider, cryptoProvider, keccak256 } from '@prime/crypto';
import { bigintToBytes, bytesToBigint } from '@prime/primitives';
import { EvmError } from '../errors.ts';

const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The rules of this chain: one object for every block, transaction and EVM of a thread.
 *
 * The library copies its `Common` for each transaction and rebuilds all parameters in it (53 µs of decoding, 17 without), and it
 * answers `isActivatedEIP`, `gteHardfork` and `param`, which every opcode asks, by searching lists. The hardfork never changes
 * here, so copies can be the object itself and answers can be remembered.
 */
class SharedCommon extends Common {
  // Filled after the base constructor, which calls the methods below while it builds its own caches.
  private answers: Answers | undefined = undefined;

  constructor(options: ConstructorParameters<typeof Common>[0]) {
    super(options);
    this.answers = { eips: new Map(), hardforks: new Map(), params: new Map(), merged: new WeakSet() };
  }

  override copy(): Common {
    return this;
  }

  override setHardfork(hardfork: string): void {
    if (this.answers !== undefined && hardfork !== this.hardfork())
      throw new EvmError(`the rules are fixed at ${this.hardfork()}`, {
        code: 'EVM_UNSUPPORTED',
        operation: `setHardfork(${hardfork})`,
      });
    super.setHardfork(hardfork);
  }

  override updateParams(params: Parameters<Common['updateParams']>[0]): void {
    const { answers } = this;
    if (answers?.merged.has(params) === true) return;
    super.updateParams(params);
    answers?.merged.add(params);
    answers?.params.clear();
  }

  override isActivatedEIP(eip: number): boolean {
    const { answers } = this;
    if (answers === undefined) return super.isActivatedEIP(eip);
    return remember(answers.eips, eip, () => super.isActivatedEIP(eip));
  }

  override gteHardfork(hardfork: string): boolean {
    const { answers } = this;
    if (answers === undefined) return super.gteHardfork(hardfork);
    return remember(answers.hardforks, hardfork, () => super.gteHardfork(hardfork));
  }

  override param(name: string): bigint {
    const { answers } = this;
    if (answers === undefined) return super.param(name);
    return remember(answers.params, name, () => super.param(name));
  }
}

interface Answers {
  readonly eips: Map<number, boolean>;
  readonly hardforks: Map<string, boolean>;
  readonly params: Map<string, bigint>;
  readonly merged: WeakSet<object>;
}

function remember<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  let answer = known.get(key);
  if (answer === undefined) {
    answer = find();
    known.set(key, answer);
  }
  return answer;
}

/**
 * Prague rules for a chain id. Not Osaka: there 0x…0100 is P256VERIFY, and here it is the order book's account.
 *
 * @param crypto replaces the library's pure JavaScript cryptography; see {@link createCustomCrypto}
 */
export function createCommon(chainId: number, crypto: CustomCrypto = {}, hardfork: Hardfork = Hardfork.Prague): Common {
  const chain: ChainConfig = { ...Mainnet, name: 'prime', chainId, defaultHardfork: hardfork };
  const common = new SharedCommon({ chain, hardfork, customCrypto: crypto });
  // The same object that every transaction brings, so that it is merged once.
  common.updateParams(paramsTx);
  return common;
}

/** {@link createCommon} with the fastest cryptography of this machine, as every thread of a node uses it. */
export async function createNodeCommon(chainId: number): Promise<Common> {
  return createCommon(chainId, createCustomCrypto(await cryptoProvider()));
}

/** The library's hooks for hashing and recovery on top of a provider. */
export function createCustomCrypto(provider: CryptoProvider): CustomCrypto {
  return {
    keccak256,
    ecrecover: (digest, v, r, s, chainId) => {
      const publicKey = provider.recover(digest, lowSignature(recoveryBit(v, chainId), r, s));
      if (publicKey === null) throw new RangeError('no public key can be recovered from the signature');
      return publicKey.subarray(1);
    },
  };
}

function recoveryBit(v: bigint, chainId: bigint | undefined): bigint {
  if (v === 0n || v === 1n) return v;
  const bit = chainId === undefined ? v - 27n : v - (chainId * 2n + 35n);
  if (bit !== 0n && bit !== 1n) throw new RangeError(`invalid signature v ${v}`);
  return bit;
}

/**
 * The precompile at 0x01 accepts the upper half of s, the provider does not: (r, s, bit) and (r, n - s, 1 - bit) recover the same
 * key. Transactions with a high s are refused before they come here.
 */
function lowSignature(bit: bigint, r: Uint8Array, s: Uint8Array): Uint8Array {
  const signature = new Uint8Array(65);
  signature.set(r, 32 - r.length);
  let value = bytesToBigint(s);
  let parity = bit;
  if (value > secp256k1Order / 2n && value < secp256k1Order) {
    value = secp256k1Order - value;
    parity = 1n - bit;
  }
  const low = bigintToBytes(value);
  signature.set(low, 64 - low.length);
  signature[64] = Number(parity);
  return signature;
}
