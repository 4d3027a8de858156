interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a call of JSON-RPC answers. */
export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** Calls of one caller. */
export interface RpcCalls {
  /** Result of a call. @throws Error with the JSON-RPC error object in its message */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Error object of a call that must fail. */
  failure(method: string, ...params: readonly unknown[]): Promise<RpcError>;
}

/** Calls over a way to ask. */
export const callsOf = (ask: (method: string, params: readonly unknown[]) => Promise<RpcAnswer>): RpcCalls => ({
  async call(method, ...params) {
    const { result, error } = await ask(method, params);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  },
  async failure(method, ...params) {
    const { result, error } = await ask(method, params);
    if (error === undefined) throw new Error(`${method} answered ${JSON.stringify(result)}`);
    return error;
  },
});
