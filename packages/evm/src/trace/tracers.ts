import { bytesToHex } from '@prime/primitives';
import { createTraceBudget, type TraceBudget } from './budget.ts';
import { CallTracer, type CallTracerConfig } from './callTracer.ts';
import type { FrameStart, Tracer } from './hooks.ts';
import { PrestateTracer, type PrestateTracerConfig } from './prestateTracer.ts';
import { StructLogger, type StructLoggerConfig } from './structLogger.ts';

/** Which trace is wanted; names and settings are go-ethereum's. */
export type TracerConfig =
  | ({ readonly tracer: 'structLogger' } & StructLoggerConfig)
  | ({ readonly tracer: 'callTracer' } & CallTracerConfig)
  | ({ readonly tracer: 'prestateTracer' } & PrestateTracerConfig)
  | { readonly tracer: '4byteTracer' }
  | { readonly tracer: 'noopTracer' };

/** @param charactersMax of JSON that the trace may have */
export function createTracer(
  config: TracerConfig,
  charactersMax: number,
  isPrecompile: (frame: FrameStart) => boolean,
): Tracer {
  const budget = createTraceBudget(charactersMax);
  switch (config.tracer) {
    case 'structLogger':
      return new StructLogger(config, budget);
    case 'callTracer':
      return new CallTracer(config, budget);
    case 'prestateTracer':
      return new PrestateTracer(config, budget);
    case '4byteTracer':
      return fourByteTracer(budget, isPrecompile);
    case 'noopTracer':
      return { wantsOpcodes: false, result: () => '{}' };
  }
}

const entryCharacters = 32;

/** How often each function selector was called, by selector and length of the arguments behind it. */
function fourByteTracer(budget: TraceBudget, isPrecompile: (frame: FrameStart) => boolean): Tracer {
  const counts = new Map<string, number>();
  return {
    wantsOpcodes: false,
    enter(frame) {
      const { kind, input } = frame;
      if (input.length < 4 || kind === 'CREATE' || kind === 'CREATE2' || kind === 'SELFDESTRUCT') return;
      if (isPrecompile(frame)) return;
      const key = `${bytesToHex(input.subarray(0, 4))}-${input.length - 4}`;
      if (!counts.has(key)) budget.spend(entryCharacters);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    result: () => JSON.stringify(Object.fromEntries(counts)),
  };
}
