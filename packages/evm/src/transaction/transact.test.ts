import { describe, expect, it } from '@jest/globals';
import type { GenesisAccount, Receipt, VerifiedTransaction } from '@prime/codec';
import { cryptoProvider, keccak256 } from '@prime/crypto';
import {
  type Address,
  bigintToBytes,
  bytesToHex,
  concatBytes,
  createPrng,
  type Hash,
  type Height,
  hexToBytes,
  type Prng,
  utf8ToBytes,
} from '@prime/primitives';
import { encodeRlp } from '@prime/codec';
import fc from 'fast-check';
import { libraryBlock } from '../block/environment.ts';
import { BlockExecution } from '../block/execute.ts';
import { allocateState } from '../block/genesisState.ts';
import { createLibraryVm } from '../library/libraryVm.ts';
import { bytesOf, wordOf } from '../state/bytes.ts';
import { createFlatSource } from '../state/flatSource.ts';
import { StateOverlay } from '../state/overlay.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { createStateTrie } from '../state/stateTrie.ts';
import { createMemoryDatabase, createTestAccount } from '../testing/index.ts';
import { chainId, common, environment, people, verify } from '../testing/randomBlocks.ts';

/**
 * The executor beside the library's: whoever listens to an EVM has it go the library's way, so both run the same blocks, and every
 * receipt and the state must agree.
 */

const code = (program: string): Uint8Array => hexToBytes(`0x${program.replaceAll(' ', '')}`);
/** Input from the fourth word on to memory, and there it is the input of the call. */
const takeInput = '6060 36 03 6060 5f 37';
const inputOfCall = '6040 610200 6060 36 03 5f';
/** What came of a call goes to slot 0 and, with the gas that is left, to a log; then it is returned. */
const tell = '5f 55 3d 5f 5f 3e 5a 3d 5f a1 3d 5f f3';
/** Contracts: the first words of the input say gas, target and value of a call. */
const programs: readonly Uint8Array[] = [
  code(`${takeInput} ${inputOfCall} 6040 35 6020 35 5f 35 f1 ${tell}`),
  code(`${takeInput} ${inputOfCall} 6040 35 6020 35 5f 35 f2 ${tell}`),
  code(`${takeInput} ${inputOfCall} 6020 35 5f 35 f4 ${tell}`),
  code(`${takeInput} ${inputOfCall} 6020 35 5f 35 fa ${tell}`),
  // The same without a write, so that it comes to its end in a static call, too.
  code(`${takeInput} ${inputOfCall} 6020 35 5f 35 fa 3d 5f 5f 3e 5f 52 6020 5f f3`),
  // storage[in0] = in1, then what it was before, and a revert where in2 is odd
  code('5f 35 54 6020 35 5f 35 55 5f 52 6040 35 6001 16 6018 57 6020 5f f3 5b 6020 5f fd'),
  // TSTORE and TLOAD
  code('5f 35 5f 5d 5f 5c 5f 52 6020 5f f3'),
  // BALANCE, EXTCODESIZE, EXTCODEHASH, EXTCODECOPY of in1, and SELFBALANCE, logged
  code('6020 35 31 6020 35 3b 01 6020 35 3f 01 47 01 5f 52 6020 5f 6020 6020 35 3c 6040 5f a0 6040 5f f3'),
  // CREATE of the input with the value, its address returned
  code('36 5f 5f 37 36 5f 34 f0 5f 52 6020 5f f3'),
  // SELFDESTRUCT to in1
  code('6020 35 ff'),
  // ORIGIN, GASPRICE, COINBASE, TIMESTAMP, NUMBER, PREVRANDAO, GASLIMIT, CHAINID, BASEFEE, CALLER, CALLVALUE, summed
  code('32 3a 01 41 01 42 01 43 01 44 01 45 01 46 01 48 01 33 01 34 01 5f 52 6020 5f a0 6020 5f f3'),
  // A loop until the gas is gone
  code('5b 5f 56'),
];
const contract = (index: number): Address => `0x${(0xc000 + index).toString(16).padStart(40, '0')}` as Address;
const owner = keccak256(utf8ToBytes('owner'));
const provider = await cryptoProvider();
const delegating = createTestAccount('owner', common, provider).address;
const empty = { balance: 0n, nonce: 0, code: new Uint8Array(0), storage: [] };
const allocation: readonly GenesisAccount[] = [
  ...people.map(({ address }) => ({ ...empty, address, balance: 10n ** 20n })),
  ...programs.map((program, index) => ({
    ...empty,
    address: contract(index),
    balance: 1000n,
    nonce: 1,
    code: program,
    storage: [0n, 1n].map((slot) => ({ slot: word(slot), value: word(5n) })),
  })),
];
const targets: readonly Address[] = [
  ...programs.map((_, index) => contract(index)),
  ...people.slice(0, 2).map(({ address }) => address),
  delegating,
  `0x${'00'.repeat(19)}01` as Address,
  `0x${'00'.repeat(19)}02` as Address,
  `0x${'00'.repeat(19)}03` as Address,
  `0x${'00'.repeat(19)}04` as Address,
  `0x${'5e'.repeat(20)}` as Address,
];

