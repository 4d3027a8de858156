import { describe, expect, it } from '@jest/globals';
import { traceCall } from '../methods/debug/traceCall.ts';
import { parseParams } from '../schema/validate.ts';
import { defaultTraceCallConfig, defaultTraceConfig, type TraceCallConfig } from './traceOptions.ts';

const parse = (config: object): TraceCallConfig => parseParams(traceCall, [{}, 'latest', config])[2] as TraceCallConfig;
const tracerOf = (config: object): TraceCallConfig['tracer'] => parse(config).tracer;

describe('settings of a trace', () => {
  it('nothing, null and the empty name are the trace of instructions', () => {
    for (const config of [{}, { tracer: null }, { tracer: '' }]) expect(parse(config)).toEqual(defaultTraceCallConfig);
    expect(defaultTraceConfig).toEqual({ tracer: defaultTraceCallConfig.tracer, timeoutMs: null });
    expect(tracerOf({ enableMemory: true, limit: 1 })).toMatchObject({
      enableMemory: true,
      limit: 1,
      disableStack: false,
    });
  });

  it.each([
    ['5s', 5_000],
    ['300ms', 300],
    ['1m30s', 90_000],
    ['1.5s', 1_500],
    ['2h', 7_200_000],
    ['1us', 1e-3],
    ['0s', 0],
  ])('%s are %d ms', (timeout, ms) => {
    expect(parse({ timeout }).timeoutMs).toBeCloseTo(ms, 9);
  });

  it.each(['', '5', 's', '5 s', '-5s', '5s!', '1.s', '5S'])('"%s" is no duration', (timeout) => {
    expect(() => parse({ timeout })).toThrow('must be a duration');
  });

  it.each([-1, 1.5, Number.MAX_SAFE_INTEGER + 1])('no limit is %d', (limit) => {
    expect(() => parse({ limit })).toThrow('must be a whole number');
    expect(tracerOf({ limit: Number.MAX_SAFE_INTEGER })).toMatchObject({ limit: Number.MAX_SAFE_INTEGER });
  });

  it('a flag of a tracer is set by true alone', () => {
    const callTracer = (onlyTopCall: unknown) => tracerOf({ tracer: 'callTracer', tracerConfig: { onlyTopCall } });
    expect([true, 1, 'true', null].map(callTracer)).toMatchObject([
      { onlyTopCall: true },
      { onlyTopCall: false },
      { onlyTopCall: false },
      { onlyTopCall: false },
    ]);
  });

  it('several tracers are named by a muxTracer, which is none of them', () => {
    const mux = (tracerConfig: object): TraceCallConfig['tracer'] => tracerOf({ tracer: 'muxTracer', tracerConfig });
    expect(mux({ callTracer: { withLog: true }, noopTracer: null })).toEqual({
      tracer: 'muxTracer',
      tracers: [{ tracer: 'callTracer', onlyTopCall: false, withLog: true }, { tracer: 'noopTracer' }],
    });
    for (const name of ['', 'muxTracer']) expect(() => mux({ [name]: {} })).toThrow('other tracers than muxTracer');
    for (const own of [[], 1, 'x']) expect(() => mux({ callTracer: own })).toThrow('must be an object or null');
    expect(() => mux({ js: {} })).toThrow('programs are not run');
  });

  it.each(['{ data: [] }', 'CallTracer', 'callTracer '])('%s is no tracer', (tracer) => {
    expect(() => parse({ tracer })).toThrow('must be one of callTracer, prestateTracer');
  });
});
