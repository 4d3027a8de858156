import { Pool } from 'undici';

/** A JSON-RPC client for load: keep-alive connections to one node, no retries, answers checked. */
export class RpcClient {
  readonly #pool: Pool;
  #nextId = 1;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1 });
  }

  /** @throws Error with the node's words when it answers an error */
  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const { body } = await this.#pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#nextId++, method, params }),
    });
    const answer = (await body.json()) as { result?: Result; error?: { code: number; message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message} (${answer.error.code})`);
    return answer.result as Result;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
