import type { GenesisAccount } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import {
  type Address,
  bytesToHex,
  concatBytes,
  type Hash,
  type Height,
  hexToBytes,
  type Prng,
  type TimestampMs,
} from '@prime/primitives';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import type { BlockEnvironment } from '../ports.ts';
import { predeploys } from '../block/predeploys.ts';
import { bytesOf, wordOf } from '../state/bytes.ts';
import { createTestAccount, createTestVerifier, type TestAccount } from './index.ts';

/** Random but reproducible blocks of the EVM. */

const provider = await cryptoProvider();
/** What the blocks of these tests run in. */
export const chainId = 7919;
/** Rules of the chain. */
export const common = createCommon(chainId, createCustomCrypto(provider));
/** Reads a signed transaction. */
export const verify = createTestVerifier(chainId, provider);
/** Who signs; all are rich. */
export const people = Array.from({ length: 5 }, (_, index) => createTestAccount(`person ${index}`, common, provider));

const contract = (index: number): Address => `0x${(0xc000 + index).toString(16).padStart(40, '0')}` as Address;
/** What the contracts of the allocation do with the words of their input. */
const programs = {
  /** storage[in0] = in1 */
  store: '60203560003555',
  /** the same, then revert with one byte */
  storeAndRevert: '602035600035556001600053600160 00fd',
  /** SELFDESTRUCT to in0: since EIP-6780 it only moves the balance */
  destroy: '600035ff',
  /** calls in0 with value in1 and the rest as input */
  forward: '6040360360406000376000600060403603600060203560003561ffff f1600155'.replace('61ffff', '5a'),
  /** CREATE2 of the rest with salt in0, address into storage[1] */
  factory: '6020360360206000 37600035602036036000 6000f5600155',
  /** one topic, 32 bytes */
  log: '60003560206000a1',
};
const code = (program: string): Uint8Array => hexToBytes(`0x${program.replaceAll(' ', '')}`);
/** Accounts of the state to begin with. */
export const allocation: readonly GenesisAccount[] = [
  ...people.map(({ address }) => ({ address, balance: 10n ** 20n, nonce: 0, code: new Uint8Array(0), storage: [] })),
  ...Object.values(programs).map((program, index) => ({
    address: contract(index),
    balance: 1000n,
    nonce: 1,
    code: code(program),
    storage: [{ slot: word(3n), value: word(5n) }],
  })),
  ...predeploys.map(({ address, code: bytes }) => ({ address, balance: 0n, nonce: 1, code: bytes, storage: [] })),
];

function word(value: bigint): Hash {
  return bytesToHex(wordOf(value)) as Hash;
}

/** Init code that stores, then destroys itself within its own transaction. */
const shortLived = code('60016001556002600255 33ff');
/** Init code of a contract that destroys itself when called. */
const destroyable = code('6460003 5ff00 600052 6005601bf3'.replaceAll(' ', ''));

/** Header fields of a height. */
export const environment = (height: number): BlockEnvironment => ({
  height: height as Height,
  timestampMs: (1_700_000_000_000 + height * 250) as TimestampMs,
  proposer: `0x${'ee'.repeat(20)}` as Address,
  gasLimit: 30_000_000n,
  baseFee: 7n,
  parentHash: word(BigInt(height) * 1000003n + 12345n),
  prevRandao: word(99n),
});

/** A transfer, a creation, a call that stores, reverts, destroys or creates, or one whose nonce is ahead. */
export function randomTransaction(prng: Prng, person: TestAccount, nonce: number): Uint8Array {
  const target = contract(prng.below(6));
  const slot = wordOf(BigInt(prng.below(5)));
  const value = wordOf(prng.chance(1, 2) ? 0n : BigInt(prng.next()));
  const someone = prng.chance(1, 2)
    ? people[prng.below(people.length)]!.address
    : (`0x${prng.below(6).toString(16).padStart(39, '5')}0` as Address);
  const gasLimit = 500_000n;
  switch (prng.below(8)) {
    case 0:
      return person.sign({ nonce, to: someone, value: BigInt(prng.below(3)), type: prng.chance(1, 2) ? 0 : 2 });
    case 1:
      return person.sign({ nonce, to: null, data: prng.chance(1, 2) ? shortLived : destroyable, gasLimit, value: 5n });
    case 2: {
      const init = prng.chance(1, 2) ? shortLived : destroyable;
      const data = concatBytes(slot, init);
      return person.sign({ nonce, to: contract(4), data, gasLimit });
    }
    case 3: {
      const inner = concatBytes(new Uint8Array(12), bytesOf(target), wordOf(BigInt(prng.below(3))), slot, value);
      return person.sign({ nonce, to: contract(3), data: inner, gasLimit, value: 1n });
    }
    case 4:
      return person.sign({ nonce, to: contract(2), data: concatBytes(new Uint8Array(12), bytesOf(someone)), gasLimit });
    case 5:
      return person.sign({ nonce: nonce + 1, to: someone });
    default:
      return person.sign({
        nonce,
        to: target,
        data: concatBytes(slot, value),
        gasLimit,
        type: prng.chance(1, 4) ? 1 : 2,
      });
  }
}
