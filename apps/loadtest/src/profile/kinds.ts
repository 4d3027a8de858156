import type { Frame } from './files.ts';

/** What processor time is spent for. */
export const kinds = [
  'GC',
  'malloc',
  'compiler',
  'kernel',
  'crypto',
  'EVM',
  'trie',
  'disk',
  'codec',
  'bus',
  'consensus',
  'order book',
  'gateway',
  'other',
] as const;
/** One of {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** Symbols of the system and of Node.js, which say it whoever called them. */
const byNativeName: readonly (readonly [RegExp, Kind])[] = [
  [/ArrayBufferSweeper|BackingStore|ArrayBufferExtension|JSArrayBuffer::(Setup|Attach)/, 'malloc'],
  [
    /^(_int_|__libc_)?(malloc|free|calloc|realloc|memalign)|malloc_consolidate|unlink_chunk|^sysmalloc|^arena_|^tcache|_int_(free|malloc)/,
    'malloc',
  ],
  [
    /v8::internal::compiler|TurboFan|Turboshaft|Maglev|Sparkplug|Baseline|(Interpreter|Optimized)Compil|v8::internal::(Parser|interpreter::Bytecode|Compiler)/,
    'compiler',
  ],
  [
    /Scaveng|MarkCompact|MarkingVisitor|ConcurrentMark|MainMarking|IncrementalMark|Sweeper|Evacuat|v8::internal::(Heap|Marking|GCTracer|Pointer|Remembered|Slot|PagedSpace|NewSpace|LocalHeap|MinorMark)|GarbageCollect|WeakObject|\(garbage collector\)/,
    'GC',
  ],
  [/leveldb|snappy/i, 'disk'],
  [/secp256k1|keccak|Hash_(Init|Update|Final)/i, 'crypto'],
];

const byFile: readonly (readonly [RegExp, Kind])[] = [
  [/kernel\.kallsyms|\[vdso\]|^\[kernel\]/, 'kernel'],
  [/secp256k1|hash-wasm|packages\/crypto\/|@noble\/|^wasm:|node_modules\/ethereum-cryptography/, 'crypto'],
  [/classic-level|packages\/storage\/|abstract-level|level-transcoder/, 'disk'],
  [
    /packages\/evm\/dist\/trie\/|packages\/evm\/dist\/state\/(stateTrie|nodeRecords|trieSource)|@ethereumjs\/mpt/,
    'trie',
  ],
  [/packages\/codec\/|@ethereumjs\/(rlp|tx)\/|msgpackr/, 'codec'],
  [/packages\/bus\//, 'bus'],
  [/packages\/evm\/|@ethereumjs\//, 'EVM'],
  [/packages\/clob\/|packages\/bridge\//, 'order book'],
  [/packages\/(engine|consensus|mempool|network)\//, 'consensus'],
  [/packages\/(gateway|rpc)\/|uWebSockets/, 'gateway'],
];

/**
 * Kind of a stack: the innermost frame that tells it. What the language itself does (a copy, a map, a number's arithmetic) counts for who asked.
 *
 * @param frames innermost first
 */
export function kindOf(frames: readonly Frame[]): Kind {
  for (const { name, file } of frames) {
    const native = byNativeName.find(([pattern]) => pattern.test(name));
    if (native !== undefined && !file.startsWith('file:')) return native[1];
    const found = byFile.find(([pattern]) => pattern.test(file));
    if (found !== undefined) return found[1];
  }
  return 'other';
}

/** Stacks of one thread, each with its weight. */
type Weighed = readonly { readonly frames: readonly Frame[]; readonly weight: number }[];

/** Kinds that V8 can not tell from the script that they happen under. */
const native: ReadonlySet<Kind> = new Set(['GC', 'malloc', 'compiler', 'kernel']);

/**
 * Shares of a thread's time, 1 together. V8 knows scripts, and perf what happens below them: where there are samples of both, GC, malloc, compiler and kernel are
 * perf's, and V8 shares out the rest. Without any sample all of it is `other`.
 */
export function sharesOf(v8: Weighed, perf: readonly (readonly Frame[])[]): ReadonlyMap<Kind, number> {
  const below = shares(perf.map((frames) => ({ frames, weight: 1 })));
  if (v8.length === 0) return below.size === 0 ? new Map([['other', 1]]) : below;
  if (below.size === 0) return shares(v8);
  const scripts = shares(v8.filter(({ frames }) => frames[0]!.name !== '(program)' && !native.has(kindOf(frames))));
  const mixed = new Map([...below].filter(([kind]) => native.has(kind)));
  const rest = 1 - [...mixed.values()].reduce((sum, share) => sum + share, 0);
  if (scripts.size === 0) return below;
  for (const [kind, share] of scripts) mixed.set(kind, share * rest);
  return mixed;
}

function shares(samples: Weighed): Map<Kind, number> {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Map<Kind, number>();
  for (const { frames, weight } of samples) {
    const kind = kindOf(frames);
    found.set(kind, (found.get(kind) ?? 0) + weight / total);
  }
  return found;
}
