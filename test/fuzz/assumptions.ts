import type { Prng } from '@prime/primitives';
import { sample } from '@prime/rpc';
import { toHex as hex } from '@prime/load/rpc';

/**
 * Calls with state and block overrides that are well formed, so that they reach the EVM: what a mutated example hardly ever does. Numbers lie
 * around the places where they stop to fit.
 */

const pick = <T>(random: Prng, from: readonly T[]): T => from[random.below(from.length)]!;
const padded = (value: bigint, bytes: number): string => `0x${value.toString(16).padStart(2 * bytes, '0')}`;
const maybe = (random: Prng, value: () => unknown): unknown => (random.chance(1, 3) ? value() : undefined);

/** One below a power of two, the power, and one above, as far as they fit. */
function edge(random: Prng, bits: readonly number[]): bigint {
  const width = pick(random, bits);
  const most = (1n << BigInt(Math.max(...bits))) - 1n;
  const value = (1n << BigInt(width)) + BigInt(random.below(3)) - 1n;
  return value > most ? most : value;
}
const quantity64 = (random: Prng): string => hex(edge(random, [0, 15, 32, 52, 53, 63, 64]));
const quantity = (random: Prng): string => hex(edge(random, [0, 1, 64, 128, 255, 256]));
const word = (random: Prng): string => padded(edge(random, [0, 8, 64, 255, 256]), 32);

/** Precompiles, the order book, contracts with storage, accounts, and addresses that nobody has. */
const addressOf = (random: Prng): string =>
  pick(random, [
    ...[1, 2, 4, 5, 9, 10, 11, 17].map((number) => padded(BigInt(number), 20)),
    padded(0x100n, 20),
    padded(0x101n, 20),
    '0x0000f90827f1c53a10cb7a02335b175320002935',
    '0xca11bde05977b3631167028862be2a173976ca11',
    sample.address,
    sample.otherAddress,
    padded(0n, 20),
    padded((1n << 160n) - 1n, 20),
    padded(BigInt(random.below(4)) + 0xabc0n, 20),
  ]);

const callTo = (address: string, opcode: string): string => `5f5f5f5f5f73${address.slice(2)}5a${opcode}50`;
/** Pieces of code whose stacks are balanced; some need more gas than there is. */
const pieces = (random: Prng): string =>
  pick(random, [
    '5f545f52',
    `7f${word(random).slice(2)}5f55`,
    '60016001555f600155',
    '5f5f5ff050',
    '60015f5f5ff550',
    '6001435f035f5f5f5f5ff150',
    callTo(addressOf(random), 'f1'),
    callTo(addressOf(random), 'f2'),
    `73${addressOf(random).slice(2)}3f50`,
    `73${addressOf(random).slice(2)}3150`,
    '4360019003405f52',
    '42435f525f52',
    '41444548464a5f5250505050',
    '5f5fa0',
    '5f5c5f5d',
    '3d5f5f3e',
  ]);
const codeEnd = (random: Prng): string =>
  pick(random, ['00', '60205ff3', '60205ffd', 'fe', `73${addressOf(random).slice(2)}ff`, '5b5f56', '']);
const code = (random: Prng): string =>
  random.chance(1, 5)
    ? `0xef0100${addressOf(random).slice(2)}`
    : `0x${Array.from({ length: random.below(5) }, () => pieces(random)).join('')}${codeEnd(random)}`;

const slots = (random: Prng): object =>
  Object.fromEntries(Array.from({ length: random.below(4) }, () => [hex(BigInt(random.below(5))), word(random)]));

function accountOverride(random: Prng): object {
  const storage = random.chance(1, 2) ? { state: slots(random) } : { stateDiff: slots(random) };
  return {
    nonce: maybe(random, () => quantity64(random)),
    balance: maybe(random, () => quantity(random)),
    code: maybe(random, () => code(random)),
    ...(random.chance(1, 2) ? storage : {}),
    ...(random.chance(1, 5) ? { movePrecompileToAddress: addressOf(random) } : {}),
  };
}

const stateOverrides = (random: Prng): object =>
  Object.fromEntries(Array.from({ length: random.below(5) }, () => [addressOf(random), accountOverride(random)]));

const blockOverrides = (random: Prng): object => ({
  number: maybe(random, () =>
    pick(random, [undefined, hex(BigInt(random.below(400))), hex(edge(random, [32, 48, 52]))]),
  ),
  time: maybe(random, () => hex(edge(random, [0, 31, 32, 43]))),
  gasLimit: maybe(random, () => quantity64(random)),
  feeRecipient: maybe(random, () => addressOf(random)),
  prevRandao: maybe(random, () => word(random)),
  baseFeePerGas: maybe(random, () => quantity(random)),
  blobBaseFee: maybe(random, () => quantity(random)),
});

const authorization = (random: Prng): object => ({
  chainId: pick(random, ['0x0', '0x1eef', '0x1']),
  address: addressOf(random),
  nonce: quantity64(random),
  yParity: pick(random, ['0x0', '0x1', '0x2']),
  r: word(random),
  s: word(random),
});

function call(random: Prng): object {
  const price = random.chance(1, 2)
    ? { gasPrice: maybe(random, () => quantity(random)) }
    : {
        maxFeePerGas: maybe(random, () => quantity(random)),
        maxPriorityFeePerGas: maybe(random, () => hex(BigInt(random.below(3)))),
      };
  return {
    from: maybe(random, () => addressOf(random)),
    ...(random.chance(1, 5) ? {} : { to: addressOf(random) }),
    gas: maybe(random, () => pick(random, [quantity64(random), '0x5208', '0x186a0'])),
    value: maybe(random, () => quantity(random)),
    nonce: maybe(random, () => quantity64(random)),
    input: maybe(random, () => code(random)),
    ...price,
    accessList: maybe(random, () => [{ address: addressOf(random), storageKeys: [word(random)] }]),
    ...(random.chance(1, 6) ? { authorizationList: [authorization(random)] } : {}),
  };
}

const several = <T>(random: Prng, most: number, make: () => T): T[] =>
  Array.from({ length: random.below(most + 1) }, make);

/** A request whose parameters have the right form. */
export function assumingRequest(random: Prng): { readonly method: string; readonly params: readonly unknown[] } {
  const block = pick(random, ['latest', 'latest', 'pending', 'earliest']);
  const accounts = stateOverrides(random);
  const header = blockOverrides(random);
  switch (random.below(6)) {
    case 0:
      return { method: 'eth_call', params: [call(random), block, accounts, header] };
    case 1:
      return { method: 'eth_estimateGas', params: [call(random), block, accounts, header] };
    case 2:
      return { method: 'eth_createAccessList', params: [call(random), block] };
    case 3: {
      const tracer = pick(random, [undefined, 'callTracer', 'prestateTracer', '4byteTracer']);
      const config = { tracer, stateOverrides: accounts, blockOverrides: header };
      return { method: 'debug_traceCall', params: [call(random), block, config] };
    }
    default:
      return { method: 'eth_simulateV1', params: [simulation(random), block] };
  }
}

const simulation = (random: Prng): object => ({
  blockStateCalls: [
    {},
    ...several(random, 2, () => ({
      blockOverrides: maybe(random, () => blockOverrides(random)),
      stateOverrides: maybe(random, () => stateOverrides(random)),
      calls: several(random, 3, () => call(random)),
    })),
  ],
  validation: random.chance(1, 4),
  traceTransfers: random.chance(1, 2),
  returnFullTransactions: random.chance(1, 2),
});
