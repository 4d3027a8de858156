import { LoadError } from './errors.ts';

/** Where a JSON-RPC server listens for HTTP. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Path and query. */
  readonly path: string;
  /** As the field `Host` has it. */
  readonly authority: string;
  /** Value of the field `Authorization`; null where the address names no user. */
  readonly authorization: string | null;
}

/** @throws LoadError `LOAD_URL_INVALID` */
export function endpointOf(text: string): Endpoint {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new LoadError(`${text} is no address of a JSON-RPC server: it begins with http:// or https://`, {
      code: 'LOAD_URL_INVALID',
      url: text,
    });
  const isTls = url.protocol === 'https:';
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    // An IPv6 address stands in brackets in an URL, and without them everywhere else.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    path: `${url.pathname}${url.search}`,
    authority: url.host,
    authorization: user === ':' ? null : `Basic ${Buffer.from(user).toString('base64')}`,
  };
}

/** Makes whole HTTP requests of JSON bodies; what is the same in all of them is put together once. */
export function requestWriter({ path, authority, authorization }: Endpoint): (body: string) => string {
  const authorizationLine = authorization === null ? '' : `Authorization: ${authorization}\r\n`;
  const head =
    `POST ${path} HTTP/1.1\r\nHost: ${authority}\r\nContent-Type: application/json\r\nAccept: application/json\r\n` +
    `User-Agent: prime-load\r\n${authorizationLine}Content-Length: `;
  return (body) => `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
