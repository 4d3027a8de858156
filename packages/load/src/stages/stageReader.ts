import { LoadError } from '../errors.ts';
import { type ClockEstimate, ClockOffset } from './clockOffset.ts';
import { keepStamps, readStampPage, type TimedPage } from './stageEndpoint.ts';
import type { Stamp } from './stamps.ts';

/** A node whose stamps are read. */
export interface StagedNode {
  readonly name: string;
  /** Its admin endpoint. */
  readonly adminUrl: string;
  /** Of its home: with it stamps are switched on where they are off, and off again at the end. null takes what is there. */
  readonly token: (() => Promise<string>) | null;
}

/** Nodes whose stamps are read while a run goes on, and how often. */
export interface StageReaderOptions {
  readonly nodes: readonly StagedNode[];
  /** @param node index in `nodes` */
  readonly onStamps: (node: number, stamps: readonly Stamp[]) => void;
  /** Stamps that nodes are told to keep where a token is given. Default 262 144, 12 MB in each node */
  readonly stamps?: number;
  /** Between two readings of a node, ms. Default 2000: a ring holds what ten times as long brings at 20 000 operations a second, and reading costs the node, too */
  readonly intervalMs?: number;
}

/** What became of the reading of one node. */
export interface StagedNodeStanding {
  readonly name: string;
  /** `off`: it keeps no stamps, and was not told to or refused. `away`: it did not answer the last time. */
  readonly standing: 'read' | 'off' | 'away';
  /** Why nothing can be read, in words; null where it can, and where nobody asked for more. */
  readonly trouble: string | null;
  readonly stamps: number;
  /** Stamps that went out of its ring before they were read. */
  readonly lost: number;
  /** Rings that ended while they were read: what they still had is gone. */
  readonly rings: number;
  /** null before the first answer. */
  readonly clock: ClockEstimate | null;
}

/** Readings of a node from one question for its clock alone to the next: a short answer tells most of it, and each question costs the node some of what is measured. */
const clockReadings = 4;
/** Such questions before the first reading. */
const clockQuestions = 4;
const stampsDefault = 262_144;
const intervalMsDefault = 2_000;

/** Reads the rings of several nodes until it is stopped, each by itself: one that is gone for a while is asked again. */
export class StageReader {
  readonly #nodes: readonly NodeReading[];
  #running: Promise<unknown> | null = null;

  constructor(options: StageReaderOptions) {
    this.#nodes = options.nodes.map((_, index) => new NodeReading(options, index));
  }

  /** Looks at all nodes once, switches stamps on where they are off and a token is given, and reads from then on what is stamped later. */
  async start(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.begin()));
    this.#running = Promise.all(this.#nodes.map((node) => node.follow()));
  }

  /** Reads what is left, and switches off what was switched on. */
  async stop(): Promise<void> {
    for (const node of this.#nodes) node.end();
    await this.#running;
  }

  /** By node. */
  standings(): readonly StagedNodeStanding[] {
    return this.#nodes.map((node) => node.standing());
  }

  /** By node, how far its clock is ahead, ms; null where it is not known. */
  offsetsMs(): readonly (number | null)[] {
    return this.#nodes.map((node) => node.standing().clock?.offsetMs ?? null);
  }
}

class NodeReading {
  readonly #options: StageReaderOptions;
  readonly #index: number;
  readonly #node: StagedNode;
  readonly #clock = new ClockOffset();
  #standing: StagedNodeStanding['standing'] = 'away';
  #trouble: string | null = null;
  #after: string | null = null;
  #ring: string | null = null;
  #switchedOn = false;
  #readings = 0;
  readonly #counts = { stamps: 0, lost: 0, rings: 0 };
  #isEnded = false;
  #wake = (): void => undefined;

  constructor(options: StageReaderOptions, index: number) {
    this.#options = options;
    this.#index = index;
    this.#node = options.nodes[index]!;
  }

  /** Nothing that was stamped before is read. */
  async begin(): Promise<void> {
    await this.#attempt(async () => {
      let { page } = await this.#askClock();
      if (!page.isOn) await this.#switch();
      for (let question = 1; question < clockQuestions; question++) ({ page } = await this.#askClock());
      // What is there already is passed over: it is nobody's of this run.
      while (page.isOn && page.more) {
        this.#ring = page.ring;
        this.#after = page.next;
        ({ page } = await this.#ask(null));
      }
      if (page.isOn) [this.#ring, this.#after] = [page.ring, page.next];
    });
  }

  async follow(): Promise<void> {
    for (let isLast = false; !isLast; ) {
      await this.#pause();
      // Only a reading that begins after the end brings everything.
      isLast = this.#isEnded;
      await this.#attempt(() => this.#readAll());
    }
    if (!this.#switchedOn) return;
    await this.#attempt(async () => {
      await keepStamps(this.#node.adminUrl, await this.#token(), 0);
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  standing(): StagedNodeStanding {
    const { name } = this.#node;
    const clock = this.#clock.estimate();
    return { name, standing: this.#standing, trouble: this.#trouble, ...this.#counts, clock };
  }

  #pause(): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.intervalMs ?? intervalMsDefault);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** What a node does not answer, or answers wrongly, is its trouble and nobody else's. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.#standing === 'read') this.#trouble = null;
    } catch (error) {
      if (!(error instanceof LoadError)) throw error;
      this.#standing = error.code === 'LOAD_STAGES_REFUSED' ? 'off' : 'away';
      this.#trouble = error.message;
    }
  }

  async #readAll(): Promise<void> {
    if (this.#readings++ % clockReadings === clockReadings - 1) await this.#askClock();
    let { page } = await this.#ask(null);
    // A node that was started again has forgotten that it was told to.
    if (!page.isOn && !this.#isEnded && (await this.#switch())) ({ page } = await this.#ask(null));
    for (;;) {
      if (!page.isOn) return;
      if (this.#ring !== null && this.#ring !== page.ring) this.#counts.rings++;
      [this.#ring, this.#after] = [page.ring, page.next];
      this.#counts.lost += page.lost;
      this.#counts.stamps += page.stamps.length;
      if (page.stamps.length > 0) this.#options.onStamps(this.#index, page.stamps);
      if (!page.more) return;
      ({ page } = await this.#ask(null));
    }
  }

  /** @returns whether stamps are on by now */
  async #switch(): Promise<boolean> {
    if (this.#node.token === null) return false;
    await keepStamps(this.#node.adminUrl, await this.#token(), this.#options.stamps ?? stampsDefault);
    this.#switchedOn = true;
    return true;
  }

  /** Another one after each start of the node. */
  async #token(): Promise<string> {
    const { token, adminUrl: url, name } = this.#node;
    try {
      return (await token?.()) ?? '';
    } catch (cause) {
      const words = `the token of ${name} can not be read: ${(cause as Error).message}`;
      throw new LoadError(words, { code: 'LOAD_STAGES_REFUSED', url, status: 401 }, { cause });
    }
  }

  /** A short answer tells of the clock best. */
  #askClock(): Promise<TimedPage> {
    return this.#ask(0);
  }

  async #ask(limit: number | null): Promise<TimedPage> {
    const answer = await readStampPage(this.#node.adminUrl, this.#after, limit);
    this.#clock.add(answer.exchange);
    this.#standing = answer.page.isOn ? 'read' : 'off';
    return answer;
  }
}
