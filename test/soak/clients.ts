import { setTimeout as delay } from 'node:timers/promises';
import type { Asked, JsonError } from '@prime/audit';
import { LoadError, SocketCalls } from '@prime/load';
import { rpc, RpcError } from '@prime/load/rpc';
import type { Prng } from '@prime/primitives';
import { allValidators, SoakFault, type SoakNetwork } from './soakNetwork.ts';

const limitExceeded = -32005;
const backPressureMs = { first: 50, most: 2_000 } as const;
/** A node that refuses for so long without a break does not serve. */
const refusalsMax = 300;
/** For a whole answer: longer than a node is paused, ms. */
const answerMsMax = 600_000;

/** Clients of all validators: over HTTP and WebSocket, slower when they are told to, and with another node when theirs is gone. */
export class Clients {
  /** Everything that actions were answered since {@link takeAsked}. */
  #asked: Asked[] = [];
  readonly #network: SoakNetwork;
  readonly #random: Prng;
  readonly #sockets = new Map<number, Promise<SocketCalls>>();
  #turn = 0;
  /** Answers by transport, and refusals for load that were waited out. */
  readonly counts = { http: 0, webSocket: 0, lost: 0, backPressure: 0 };

  constructor(network: SoakNetwork, random: Prng) {
    this.#network = network;
    this.#random = random;
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

  #next(): number {
    const { up } = this.#network;
    return up[this.#turn++ % Math.max(1, up.length)] ?? allValidators[0]!;
  }

  async #outcome(node: number, method: string, params: readonly unknown[]): Promise<Asked['outcome']> {
    const viaSocket = this.#random.chance(1, 3);
    const counted = (): unknown => this.counts[viaSocket ? 'webSocket' : 'http']++;
    try {
      const url = this.#network.testnet.url(node);
      const result = viaSocket
        ? await (await this.#socket(node)).call(method, params)
        : await rpc(url, method, params, answerMsMax);
      counted();
      return { kind: 'result', result };
    } catch (error) {
      const refused = errorObjectOf(error);
      if (refused === null) return { kind: 'lost', reason: String(error) };
      counted();
      const reason = (refused.data as { reason?: unknown } | undefined)?.reason;
      return reason === 'outcome_unknown'
        ? { kind: 'lost', reason: refused.message }
        : { kind: 'refused', error: refused };
    }
  }

  async #socket(node: number): Promise<SocketCalls> {
    const opening = this.#sockets.get(node);
    const known = await opening?.catch(() => null);
    if (known !== undefined && known !== null && !known.isOver) return known;
    // Whoever comes first opens it for all that found the old one gone.
    if (this.#sockets.get(node) === opening)
      this.#sockets.set(node, SocketCalls.open({ url: socketUrlOf(this.#network.testnet.url(node)) }));
    return this.#sockets.get(node)!;
  }
}

/** What a node refused with, over either transport; null for what is no answer. */
function errorObjectOf(error: unknown): JsonError | null {
  if (error instanceof RpcError) return { code: error.code, message: error.words, data: error.data };
  if (!(error instanceof LoadError) || error.detail.code !== 'LOAD_CALL_REFUSED') return null;
  const { rpcCode: code, words: message, data } = error.detail;
  return { code, message, data };
}

export const socketUrlOf = (url: string): string => url.replace(/^http/, 'ws');
const textOf = (value: unknown): string => JSON.stringify(value);
export const hex = (value: number | bigint): `0x${string}` => `0x${value.toString(16)}`;
