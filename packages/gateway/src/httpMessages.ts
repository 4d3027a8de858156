import type { HttpRequest, HttpResponse } from 'uWebSockets.js';

/** What is known of a request before its body. Valid during the call that it is given to. */
export interface RequestHead {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** Value of a header, by its name in lower case; empty when it is absent. */
  header(name: string): string;
  /** Address of the other end of the connection, in its longest form for IPv6. Valid until the request is answered. */
  remoteAddress(): string;
}

export interface HttpAnswer {
  /** Code and words: `200 OK`. */
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export class UwsHead implements RequestHead {
  readonly method: string;
  readonly path: string;
  private readonly request: HttpRequest;
  private readonly response: HttpResponse;

  constructor(request: HttpRequest, response: HttpResponse) {
    const method = request.getMethod();
    this.method = method === 'post' ? 'POST' : method.toUpperCase();
    this.path = request.getUrl();
    this.request = request;
    this.response = response;
  }

  header(name: string): string {
    return this.request.getHeader(name);
  }

  remoteAddress(): string {
    return Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1');
  }
}

/** What the library writes when it is told no status. */
const statusByDefault = '200 OK';

export function writeHead(response: HttpResponse, { status, headers }: HttpAnswer): void {
  if (status !== statusByDefault) response.writeStatus(status);
  for (const [name, value] of headers) response.writeHeader(name, value);
}
