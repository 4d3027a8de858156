import { createPrng } from '@prime/primitives';
import { LinkProxy } from './linkProxy.ts';
import { type LinkRule, plainLink } from './shape.ts';

/** Where the validators are, and what chance of the links is drawn from. */
export interface MeshOptions {
  /** Where each validator listens for peers. */
  readonly p2pPorts: readonly number[];
  /** First port of the proxies; null lets the system choose each. */
  readonly firstPort: number | null;
  readonly seed: number;
  /** What each link is like while nothing is done to it; default: it is not felt. */
  readonly usual?: (link: DirectedLink) => LinkRule;
}

interface DirectedLink {
  readonly from: number;
  readonly to: number;
}

/** A proxy for each ordered pair of validators, and the rules of all directed links. */
export class LinkMesh {
  readonly #proxies = new Map<string, LinkProxy>();
  readonly #ports = new Map<string, number>();
  readonly #rules = new Map<string, LinkRule>();
  readonly #usual: (link: DirectedLink) => LinkRule;

  private constructor(usual: (link: DirectedLink) => LinkRule) {
    this.#usual = usual;
  }

  static async open(options: MeshOptions): Promise<LinkMesh> {
    const mesh = new LinkMesh(options.usual ?? (() => plainLink));
    const prng = createPrng(options.seed);
    const { p2pPorts, firstPort } = options;
    let count = 0;
    for (const dialler of p2pPorts.keys())
      for (const [listener, targetPort] of p2pPorts.entries()) {
        if (dialler === listener) continue;
        const own = prng.fork();
        const proxy = new LinkProxy({
          listenPort: firstPort === null ? 0 : firstPort + count++,
          targetPort,
          forwards: () => mesh.rule({ from: dialler, to: listener }),
          backwards: () => mesh.rule({ from: listener, to: dialler }),
          random: () => own.next() / 2 ** 32,
        });
        mesh.#proxies.set(keyOf({ from: dialler, to: listener }), proxy);
        mesh.#ports.set(keyOf({ from: dialler, to: listener }), await proxy.open());
      }
    return mesh;
  }

  /** Where a validator dials another one. */
  port(link: DirectedLink): number {
    const port = this.#ports.get(keyOf(link));
    if (port === undefined) throw new RangeError(`there is no link ${keyOf(link)}`);
    return port;
  }

  rule(link: DirectedLink): LinkRule {
    return this.#rules.get(keyOf(link)) ?? this.#usual(link);
  }

  /** Changes what is named of the rules of these links, and leaves the rest as it is. */
  change(links: readonly DirectedLink[], change: Partial<LinkRule>): void {
    for (const link of links) this.#rules.set(keyOf(link), { ...this.rule(link), ...change });
    this.#refresh(links);
  }

  /** Makes these parts of the rules what they usually are. */
  restore(links: readonly DirectedLink[], parts: readonly (keyof LinkRule)[]): void {
    for (const link of links) {
      const usual = this.#usual(link);
      const back = Object.fromEntries(parts.map((part) => [part, usual[part]]));
      this.#rules.set(keyOf(link), { ...this.rule(link), ...back });
    }
    this.#refresh(links);
  }

  /** Ends the connections that carry these links. */
  reset(links: readonly DirectedLink[]): void {
    const proxies = new Set(links.flatMap(({ from, to }) => this.#ofPair(from, to)));
    for (const proxy of proxies) proxy.reset();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.close()));
  }

  #refresh(links: readonly DirectedLink[]): void {
    for (const { from, to } of links) for (const proxy of this.#ofPair(from, to)) proxy.refresh();
  }

  #ofPair(a: number, b: number): LinkProxy[] {
    return [
      { from: a, to: b },
      { from: b, to: a },
    ].flatMap((link) => this.#proxies.get(keyOf(link)) ?? []);
  }
}

const keyOf = ({ from, to }: DirectedLink): string => `${from} ${to}`;
