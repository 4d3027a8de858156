import { Type } from '@sinclair/typebox';
import { type AccountOverride, type BlockOverrides, noBlockOverrides, type TracerSettings } from '@prime/codec';
import { parseBlockOverrides, parseStateOverrides, stateOverridesSchema, blockOverridesSchema } from './overrides.ts';
import type { WireBlockOverrides, WireStateOverrides } from './overrides.ts';
import { invalidParams } from '../errors/errors.ts';
import { hintKey, index, nullable, type ValueType, valueType } from '../schema/valueTypes.ts';

/** Settings of a trace as go-ethereum takes them; those of other tracers than the named one are passed over. */
export interface TraceConfig {
  readonly tracer: TracerSettings;
  /** null is the node's own limit. */
  readonly timeoutMs: number | null;
}

interface WireTraceConfig {
  readonly tracer?: string | null;
  readonly tracerConfig?: Readonly<Record<string, unknown>> | null;
  readonly timeout?: string | null;
  readonly disableStack?: boolean | null;
  readonly disableStorage?: boolean | null;
  readonly enableMemory?: boolean | null;
  readonly enableReturnData?: boolean | null;
  readonly limit?: number | null;
}

const flag = Type.Optional(nullable(Type.Boolean({ [hintKey]: 'must be true or false' })));
const fields = {
  tracer: Type.Optional(nullable(Type.String({ [hintKey]: 'must be the name of a tracer' }))),
  tracerConfig: Type.Optional(nullable(Type.Object({}, { [hintKey]: 'must be an object' }))),
  timeout: Type.Optional(nullable(Type.String({ [hintKey]: 'must be a duration, like "5s" or "300ms"' }))),
  disableStack: flag,
  disableStorage: flag,
  enableMemory: flag,
  enableReturnData: flag,
  limit: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, [hintKey]: 'must be a whole number' })),
  ),
};

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** A duration of the Go language in ms: "1m30s", "1.5s", "300ms". */
function parseDuration(text: string): number {
  const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
  if (!whole.test(text)) throw invalidParams('config.timeout', 'must be a duration, like "5s" or "300ms"');
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    total += Number(amount) * unitMs[unit!]!;
  return total;
}

const tracerNames = ['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'muxTracer'] as const;

/** The tracers that a muxTracer is to run: their names to their settings. */
function parseTracers(settings: Readonly<Record<string, unknown>>): readonly TracerSettings[] {
  return Object.entries(settings).map(([tracer, own]) => {
    if (tracer === '' || tracer === 'muxTracer')
      throw invalidParams('config.tracerConfig', 'must name other tracers than muxTracer itself');
    if (typeof own !== 'object' || Array.isArray(own))
      throw invalidParams(`config.tracerConfig.${tracer}`, 'must be an object or null');
    return parseTracer({ tracer, tracerConfig: own as WireTraceConfig['tracerConfig'] & object });
  });
}

function parseTracer(wire: WireTraceConfig): TracerSettings {
  const settings = wire.tracerConfig ?? {};
  const isSet = (name: string): boolean => settings[name] === true;
  switch (wire.tracer ?? '') {
    case '':
      return {
        tracer: 'structLogger',
        disableStack: wire.disableStack === true,
        disableStorage: wire.disableStorage === true,
        enableMemory: wire.enableMemory === true,
        enableReturnData: wire.enableReturnData === true,
        limit: wire.limit ?? 0,
      };
    case 'callTracer':
      return { tracer: 'callTracer', onlyTopCall: isSet('onlyTopCall'), withLog: isSet('withLog') };
    case 'prestateTracer':
      return {
        tracer: 'prestateTracer',
        diffMode: isSet('diffMode'),
        disableCode: isSet('disableCode'),
        disableStorage: isSet('disableStorage'),
        includeEmpty: isSet('includeEmpty'),
      };
    case 'muxTracer':
      return { tracer: 'muxTracer', tracers: parseTracers(settings) };
    case '4byteTracer':
    case 'noopTracer':
      return { tracer: wire.tracer as '4byteTracer' | 'noopTracer' };
    default:
      throw invalidParams('config.tracer', `must be one of ${tracerNames.join(', ')}; programs are not run`);
  }
}

const parseConfig = (wire: WireTraceConfig): TraceConfig => ({
  tracer: parseTracer(wire),
  timeoutMs: wire.timeout == null ? null : parseDuration(wire.timeout),
});

/** Second parameter of debug_trace methods, as go-ethereum has it; fields that it does not know are ignored. */
export const traceConfig: ValueType<TraceConfig> = valueType(
  Type.Object(fields, { [hintKey]: 'must be an object' }),
  parseConfig,
);

/** What is traced without a word about it: every instruction. */
export const defaultTraceConfig: TraceConfig = parseConfig({});

/** Settings of a traced call: what it assumes, too. */
export interface TraceCallConfig extends TraceConfig {
  readonly stateOverrides: readonly AccountOverride[];
  readonly blockOverrides: BlockOverrides;
  /** The call runs before this transaction of the block; null is after all of them. */
  readonly txIndex: number | null;
}

interface WireTraceCallConfig extends WireTraceConfig {
  readonly stateOverrides?: WireStateOverrides | null;
  readonly blockOverrides?: WireBlockOverrides | null;
  readonly txIndex?: string | number | null;
}

const parseCallConfig = (wire: WireTraceCallConfig): TraceCallConfig => ({
  ...parseConfig(wire),
  stateOverrides: parseStateOverrides(wire.stateOverrides ?? {}),
  blockOverrides: wire.blockOverrides == null ? noBlockOverrides : parseBlockOverrides(wire.blockOverrides),
  txIndex: wire.txIndex == null ? null : Number(wire.txIndex),
});

/** The same for `debug_traceCall`, with overrides and the place in the block. */
export const traceCallConfig: ValueType<TraceCallConfig> = valueType(
  Type.Object(
    {
      ...fields,
      stateOverrides: Type.Optional(nullable(stateOverridesSchema)),
      blockOverrides: Type.Optional(nullable(blockOverridesSchema)),
      txIndex: Type.Optional(nullable(index.schema)),
    },
    { [hintKey]: 'must be an object' },
  ),
  parseCallConfig,
);

/** The trace of single instructions, after all transactions of the block, with nothing overridden. */
export const defaultTraceCallConfig: TraceCallConfig = parseCallConfig({});
