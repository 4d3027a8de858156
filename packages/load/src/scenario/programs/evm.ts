import { type Address, concatBytes } from '@prime/primitives';
import { addressWord, pool, storage, token } from '../contracts/contracts.ts';
import type { Draft, TransactionDraft } from '../draft.ts';
import type { ProgramMaker, World } from '../world.ts';

/** Transactions of the EVM, each by the next account in turn. */

const inTurn = ({ accounts }: World): (() => number) => {
  let next = 0;
  return () => accounts[next++ % accounts.length]!;
};

/** The kind `transfer`: 1 wei to one of `size` receivers. */
export const transfer: ProgramMaker = (world, size) => {
  const sender = inTurn(world);
  const plain = { gas: 21_000n, data: new Uint8Array(0), value: 1n };
  return () =>
    transaction('transfer', { from: sender(), to: world.keyring.receiver(world.random.below(size)), ...plain });
};

/** The kind `token_transfer`: the smallest unit of an ERC-20 to one of `size` receivers. */
export const tokenTransfer: ProgramMaker = (world, size) => {
  const sender = inTurn(world);
  const [address] = world.contracts.tokens;
  return () => {
    const receiver = world.keyring.receiver(world.random.below(size));
    const data = token.transfer(addressWord(receiver), 1n);
    return transaction('token_transfer', { from: sender(), to: address!, gas: 80_000n, data });
  };
};

/** The kind `storage_write`: `size` slots that were never written. */
export const storageWrite: ProgramMaker = (world, size) => {
  const sender = inTurn(world);
  const { random, contracts } = world;
  return () => {
    // 128 bits: nobody comes there twice.
    const first = [0, 0, 0, 0].reduce((slot) => (slot << 32n) | BigInt(random.next()), 0n) << 64n;
    const data = storage.write(first, BigInt(size), BigInt(1 + random.next()));
    return transaction('storage_write', { from: sender(), to: contracts.storage!, gas: storageGas(size), data });
  };
};
const storageGas = (slots: number): bigint => 40_000n + 22_300n * BigInt(slots);

/** The kind `swap`: each account swaps one way, then the other. */
export const swap: ProgramMaker = (world) => {
  const sender = inTurn(world);
  const { random, contracts } = world;
  const forward = new Map<number, boolean>();
  return () => {
    const from = sender();
    // There and back, so that no pool runs dry.
    const isForward = !(forward.get(from) ?? false);
    forward.set(from, isForward);
    const amount = 10n ** 12n * BigInt(1 + random.below(1_000));
    const data = pool.swap(isForward ? 1n : 0n, amount, 1n);
    return transaction('swap', { from, to: poolOf(contracts.pools, from), gas: 180_000n, data });
  };
};
/** Each account swaps in one pool, for which it has approved its tokens. */
export const poolOf = (pools: readonly Address[], account: number): Address => pools[account % pools.length]!;

/** The kind `deploy`: a contract with `size` bytes of code, each time others. */
export const deploy: ProgramMaker = (world, size) => {
  const sender = inTurn(world);
  return () => ({
    as: 'transaction',
    kind: 'deploy',
    from: sender(),
    to: null,
    value: 0n,
    data: creationOf(size, world),
    gas: deployGas(size),
  });
};
const deployGas = (bytes: number): bigint => BigInt(75_000 + 225 * bytes);

/** Init code that returns what stands behind it: STOP, and bytes that no other contract has. */
function creationOf(size: number, { random }: World): Uint8Array {
  const code = new Uint8Array(size);
  for (let at = 1; at < size; at += 4) {
    const word = random.next();
    for (let byte = 0; byte < 4 && at + byte < size; byte++) code[at + byte] = word >>> (8 * byte);
  }
  // PUSH3 size, DUP1, PUSH1 11, PUSH0, CODECOPY, PUSH0, RETURN
  const init = [0x62, size >> 16, size >> 8, size, 0x80, 0x60, 0x0b, 0x5f, 0x39, 0x5f, 0xf3];
  return concatBytes(Uint8Array.from(init), code);
}

interface Call extends Pick<TransactionDraft, 'from' | 'gas' | 'data'> {
  readonly to: Address;
  /** Default none. */
  readonly value?: bigint;
}

/** A call of an account, as an EVM transaction that is not signed yet. */
export const transaction = (kind: string, call: Call): Draft => ({ as: 'transaction', kind, value: 0n, ...call });
