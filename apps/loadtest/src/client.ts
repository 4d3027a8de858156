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
    return resultOf<Result>(method, (await this.#post(this.#request(method, params))) as Answer);
  }

  /** The same method with each of the parameters, in one request. @throws Error as {@link call}, for the first that is refused */
  async batch<Result>(method: string, each: readonly (readonly unknown[])[]): Promise<Result[]> {
    const answers = (await this.#post(each.map((params) => this.#request(method, params)))) as Answer[];
    return answers.map((answer) => resultOf<Result>(method, answer));
  }

  #request(method: string, params: readonly unknown[]): object {
    return { jsonrpc: '2.0', id: this.#nextId++, method, params };
  }

  async #post(request: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const { body } = await this.#pool.request({ path: '/', method: 'POST', headers, body: JSON.stringify(request) });
    return body.json();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function resultOf<Result>(method: string, { result, error }: Answer): Result {
  if (error !== undefined) throw new Error(`${method}: ${error.message} (${error.code})`);
  return result as Result;
}
