/** An error object that a node answered with. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, error: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(`${method}: ${error.message} (${error.code})`);
    this.name = 'RpcError';
    this.code = error.code;
    this.data = error.data;
  }
}

let nextId = 1;

/** One JSON-RPC call over HTTP, without any client library. @throws RpcError */
export async function rpc<Result>(url: string, method: string, params: readonly unknown[] = []): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }),
  });
  const answer = (await response.json()) as {
    result?: Result;
    error?: { code: number; message: string; data?: unknown };
  };
  if (answer.error !== undefined) throw new RpcError(method, answer.error);
  return answer.result as Result;
}
