import type { TSchema } from '@sinclair/typebox';
import type { RpcErrorCode } from './errors/errors.ts';
import type { Format } from './format/format.ts';
import type { NodeInfo, RpcPorts } from './ports/ports.ts';
import type { RequestContext } from './dispatch/requestContext.ts';
import type { ValueType } from './schema/valueTypes.ts';

/** A parameter by position: its name in documents and errors, and how its value is read. */
export interface Parameter<T = unknown, Required extends boolean = boolean> {
  readonly name: string;
  readonly type: ValueType<T>;
  readonly required: Required;
}

/** A parameter that a call must have: `RPC_INVALID_PARAMS` without it. */
export const required = <T>(name: string, type: ValueType<T>): Parameter<T, true> => ({ name, type, required: true });

/** A parameter that may be left out or null at the end of the list; the handler gets undefined then. */
export const optional = <T>(name: string, type: ValueType<T>): Parameter<T, false> => ({ name, type, required: false });

/** What a handler works with. `format` is `native` when the method was called by its prime_ name. */
export interface MethodContext {
  readonly ports: RpcPorts;
  readonly info: NodeInfo;
  readonly format: Format;
  readonly request: RequestContext;
  /** Whether the caller may not see what the privacy fork hides. */
  readonly isPrivate: boolean;
}
type Cost = 'light' | 'heavy';

/**
 * A request and its answer. The values are those of {@link sample}, so that all examples tell one story; a test replays them
 * on a live network, with the hashes and heights of that network in place of the samples.
 */
export interface Example {
  /** When the node answers like this, where it is not what a node answers ordinarily. */
  readonly situation?: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
}

type Argument<P> = P extends Parameter<infer T, infer Required> ? (Required extends true ? T : T | undefined) : never;
type Arguments<P extends readonly Parameter[]> = { [Index in keyof P]: Argument<P[Index]> };

interface MethodParts<P extends readonly Parameter[]> {
  readonly name: string;
  readonly summary: string;
  readonly params: P;
  readonly result: TSchema;
  /** Errors beyond invalid params that a caller must expect; none unless said. */
  readonly errors?: readonly RpcErrorCode[];
  /** `heavy` needs milliseconds of a processor or megabytes: first to be refused when the node is busy. Default `light`. */
  readonly cost?: Cost;
  /** What the privacy fork does to it; a function gets the parsed parameters. */
  readonly privacy: 'public' | 'operatorAfterFork' | ((...args: Arguments<P>) => boolean);
  readonly examples: readonly Example[];
  /** The answer follows from the parameters and the head alone, so that it may be kept until the next block. */
  readonly fixedAtHead?: true;
  /** Gives a JSON value or {@link JsonText}, or a promise of one. */
  readonly handler: (context: MethodContext, ...args: Arguments<P>) => unknown;
}

/** What a method does about the privacy fork. */
export type Privacy =
  /** Tells nothing that the fork hides, or leaves it out when {@link MethodContext.isPrivate}. */
  | 'public'
  /** Tells nothing else. */
  | 'operatorAfterFork'
  /** Depends on the parsed parameters: whether the fork hides this call. */
  | ((...args: readonly unknown[]) => boolean);

/** One method of the interface: everything that validation, documentation and dispatch need to know about it. */
export interface MethodDefinition {
  readonly name: string;
  readonly summary: string;
  readonly params: readonly Parameter[];
  readonly result: TSchema;
  readonly errors: readonly RpcErrorCode[];
  readonly cost: Cost;
  readonly privacy: Privacy;
  readonly examples: readonly Example[];
  readonly format: Format;
  readonly fixedAtHead: boolean;
  readonly handler: (context: MethodContext, ...args: readonly unknown[]) => unknown;
}

/** Makes a definition; the types of the handler's arguments follow from `params`. */
export function defineMethod<const P extends readonly Parameter[]>(parts: MethodParts<P>): MethodDefinition {
  const { handler, privacy, errors = [], fixedAtHead = false, cost = 'light' } = parts;
  return {
    ...parts,
    errors,
    cost,
    format: 'eth',
    handler: handler as MethodDefinition['handler'],
    fixedAtHead,
    privacy: privacy as Privacy,
  };
}

/** The same method under another name, with the same answers. */
export const alias = (definition: MethodDefinition, name: string): MethodDefinition => ({ ...definition, name });

/** The same method under a prime_ name, answering in the native format. */
export function nativeAlias(
  definition: MethodDefinition,
  name: string,
  changes: Partial<Pick<MethodDefinition, 'result' | 'examples'>> = {},
): MethodDefinition {
  return { ...definition, ...changes, name, format: 'native' };
}
