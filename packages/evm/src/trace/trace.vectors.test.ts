import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { TracerSettings } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { type Address, type Hash, type Height, hexToBytes, type TimestampMs } from '@prime/primitives';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { allocateState } from '../block/genesisState.ts';
import { createMemoryDatabase, createTestVerifier } from '../testing/index.ts';
import { createTraceReader, type ReplayedBlock } from './traceReader.ts';

/** Transactions and what anvil made of them, recorded by scripts/recordTraces.mjs. */
interface Recorded {
  readonly name: string;
  readonly alloc: readonly {
    readonly address: Address;
    readonly balance: string;
    readonly code: string;
    readonly storage: readonly { readonly slot: Hash; readonly value: Hash }[];
  }[];
  readonly raw: string;
  readonly gasUsed: string;
  readonly block: Readonly<
    Record<'number' | 'timestamp' | 'miner' | 'gasLimit' | 'baseFeePerGas' | 'parentHash' | 'mixHash', string>
  >;
  readonly traces: Readonly<Record<string, unknown>>;
}
const fixture = JSON.parse(readFileSync(new URL('../../testdata/traces.json', import.meta.url), 'utf8')) as {
  readonly recorded: readonly Recorded[];
};

const steps = { disableStack: false, disableStorage: false, enableMemory: false, enableReturnData: false, limit: 0 };
const calls = { tracer: 'callTracer', onlyTopCall: false, withLog: false } as const;
const prestate = { diffMode: false, disableCode: false, disableStorage: false, includeEmpty: false };
/** What the labels of the recording mean. */
const configs: Readonly<Record<string, TracerSettings>> = {
  structLogger: { tracer: 'structLogger', ...steps },
  'structLogger with memory and return data': {
    tracer: 'structLogger',
    ...steps,
    enableMemory: true,
    enableReturnData: true,
    disableStorage: true,
  },
  callTracer: calls,
  'callTracer with logs': { ...calls, withLog: true },
  'callTracer, top only': { ...calls, onlyTopCall: true },
  prestateTracer: { tracer: 'prestateTracer', ...prestate },
  'prestateTracer in diff mode': { tracer: 'prestateTracer', ...prestate, diffMode: true },
  '4byteTracer': { tracer: '4byteTracer' },
};

const chainId = 7919;
const provider = await cryptoProvider();
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTestVerifier(chainId, provider);

async function trace({ alloc, raw, block }: Recorded, tracer: TracerSettings): Promise<Json> {
  const { stateRoot, writes } = allocateState(
    alloc.map(({ address, balance, code, storage }) => ({
      address,
      balance: BigInt(balance),
      nonce: 0,
      code: hexToBytes(code),
      storage,
    })),
  );
  const reader = await createTraceReader({
    database: createMemoryDatabase(writes),
    common,
    blockHashOf: (height) => (height === Number(block.number) - 1 ? (block.parentHash as Hash) : null),
    callGasMax: 50_000_000n,
    charactersMax: 50_000_000,
    simulation: { blocksMax: 1, callsMax: 1 },
  });
  const replayed: ReplayedBlock = {
    environment: {
      height: Number(block.number) as Height,
      timestampMs: (Number(block.timestamp) * 1000) as TimestampMs,
      proposer: block.miner as Address,
      gasLimit: BigInt(block.gasLimit),
      baseFee: BigInt(block.baseFeePerGas),
      parentHash: block.parentHash as Hash,
      prevRandao: block.mixHash as Hash,
    },
    parentStateRoot: stateRoot,
    movesBefore: [],
    transactions: [verify(hexToBytes(raw))],
  };
  return JSON.parse(await reader.transaction(replayed, 0, { tracer, timeoutMs: 60_000 })) as Json;
}

/** Where the other implementation knowingly differs from go-ethereum, whose format both mean: its value → ours. */
const words: Readonly<Record<string, string>> = {
  'invalid opcode': 'invalid opcode: opcode 0xc not defined',
  StackUnderflow: 'stack underflow (1 <=> 2)',
  'Out of stack': 'stack limit reached 1024 (1023)',
  StateChangeDuringStaticCall: 'write protection',
  OutOfOffset: 'return data out of bounds',
  CreateContractSizeLimit: 'max code size exceeded',
  CreateContractStartingWithEF: 'invalid code: must not begin with 0xef',
  CreateCollision: 'contract address collision',
};

