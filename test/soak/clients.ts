import { setTimeout as delay } from 'node:timers/promises';
import type { Asked, JsonError } from '@prime/audit';
import type { Prng } from '@prime/primitives';
import { Pool } from 'undici';
import { JsonSocket } from './jsonSocket.ts';
import { allValidators, SoakFault, type SoakNetwork } from './soakNetwork.ts';

export interface JsonAnswer {
  readonly result?: unknown;
  readonly error?: JsonError;
}

const limitExceeded = -32005;
const backPressureMs = { first: 50, most: 2_000 } as const;
/** A node that refuses for so long without a break does not serve. */
const refusalsMax = 300;
/** HTTP connections to one node at most: each request that waits has one. */
const connections = 2_048;

/** Clients of all validators: over HTTP and WebSocket, slower when they are told to, and with another node when theirs is gone. */
export class Clients {
  /** Everything that actions were answered since {@link takeAsked}. */
  #asked: Asked[] = [];
  readonly #network: SoakNetwork;
  readonly #random: Prng;
  readonly #pools: readonly Pool[];
  readonly #sockets = new Map<number, Promise<JsonSocket>>();
  #turn = 0;
  /** Answers by transport, and refusals for load that were waited out. */
  readonly counts = { http: 0, webSocket: 0, lost: 0, backPressure: 0 };

  constructor(network: SoakNetwork, random: Prng) {
    this.#network = network;
    this.#random = random;
    const options = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
    this.#pools = network.testnet.urls().map((url) => new Pool(url, options));
  }

  /** Asks one of the validators that run, over HTTP or WebSocket. @param node when it has to be this one */
  async ask(method: string, params: readonly unknown[], node?: number): Promise<Asked> {
    for (let refusals = 0; ; refusals++) {
      const to = node ?? this.#next();
      const outcome = await this.#network.guarded(this.#outcome(to, method, params));
      if (outcome.kind === 'refused' && outcome.error.code === limitExceeded && refusals < refusalsMax) {
        this.counts.backPressure++;
        await delay(Math.min(backPressureMs.most, backPressureMs.first * 2 ** Math.min(refusals, 10)));
        continue;
      }
      const asked = { method, params, outcome };
      if (outcome.kind === 'lost') this.counts.lost++;
      if (method.startsWith('primeorders_') || method.startsWith('primebridge_')) this.#asked.push(asked);
      return asked;
    }
  }

  /** What a read answers; asked again, elsewhere unless a node is named, until there is an answer. @throws SoakFault for a refusal */
  async read<Result>(method: string, params: readonly unknown[] = [], node?: number): Promise<Result> {
    for (;;) {
      const { outcome } = await this.ask(method, params, node);
      if (outcome.kind === 'result') return outcome.result as Result;
      if (outcome.kind === 'refused') throw new SoakFault(`${method} ${textOf(params)}: ${textOf(outcome.error)}`);
      await delay(backPressureMs.first);
    }
  }

  /** All of them, so many at once. */
  async all(
    calls: readonly (readonly [method: string, params: readonly unknown[]])[],
    width: number,
  ): Promise<Asked[]> {
    const answers: Asked[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < calls.length) {
        const index = next++;
        const [method, params] = calls[index]!;
        answers[index] = await this.ask(method, params);
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, calls.length) }, worker));
    return answers;
  }

  takeAsked(): Asked[] {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }

  /** Connections that would stand idle meanwhile. */
  async rest(): Promise<void> {
    for (const socket of this.#sockets.values())
      await socket.then(
        (open) => open.close(),
        () => undefined,
      );
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    await this.rest();
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }

  #next(): number {
    const { up } = this.#network;
    return up[this.#turn++ % Math.max(1, up.length)] ?? allValidators[0]!;
  }

  async #outcome(node: number, method: string, params: readonly unknown[]): Promise<Asked['outcome']> {
    try {
      const viaSocket = this.#random.chance(1, 3);
      const { result, error } = viaSocket
        ? await (await this.#socket(node)).call(method, params)
        : await this.#post(node, method, params);
      this.counts[viaSocket ? 'webSocket' : 'http']++;
      if (error === undefined) return { kind: 'result', result };
      const reason = (error.data as { reason?: unknown } | undefined)?.reason;
      return reason === 'outcome_unknown' ? { kind: 'lost', reason: error.message } : { kind: 'refused', error };
    } catch (error) {
      return { kind: 'lost', reason: String(error) };
    }
  }

  async #post(node: number, method: string, params: readonly unknown[]): Promise<JsonAnswer> {
    const { body } = await this.#pools[node]!.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await body.json()) as JsonAnswer;
  }

  async #socket(node: number): Promise<JsonSocket> {
    const opening = this.#sockets.get(node);
    const known = await opening?.catch(() => null);
    if (known !== undefined && known !== null && !known.closed) return known;
    // Whoever comes first opens it for all that found the old one gone.
    if (this.#sockets.get(node) === opening) this.#sockets.set(node, JsonSocket.open(this.#network.testnet.url(node)));
    return this.#sockets.get(node)!;
  }
}

const textOf = (value: unknown): string => JSON.stringify(value);
export const hex = (value: number | bigint): `0x${string}` => `0x${value.toString(16)}`;