function word(value: bigint): Hash {
  return bytesToHex(wordOf(value)) as Hash;
}
const oneOf = <T>(prng: Prng, values: readonly T[]): T => values[prng.below(values.length)]!;
const address32 = (address: Address): Uint8Array => concatBytes(new Uint8Array(12), bytesOf(address));

/** Input that calls on, some frames deep. */
function inputOf(prng: Prng, depth: number): Uint8Array {
  const gas = wordOf(prng.chance(1, 6) ? BigInt(prng.below(5000)) : 10n ** 6n);
  const value = wordOf(prng.chance(2, 3) ? BigInt(prng.below(3)) : 0n);
  const inner = depth === 0 ? wordOf(BigInt(prng.below(3))) : inputOf(prng, depth - 1);
  return concatBytes(gas, address32(oneOf(prng, targets)), value, inner);
}

/** An account with a key of its own delegates to a contract (EIP-7702). */
function authorization(prng: Prng, nonce: number): readonly Uint8Array[] {
  const fields = [BigInt(chainId), contract(prng.below(programs.length)), BigInt(nonce)] as const;
  const signature = provider.sign(keccak256(concatBytes(Uint8Array.of(5), encodeRlp(fields))), owner);
  const number = (bytes: Uint8Array): Uint8Array => bigintToBytes(BigInt(bytesToHex(bytes)));
  return [
    bigintToBytes(fields[0]),
    bytesOf(fields[1]),
    bigintToBytes(fields[2]),
    number(signature.subarray(64)),
    number(signature.subarray(0, 32)),
    number(signature.subarray(32, 64)),
  ];
}

function randomTransactions(prng: Prng): VerifiedTransaction[] {
  const nonces = new Map<Address, number>();
  let delegations = 0;
  return Array.from({ length: 12 }, () => {
    const person = oneOf(prng, people);
    const nonce = nonces.get(person.address) ?? 0;
    nonces.set(person.address, nonce + 1);
    const gasLimit = oneOf(prng, [90_000n, 300_000n, 1_000_000n]);
    const value = BigInt(prng.below(3));
    if (prng.chance(1, 10))
      return verify(person.sign({ nonce, to: null, data: oneOf(prng, programs), gasLimit, value }));
    const type = oneOf(prng, [0, 1, 2, 2, 4] as const);
    const listed = [[bytesOf(oneOf(prng, targets)), [wordOf(0n)]]] as const;
    const authorizations = type === 4 ? [authorization(prng, delegations) as never] : [];
    if (type === 4) delegations++;
    const accessList = type !== 0 && prng.chance(1, 2) ? listed : [];
    const data = prng.chance(1, 5) ? new Uint8Array(0) : inputOf(prng, prng.below(4));
    return verify(
      person.sign({ nonce, type, to: oneOf(prng, targets), data, gasLimit, value, accessList, authorizations }),
    );
  });
}

/** A machine that runs blocks, each on the state to begin with. @param isFollowed whether somebody listens, so that all goes the library's way */
async function createRunner(isFollowed: boolean) {
  const { stateRoot, writes } = allocateState(allocation);
  const database = createMemoryDatabase(writes);
  const source = createFlatSource(database);
  const manager = new OverlayStateManager(source);
  const vm = await createLibraryVm(common, manager, () => null);
  if (isFollowed) vm.evm.events!.on('afterMessage', () => undefined);
  const committedRoot = bytesOf(stateRoot);
  const trie = createStateTrie({ database, source, committedRoot, listsDropped: false });
  const at = environment(7);
  const { proposer, baseFee, gasLimit } = at;
  return async (transactions: readonly VerifiedTransaction[]) => {
    const overlay = new StateOverlay(source, 6 as Height);
    manager.overlay = overlay;
    const context = { common, block: libraryBlock(at, common), overlay, proposer, baseFee, gasLimit };
    const execution = new BlockExecution(vm, context);
    const receipts: Receipt[] = [];
    let gasBefore = 0n;
    let waits = 0;
    for (const transaction of transactions) {
      const executed = execution.execute(transaction, { transactionIndex: receipts.length, gasBefore, baseFee });
      if ('then' in executed) waits++;
      const receipt = await executed;
      receipts.push(receipt);
      gasBefore += receipt.gasUsed;
    }
    expect(overlay.depth).toBe(0);
    return { receipts, root: bytesToHex(trie.rootOf(overlay)), waits };
  };
}

describe('transaction executor', () => {
  it('random transactions: receipts and state are those of the library', async () => {
    const [runOwn, runLibrary] = [await createRunner(false), await createRunner(true)];
    const seen = { failed: 0, succeeded: 0, logs: 0, atOnce: 0, waited: 0 };
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const transactions = randomTransactions(createPrng(seed));
        const own = await runOwn(transactions);
        const library = await runLibrary(transactions);
        expect(own.receipts).toEqual(library.receipts);
        expect(own.root).toBe(library.root);
        expect(library.waits).toBe(transactions.length);
        seen.atOnce += transactions.length - own.waits;
        seen.waited += own.waits;
        for (const { status, logs } of own.receipts) {
          if (status === 1) seen.succeeded++;
          else seen.failed++;
          seen.logs += logs.length;
        }
      }),
      { numRuns: 20 },
    );
    // The blocks were about something.
    expect(Object.entries(seen).filter(([, count]) => count < 10)).toEqual([]);
  });
});
