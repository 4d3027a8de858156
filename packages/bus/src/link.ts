import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { BusError } from './errors.ts';
import { allocateLinkMemory, ringMemory, type Side } from './layout.ts';

/** Bounds of a link. All have defaults; each side of a link has the same. */
export interface LinkLimits {
  /** Most bytes of one message, chunks together. Default 64 MiB. */
  readonly messageBytesMax: number;
  /** Most payload bytes that wait beside a full ring; at least messageBytesMax. Default 64 MiB. */
  readonly outboxBytesMax: number;
  /** Most messages that wait beside a full ring. Default 65536. */
  readonly outboxMessagesMax: number;
  /** Most requests of one side that are unanswered. Default 4096. */
  readonly unansweredMax: number;
  /** Deadline of requests that name none, in ms. Default 30000. */
  readonly deadlineMs: number;
}

/** What two threads agree on before they are joined; bounds that are left out take their defaults. */
export interface LinkOptions extends Partial<LinkLimits> {
  /** Shown in errors and metrics, `consensus-evm` for instance. */
  readonly name: string;
  /** Bytes of each ring, a power of two in 4096..2^30; one number for both, or by the side that writes. Default 1 MiB. */
  readonly ringBytes?: number | Readonly<Record<Side, number>>;
}

/** One end of a link, to be handed to a thread with its port in the transfer list ({@link linkTransferList}). */
export interface LinkDescriptor {
  readonly name: string;
  readonly side: Side;
  readonly memory: SharedArrayBuffer;
  /** Carries no messages but nudges: keeps the thread alive, wakes it, and tells when the other one is gone. */
  readonly port: MessagePort;
  readonly limits: LinkLimits;
}

/** A link as its maker sees it. `memory` stays readable after the ends are handed out: {@link readLinkCounters}. */
export interface Link {
  readonly name: string;
  readonly memory: SharedArrayBuffer;
  readonly a: LinkDescriptor;
  readonly b: LinkDescriptor;
}

const limitsDefault: LinkLimits = {
  messageBytesMax: 64 * 1024 * 1024,
  outboxBytesMax: 64 * 1024 * 1024,
  outboxMessagesMax: 65_536,
  unansweredMax: 4096,
  deadlineMs: 30_000,
};

/**
 * Makes a duplex link: two rings in shared memory and a pair of ports.
 *
 * @throws BusError `BUS_OPTIONS_INVALID`
 */
export function createLink(options: LinkOptions): Link {
  const { name, ringBytes = 1024 * 1024, ...overrides } = options;
  const limits = { ...limitsDefault, ...overrides };
  for (const [option, value] of Object.entries(limits)) {
    const least = option === 'outboxBytesMax' ? limits.messageBytesMax : 1;
    if (typeof value !== 'number' || !(value >= least))
      throw new BusError(`${option} of link ${name} must be at least ${least}, got ${value}`, {
        code: 'BUS_OPTIONS_INVALID',
        option,
        value,
      });
  }
  const memory = allocateLinkMemory(typeof ringBytes === 'number' ? { a: ringBytes, b: ringBytes } : ringBytes);
  const { port1, port2 } = new MessageChannel();
  return {
    name,
    memory,
    a: { name, side: 'a', memory, port: port1, limits },
    b: { name, side: 'b', memory, port: port2, limits },
  };
}

/** What must stand in the transfer list of the message that carries the descriptors. */
export const linkTransferList = (...descriptors: readonly LinkDescriptor[]): MessagePort[] =>
  descriptors.map((descriptor) => descriptor.port);

/** Counters of one direction since the link was made. */
export interface DirectionCounters {
  readonly messages: number;
  /** With headers and padding: what the ring carried. */
  readonly bytes: number;
  /** Most bytes that were in the ring at once. */
  readonly depthBytesMax: number;
  /** Messages refused with BUS_FULL. */
  readonly fullRejections: number;
  /** Most payload bytes that waited beside the full ring. */
  readonly outboxBytesMax: number;
  readonly messagesRead: number;
  /** How often the reader ran out of frames and slept. */
  readonly waits: number;
  /** Bytes in the ring now. */
  readonly depthBytes: number;
}

/** What {@link readLinkCounters} tells; each direction under the side that writes it. */
export type LinkCounters = Readonly<Record<Side, DirectionCounters>>;

/** Reads the counters of a link from any thread; a look at memory that does not disturb the sides. */
export const readLinkCounters = ({ memory }: Pick<Link, 'memory'>): LinkCounters => ({
  a: readDirection(memory, 'a'),
  b: readDirection(memory, 'b'),
});

function readDirection(memory: SharedArrayBuffer, side: Side): DirectionCounters {
  const { control, counters, places, words } = ringMemory(memory, side);
  // The reader's position first: the other way round a read in between would make the depth negative.
  const read = Atomics.load(control, words.read);
  const depthBytes = (Atomics.load(control, words.write) - read) >>> 0;
  return {
    messages: counters[places.messages]!,
    bytes: counters[places.bytes]!,
    depthBytesMax: counters[places.depthBytesMax]!,
    fullRejections: counters[places.fullRejections]!,
    outboxBytesMax: counters[places.outboxBytesMax]!,
    messagesRead: counters[places.messagesRead]!,
    waits: counters[places.waits]!,
    depthBytes,
  };
}
