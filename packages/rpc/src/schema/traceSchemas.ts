import { type TSchema, Type } from '@sinclair/typebox';
import { dataResult } from './resultSchemas.ts';
import { sample } from './samples.ts';

const whole = Type.Integer({ minimum: 0 });
const word = Type.String({ pattern: '^0x[0-9a-f]{64}$' });

const structLog = Type.Object({
  pc: whole,
  op: Type.String(),
  gas: whole,
  gasCost: whole,
  depth: Type.Integer({ minimum: 1 }),
  refund: whole,
  error: Type.Optional(Type.String()),
  stack: Type.Optional(Type.Array(Type.String({ pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }))),
  memory: Type.Optional(Type.Array(word)),
  returnData: Type.Optional(dataResult),
  storage: Type.Optional(Type.Record(word, word)),
});

/** The trace of every instruction, or what the named tracer makes: each has a form of its own. */
export const traceResult: TSchema = Type.Union([
  Type.Object({ gas: whole, failed: Type.Boolean(), returnValue: dataResult, structLogs: Type.Array(structLog) }),
  Type.Object({}, { additionalProperties: true }),
]);

/** Traces of a block's transactions in their order, or why one has none. */
export const blockTraceResult = Type.Array(
  Type.Union([Type.Object({ txHash: word, result: traceResult }), Type.Object({ txHash: word, error: Type.String() })]),
);

/** One frame, as callTracer shows it. */
export const sampleFrame = {
  from: sample.address,
  gas: '0xc350',
  gasUsed: '0x5208',
  to: sample.contract,
  input: '0x18160ddd',
  output: `0x${'0'.repeat(46)}3635c9adc5dea00000`,
  value: '0x0',
  type: 'CALL',
};
