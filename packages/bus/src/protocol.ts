/**
 * What one direction of a link carries, as a type: names of requests with what they ask and answer, names of one-way
 * streams with their payloads. A name stands in one of the two.
 *
 * ```ts
 * interface ConsensusToEvm {
 *   readonly requests: { readonly execute: { readonly request: Hash; readonly response: ExecutionRoots } };
 *   readonly streams: { readonly head: Height };
 * }
 * ```
 */
export interface Protocol {
  readonly requests: object;
  readonly streams: object;
}

/** Names that have an answer. */
export type RequestName<P extends Protocol> = keyof P['requests'] & string;
/** Names of one-way messages. */
export type StreamName<P extends Protocol> = keyof P['streams'] & string;
/** What a request asks with. */
export type RequestPayload<P extends Protocol, N extends RequestName<P>> = P['requests'][N] extends {
  readonly request: infer Request;
}
  ? Request
  : never;
/** What the handler of a request answers with. */
export type ResponsePayload<P extends Protocol, N extends RequestName<P>> = P['requests'][N] extends {
  readonly response: infer Response;
}
  ? Response
  : never;
/** What a one-way message carries. */
export type StreamPayload<P extends Protocol, N extends StreamName<P>> = P['streams'][N];

/** What a request handler may look at. */
export interface RequestContext {
  /** Aborted when the caller cancelled, ran out of time, or is gone. Made on first use. */
  readonly signal: AbortSignal;
}

/**
 * One function per name of the incoming direction. A request handler's result is the response; what it throws becomes the
 * caller's error, with its code. Handlers are called in the order in which messages were sent; an async one is not awaited before
 * the next message is handled.
 */
export type Handlers<P extends Protocol> = {
  readonly [N in RequestName<P>]: (
    payload: RequestPayload<P, N>,
    context: RequestContext,
  ) => ResponsePayload<P, N> | Promise<ResponsePayload<P, N>>;
} & {
  readonly [N in StreamName<P>]: (payload: StreamPayload<P, N>) => void | Promise<void>;
};
