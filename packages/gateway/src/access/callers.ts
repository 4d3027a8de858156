import { type Client, type RequestContext, RpcError, type Surface } from '@prime/rpc';
import type { RequestHead } from '../http/httpServer.ts';
import type { ApiKeys } from './apiKeys.ts';
import { addressGroup, clientAddress, isLoopback, type TrustedProxies } from './clientAddress.ts';

/** Whom a surface lets in: by API key, by being on this machine, or anybody. */
export interface CallersOptions {
  readonly keys: ApiKeys;
  readonly proxies: TrustedProxies;
  /** `open` takes callers without a key on the public surface. */
  readonly access: 'open' | 'keys';
}

const keyHeader = 'x-api-key';
const bearer = /^bearer +(\S+) *$/i;

/** Headers by which callers name themselves; pages of other origins must be allowed to send them. */
export const credentialHeaders = ['Authorization', 'X-Api-Key'] as const;

/** Finds out who sent a request. The same for an HTTP request and for the one that opens a WebSocket. */
export class Callers {
  private readonly options: CallersOptions;

  constructor(options: CallersOptions) {
    this.options = options;
  }

  /** @throws RpcError `RPC_API_KEY_REFUSED` */
  identify(
    head: Pick<RequestHead, 'header' | 'remoteAddress'>,
    surface: Surface,
    transport: RequestContext['transport'],
  ): RequestContext {
    const { keys, proxies, access } = this.options;
    const forwardedFor = head.header('x-forwarded-for');
    const key = keyOf(head);
    if (key !== null) {
      const grant = keys.find(key);
      if (grant === null) throw refused('unknown API key');
      if (surface === 'operator' && !grant.operator) throw refused(`API key ${grant.name} does not open this surface`);
      return contextOf(surface, transport, new HeadClient(head, forwardedFor, proxies, grant.name));
    }
    const client = new HeadClient(head, forwardedFor, proxies, null);
    // A caller that came through a proxy which nobody vouches for is not on this machine.
    const isLocal = (): boolean => isLoopback(client.address) && (forwardedFor === '' || proxies.has(client.address));
    if (surface === 'operator' ? !isLocal() : access === 'keys')
      throw refused('an API key is required: Authorization: Bearer <key>, or X-Api-Key: <key>');
    return contextOf(surface, transport, client);
  }

  /** Address of whoever sent the request, let in or not. */
  addressOf(head: Pick<RequestHead, 'header' | 'remoteAddress'>): string {
    return clientAddress(head.remoteAddress(), head.header('x-forwarded-for'), this.options.proxies);
  }
}

function contextOf(surface: Surface, transport: RequestContext['transport'], client: Client): RequestContext {
  // A WebSocket outlives the request that opened it.
  if (transport === 'webSocket') void client.address;
  return { surface, transport, client };
}

/** For work that goes on after the connection may be gone: reads from it who called. */
export const rememberCaller = ({ client }: RequestContext): string => client.id;

const idOf = (address: string): string => `address:${addressGroup(address)}`;

/** A caller whose address is read from the connection when somebody asks for it first: most requests are let in without. */
class HeadClient implements Client {
  readonly apiKey: string | null;
  readonly #head: Pick<RequestHead, 'remoteAddress'>;
  readonly #forwardedFor: string;
  readonly #proxies: TrustedProxies;
  #id: string | null;
  #address: string | null = null;

  constructor(
    head: Pick<RequestHead, 'remoteAddress'>,
    forwardedFor: string,
    proxies: TrustedProxies,
    apiKey: string | null,
  ) {
    this.apiKey = apiKey;
    this.#head = head;
    this.#forwardedFor = forwardedFor;
    this.#proxies = proxies;
    this.#id = apiKey === null ? null : `key:${apiKey}`;
  }

  get id(): string {
    this.#id ??= idOf(this.address);
    return this.#id;
  }

  get address(): string {
    this.#address ??= clientAddress(this.#head.remoteAddress(), this.#forwardedFor, this.#proxies);
    return this.#address;
  }
}

const refused = (message: string): RpcError => new RpcError(message, { code: 'RPC_API_KEY_REFUSED' });

/** Other schemes of Authorization are a proxy's business. */
function keyOf(head: Pick<RequestHead, 'header'>): string | null {
  const own = head.header(keyHeader);
  if (own !== '') return own;
  return bearer.exec(head.header('authorization'))?.[1] ?? null;
}
