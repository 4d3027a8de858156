import type { TracerSettings } from '@prime/codec';
import { bytesToHex } from '@prime/primitives';
import { createTraceBudget, type TraceBudget } from './budget.ts';
import { CallTracer } from './callTracer.ts';
import type { FrameStart, Tracer } from './hooks.ts';
import { PrestateTracer } from './prestateTracer.ts';
import { StructLogger } from './structLogger.ts';

/** @param charactersMax of JSON that the trace may have */
export function createTracer(
  config: TracerSettings,
  charactersMax: number,
  isPrecompile: (frame: FrameStart) => boolean,
): Tracer {
  return tracerOf(config, createTraceBudget(charactersMax), isPrecompile);
}

function tracerOf(config: TracerSettings, budget: TraceBudget, isPrecompile: (frame: FrameStart) => boolean): Tracer {
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
    case 'muxTracer':
      return muxTracer(config.tracers.map((each) => [each.tracer, tracerOf(each, budget, isPrecompile)]));
  }
}

/** Several tracers in one run, their traces by their names. */
function muxTracer(named: readonly (readonly [name: string, tracer: Tracer])[]): Tracer {
  const tracers = named.map(([, tracer]) => tracer);
  return {
    wantsOpcodes: tracers.some(({ wantsOpcodes }) => wantsOpcodes),
    start: (transaction, state) => tracers.forEach((tracer) => tracer.start?.(transaction, state)),
    enter: (frame) => tracers.forEach((tracer) => tracer.enter?.(frame)),
    exit: (frame) => tracers.forEach((tracer) => tracer.exit?.(frame)),
    opcode: (step) => tracers.forEach((tracer) => tracer.opcode?.(step)),
    log: (log) => tracers.forEach((tracer) => tracer.log?.(log)),
    end: (gasUsed) => tracers.forEach((tracer) => tracer.end?.(gasUsed)),
    result: () => `{${named.map(([name, tracer]) => `"${name}":${tracer.result()}`).join(',')}}`,
  };
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
