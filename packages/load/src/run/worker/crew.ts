import { cpus } from 'node:os';
import { LoadError } from '../../errors.ts';
import type { Announced, Assignment, FromWorker, Outcomes, Pace } from './messages.ts';
import type { WorkerLink, WorkerLinkEvents } from './workerLink.ts';

/** What a crew tells while it works. */
export interface CrewEvents {
  readonly onAnnounced: (worker: number, announced: Announced) => void;
  /** @param offsetMs what has to be added to the worker's times of this run */
  readonly onOutcomes: (worker: number, outcomes: Outcomes, offsetMs: number) => void;
  readonly onDeath: (worker: number, words: string) => void;
}

interface Member {
  readonly link: WorkerLink;
  died: string | null;
  offsetMs: number;
  sent: number;
  latestMs: number;
  cpuSeconds: number;
}

/** What a member was like, for the report. */
export interface MemberSummary {
  readonly name: string;
  readonly sent: number;
  readonly latestMs: number;
  readonly cpuSeconds: number;
  /** Why it is gone; null while it works. */
  readonly died: string | null;
}

type Opener = (events: WorkerLinkEvents) => WorkerLink | Promise<WorkerLink>;

/** All workers of a run. One that dies is missing from then on; the others go on. */
export class Crew {
  readonly #members: Member[] = [];
  readonly #events: CrewEvents;
  readonly #nowMs: () => number;
  /** Who still has to say a word before all of them have. */
  #awaited: { readonly type: FromWorker['type']; readonly left: Set<number>; readonly resolve: () => void } | null =
    null;
  /** When the run was asked for: its times count from here. */
  #beganMs = 0;

  private constructor(events: CrewEvents, nowMs: () => number) {
    this.#events = events;
    this.#nowMs = nowMs;
  }

  /** @throws LoadError `LOAD_WORKER_UNREACHABLE` when one of them is not there */
  static async open(openers: readonly Opener[], events: CrewEvents, nowMs: () => number): Promise<Crew> {
    const crew = new Crew(events, nowMs);
    try {
      for (const [index, open] of openers.entries()) {
        const link = await open({
          onMessage: (message) => crew.#take(index, message),
          onEnd: (words) => crew.#bury(index, words),
        });
        crew.#members.push({ link, died: null, offsetMs: 0, sent: 0, latestMs: 0, cpuSeconds: 0 });
      }
      return crew;
    } catch (error) {
      crew.close();
      throw error;
    }
  }

  get size(): number {
    return this.#members.length;
  }

  /** Workers that live. */
  get alive(): number {
    return this.#members.filter(({ died }) => died === null).length;
  }

  /** Gives each its part and waits until all are connected. */
  async prepare(assignmentOf: (worker: number) => Assignment): Promise<void> {
    await this.#ask('prepared', (worker) => ({ type: 'prepare', assignment: assignmentOf(worker) }));
  }

  /** Has each sign so many operations ahead. */
  async sign(operationsEach: number): Promise<void> {
    await this.#ask('signed', () => ({ type: 'sign', operations: operationsEach }));
  }

  /** @returns when it began, ms of this process; and its end, when all that was due has an outcome or its worker is gone */
  run(pace: Pace): { readonly beganMs: number; readonly ended: Promise<void> } {
    this.#beganMs = this.#nowMs();
    const ended = this.#ask('ended', () => ({ type: 'run', pace }));
    ended.catch(() => undefined);
    return { beganMs: this.#beganMs, ended };
  }

  /** Nothing more becomes due. */
  stop(): void {
    for (const { link, died } of this.#members) if (died === null) link.send({ type: 'stop' });
  }

  get summaries(): MemberSummary[] {
    return this.#members.map(({ link, died, sent, latestMs, cpuSeconds }) => ({
      name: link.name,
      sent,
      latestMs,
      cpuSeconds,
      died,
    }));
  }

  close(): void {
    for (const { link, died } of this.#members) if (died === null) link.close();
  }

  async #ask(type: FromWorker['type'], message: (worker: number) => Parameters<WorkerLink['send']>[0]): Promise<void> {
    const left = new Set(this.#members.flatMap(({ died }, index) => (died === null ? [index] : [])));
    if (left.size === 0) throw noWorkerLeft(this.#members);
    await new Promise<void>((resolve) => {
      this.#awaited = { type, left, resolve };
      for (const worker of left) this.#members[worker]!.link.send(message(worker));
    });
    if (this.alive === 0) throw noWorkerLeft(this.#members);
  }

  #take(worker: number, message: FromWorker): void {
    const member = this.#members[worker];
    if (member === undefined || member.died !== null) return;
    switch (message.type) {
      case 'announced':
        return this.#events.onAnnounced(worker, message);
      case 'begun':
        // Somewhere between what was said and what is heard; times of the run count from the former.
        member.offsetMs = (this.#nowMs() - this.#beganMs) / 2;
        return;
      case 'outcomes':
        member.sent += message.kinds.reduce((sum, { sent }) => sum + sent, 0);
        member.latestMs = Math.max(member.latestMs, message.latestMs);
        member.cpuSeconds = message.cpuSeconds;
        return this.#events.onOutcomes(worker, message, member.offsetMs);
      case 'failed':
        return this.#bury(worker, message.words);
      default:
        return this.#heard(worker, message.type);
    }
  }

  #heard(worker: number, type: FromWorker['type']): void {
    const awaited = this.#awaited;
    if (awaited === null || awaited.type !== type) return;
    awaited.left.delete(worker);
    if (awaited.left.size > 0) return;
    this.#awaited = null;
    awaited.resolve();
  }

  #bury(worker: number, words: string): void {
    const member = this.#members[worker];
    if (member === undefined || member.died !== null) return;
    member.died = words;
    member.link.close();
    this.#events.onDeath(worker, words);
    const awaited = this.#awaited;
    if (awaited !== null) this.#heard(worker, awaited.type);
  }
}

const noWorkerLeft = (members: readonly Member[]): LoadError => {
  const words = members.map(({ link, died }) => `${link.name}: ${died}`).join('; ');
  return new LoadError(`no worker is left: ${words}`, { code: 'LOAD_NO_WORKER', workers: members.length });
};

/** Local workers when nobody says how many: half of the processors are for the network, where it is on the same machine. */
export const usualWorkers = (): number => Math.max(1, Math.min(4, Math.floor(cpus().length / 2)));
