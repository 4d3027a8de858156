import { type Static, Type } from '@sinclair/typebox';
import {
  noBlockOverrides,
  type SimulatedBlock,
  type SimulatedCall,
  type SimulationBlock,
  type SimulationRequest,
} from '@prime/codec';
import { bytesToHex, type Hex, toQuantity } from '@prime/primitives';
import { type CallArguments, callObject } from './callObjects.ts';
import { formatEthBlock } from '../format/block.ts';
import { formatLog } from '../format/log.ts';
import { formatTransaction } from '../format/transaction.ts';
import {
  blockOverridesSchema,
  parseBlockOverrides,
  parseStateOverrides,
  stateOverridesSchema,
  type WireBlockOverrides,
  type WireStateOverrides,
} from './overrides.ts';
import type { BlockRecord } from '../ports/ports.ts';
import { hintKey, nullable, type ValueType, valueType } from '../schema/valueTypes.ts';

/** Request and answer of eth_simulateV1. */

const flag = Type.Optional(nullable(Type.Boolean({ [hintKey]: 'must be true or false' })));
const payloadSchema = Type.Object(
  {
    blockStateCalls: Type.Array(
      Type.Object(
        {
          blockOverrides: Type.Optional(nullable(blockOverridesSchema)),
          stateOverrides: Type.Optional(nullable(stateOverridesSchema)),
          calls: Type.Optional(nullable(Type.Array(callObject.schema))),
        },
        { additionalProperties: false, [hintKey]: 'must be {blockOverrides, stateOverrides, calls}, each optional' },
      ),
      { minItems: 1, [hintKey]: 'must be a list of blocks, at least one' },
    ),
    validation: flag,
    traceTransfers: flag,
    returnFullTransactions: flag,
  },
  {
    additionalProperties: false,
    [hintKey]: 'must be {blockStateCalls, validation, traceTransfers, returnFullTransactions}',
  },
);
type WirePayload = Static<typeof payloadSchema>;

/** What `eth_simulateV1` is asked for; calls are not completed yet, and the base block is a parameter of its own. */
export interface SimulationPayload extends Omit<SimulationRequest<Hex>, 'base' | 'blocks'> {
  readonly blocks: readonly (Omit<SimulationBlock<Hex>, 'calls'> & {
    readonly calls: readonly CallArguments[];
  })[];
  readonly returnFullTransactions: boolean;
}

/** Parameter of `eth_simulateV1` in the execution API's form. @throws RpcError `RPC_INVALID_PARAMS` */
export const simulationPayload: ValueType<SimulationPayload> = valueType(payloadSchema, (wire: WirePayload) => ({
  blocks: wire.blockStateCalls.map((block) => ({
    blockOverrides:
      block.blockOverrides == null ? noBlockOverrides : parseBlockOverrides(block.blockOverrides as WireBlockOverrides),
    stateOverrides: parseStateOverrides((block.stateOverrides ?? {}) as WireStateOverrides),
    calls: ((block.calls ?? []) as unknown[]).map((call) => callObject.parse(call as never)),
  })),
  validation: wire.validation === true,
  traceTransfers: wire.traceTransfers === true,
  returnFullTransactions: wire.returnFullTransactions === true,
}));

/** Numbers of the specification for a call that failed. */
const [revertedNumber, failedNumber] = [3, -32015];

function formatCall(call: SimulatedCall, block: SimulatedBlock, index: number, firstLog: number): object {
  const { returnData, gasUsed, maxUsedGas, logs, failure } = call;
  const result = {
    returnData: bytesToHex(returnData),
    gasUsed: toQuantity(gasUsed),
    maxUsedGas: toQuantity(maxUsedGas),
  };
  if (failure !== null) {
    const { words, revertData } = failure;
    const error =
      revertData === null
        ? { code: failedNumber, message: `vm execution error: ${words}` }
        : { code: revertedNumber, message: words, data: bytesToHex(revertData) };
    return { status: '0x0', ...result, error };
  }
  const { height, timestampMs } = block.header;
  const { transactionHash } = block.receipts[index]!;
  const shown = logs.map((log, offset) =>
    formatLog({
      height,
      timestampMs,
      blockHash: block.hash,
      transactionHash,
      transactionIndex: index,
      logIndex: firstLog + offset,
      ...log,
    }),
  );
  return { status: '0x1', ...result, logs: shown };
}

/** A simulated block as eth_ methods show blocks, with the outcomes of its calls. */
export function formatSimulated(block: SimulatedBlock, full: boolean): object {
  const { header, hash, roots, transactions, receipts } = block;
  const transactionHashes = receipts.map(({ transactionHash }) => transactionHash);
  const record: BlockRecord = {
    block: { header, transactions, actions: [], evidence: [], lastCommit: null },
    hash,
    roots,
    certificate: null,
    transactionHashes,
    actionHashes: [],
  };
  const shown = full
    ? transactions.map((raw, index) =>
        formatTransaction(raw, transactionHashes[index]!, block.calls[index]!.from, { record, index }),
      )
    : transactionHashes;
  let logs = 0;
  const calls = block.calls.map((call, index) => {
    const formatted = formatCall(call, block, index, logs);
    logs += call.logs.length;
    return formatted;
  });
  return { ...formatEthBlock({ record, receipts, events: [], transactions: shown }), calls };
}
