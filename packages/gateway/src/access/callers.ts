import { type Client, type RequestContext, RpcError, type Surface } from '@prime/rpc';
import type { RequestHead } from '../httpServer.ts';
import type { ApiKeys } from './apiKeys.ts';
import { addressGroup, clientAddress, isLoopback, type TrustedProxies } from './clientAddress.ts';

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
    const key = keyOf(head);
    if (key !== null) {
      const grant = keys.find(key);
      if (grant === null) throw refused('unknown API key');
      if (surface === 'operator' && !grant.operator) throw refused(`API key ${grant.name} does not open this surface`);
      return { surface, transport, client: { id: `key:${grant.name}`, apiKey: grant.name } };
    }
    const forwardedFor = head.header('x-forwarded-for');
    if (surface === 'public' && access === 'open' && transport === 'http')
      return { surface, transport, client: new AddressedClient(head, forwardedFor, proxies) };
    const address = clientAddress(head.remoteAddress(), forwardedFor, proxies);
    // A caller that came through a proxy which nobody vouches for is not on this machine.
    const isLocal = isLoopback(address) && (forwardedFor === '' || proxies.has(address));
    if (surface === 'operator' ? !isLocal : access === 'keys')
      throw refused('an API key is required: Authorization: Bearer <key>, or X-Api-Key: <key>');
    return { surface, transport, client: { id: idOf(address), apiKey: null } };
  }
}

/** For work that goes on after the connection may be gone: reads from it who called. */
export const rememberCaller = ({ client }: RequestContext): string => client.id;

const idOf = (address: string): string => `address:${addressGroup(address)}`;

/** A caller whose address nobody needs to let the request in: it is read from the connection when somebody asks for it first. */
class AddressedClient implements Client {
  readonly apiKey = null;
  readonly #head: Pick<RequestHead, 'remoteAddress'>;
  readonly #forwardedFor: string;
  readonly #proxies: TrustedProxies;
  #id: string | null = null;

  constructor(head: Pick<RequestHead, 'remoteAddress'>, forwardedFor: string, proxies: TrustedProxies) {
    this.#head = head;
    this.#forwardedFor = forwardedFor;
    this.#proxies = proxies;
  }

  get id(): string {
    this.#id ??= idOf(clientAddress(this.#head.remoteAddress(), this.#forwardedFor, this.#proxies));
    return this.#id;
  }
}

const refused = (message: string): RpcError => new RpcError(message, { code: 'RPC_API_KEY_REFUSED' });

/** Other schemes of Authorization are a proxy's business. */
function keyOf(head: Pick<RequestHead, 'header'>): string | null {
  const own = head.header(keyHeader);
  if (own !== '') return own;
  return bearer.exec(head.header('authorization'))?.[1] ?? null;
}