type Json = Record<string, unknown>;

/** Words of failures; logs that were taken back do not count in the index of later ones. */
function ownFrame(frame: Json, name: string): Json {
  const { error, calls, logs } = frame;
  return {
    ...frame,
    ...(typeof error === 'string' ? { error: words[error] ?? error } : {}),
    ...(calls === undefined ? {} : { calls: (calls as Json[]).map((call) => ownFrame(call, name)) }),
    ...(logs === undefined || !name.includes('reverted')
      ? {}
      : { logs: (logs as Json[]).map((log) => (log['index'] === '0x8' ? { ...log, index: '0x4' } : log)) }),
  };
}

/**
 * Errors stand only at steps that did not begin; the gas that a creation passes on is charged while it runs, what could not be paid is
 * shown whole, and SSTORE's refund is counted when it is charged. In a static call SSTORE begins, so that its slot is shown.
 */
function ownStep(step: Json, ours: Json | undefined): Json {
  const { error, ...rest } = step;
  const kept = /^Some\((OutOfGas|StackUnderflow)\)$/.exec(String(error))?.[1];
  const own = {
    ...rest,
    op: step['op'] === 'Unknown' ? 'opcode 0xc not defined' : step['op'],
    ...(kept === undefined ? {} : { error: kept === 'OutOfGas' ? 'out of gas' : words[kept] }),
  };
  const op = String(step['op']);
  if (op.startsWith('CREATE') || kept === 'OutOfGas') Object.assign(own, { gasCost: ours?.['gasCost'] });
  if (op === 'SSTORE') Object.assign(own, { refund: ours?.['refund'] });
  if (String(error).includes('Static')) Object.assign(own, ours?.['storage'] ? { storage: ours['storage'] } : {});
  return own;
}

/** Accounts that did not exist are left out. */
const existing = (accounts: Json): Json =>
  Object.fromEntries(
    Object.entries(accounts).filter(([, account]) => {
      const { balance, code, nonce } = account as Json;
      return balance !== '0x0' || code !== undefined || nonce !== undefined;
    }),
  );

function inOurWords(recorded: Recorded, label: string, theirs: unknown, ours: Json): unknown {
  const json = theirs as Json;
  // The gas of the outermost frame is the limit of the transaction.
  if (label.startsWith('callTracer')) {
    const { calls, ...frame } = ownFrame(json, recorded.name);
    // A selfdestruct is a frame of its own, and only the outermost is wanted.
    return { ...frame, ...(calls === undefined || label.includes('top only') ? {} : { calls }), gas: ours['gas'] };
  }
  if (label === 'prestateTracer') return existing(json);
  if (label === 'prestateTracer in diff mode') return { ...json, pre: existing(json['pre'] as Json) };
  if (!label.startsWith('structLogger')) return theirs;
  const own = ours['structLogs'] as Json[];
  return { ...json, structLogs: (json['structLogs'] as Json[]).map((step, index) => ownStep(step, own[index])) };
}

describe.each(fixture.recorded)('$name', (recorded) => {
  const labels = Object.keys(recorded.traces).filter((label) => {
    // What precompiles are called with is no selector.
    if (label === '4byteTracer') return !recorded.name.includes('precompile');
    // The write is refused while the instruction runs: it has looked at its slot before.
    return label !== 'prestateTracer' || recorded.name !== 'write in a static call';
  });

  it.each(labels)('%s: as the other implementation says', async (label) => {
    const ours = await trace(recorded, configs[label]!);
    expect(ours).toEqual(inOurWords(recorded, label, recorded.traces[label], ours));
  });

  it('the outermost frame has the limit and the cost of the transaction', async () => {
    const top = await trace(recorded, calls);
    const { gasLimit } = verify(hexToBytes(recorded.raw));
    expect(top).toMatchObject({ gas: `0x${gasLimit.toString(16)}`, gasUsed: recorded.gasUsed });
  });
});
