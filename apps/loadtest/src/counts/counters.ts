/** What is counted in a node, over all of its threads: costs that depend on the code and not on the machine. */
export const counterNames = [
  /** Public keys recovered from signatures. */
  'recoveries',
  /** Calls of an RLP decoder, the library's or ours; one within another one is part of it. */
  'decodings',
  /** The same for encoders. */
  'encodings',
  /** Records put into databases or removed. */
  'records',
  /** Bytes of keys and values of records, and bytes written to files of the node's own. */
  'bytes',
  'keccaks',
] as const;
/** One of {@link counterNames}. */
export type CounterName = (typeof counterNames)[number];
/** Counts since the node began. */
export type Counts = Readonly<Record<CounterName, number>>;

/** Variable that names the file which a counted process writes its counts to: at SIGUSR2, and when it ends. */
export const countsFile = 'COUNTS_FILE';

/** What is counted in a thread, for modules whose functions are wrapped where they are loaded. */
export interface ThreadCounters {
  add(counter: CounterName, amount: number): void;
  /** Runs a function and counts the call, unless it is within another one of the same name. */
  outermost<T>(counter: CounterName, run: () => T): T;
}

/** Name in the global object under which the wrapped functions find it. */
export const globalName = 'countersOfThread';
