/** Between two samples of a CPU profile, µs: an odd number, so that nothing that happens each millisecond is met each time. */
export const sampleMicros = 997;

/** A frame of a stack, innermost first. */
export interface Frame {
  readonly name: string;
  /** File of a script, or of a library or program of the system; empty where nothing is known. */
  readonly file: string;
}

/** Stacks and how often each was met, or for how long. */
export interface Stacks {
  readonly thread: string;
  readonly stacks: readonly { readonly frames: readonly Frame[]; readonly weight: number }[];
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Stacks of a profile of V8 (`.cpuprofile`) by time in µs, idle time left out. */
export function stacksOfCpuProfile(thread: string, { nodes, samples, timeDeltas }: CpuProfile): Stacks {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const weights = new Map<number, number>();
  samples.forEach((id, index) => weights.set(id, (weights.get(id) ?? 0) + timeDeltas[index]!));
  const framesOf = (leaf: number): Frame[] => {
    const frames: Frame[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const { functionName, url } = byId.get(id)!.callFrame;
      if (functionName !== '(root)')
        frames.push({ name: functionName === '' ? '(anonymous)' : functionName, file: url });
    }
    return frames;
  };
  const stacks = [...weights].map(([id, weight]) => ({ frames: framesOf(id), weight }));
  return { thread, stacks: stacks.filter(({ frames }) => frames.length > 0 && frames[0]!.name !== '(idle)') };
}

const header = /^(\d+)(?:\/(\d+))?\s*$/;
const frameLine = /^\s+[0-9a-f]+ (.*) \((.*)\)$/;

/** Text of `perf script -F tid,ip,sym,dso` as stacks by thread of the system, one for each sample. */
export function stacksOfPerf(text: string): ReadonlyMap<number, readonly (readonly Frame[])[]> {
  const threads = new Map<number, (readonly Frame[])[]>();
  for (const block of text.split('\n\n')) {
    const [first = '', ...lines] = block.trimStart().split('\n');
    const found = header.exec(first.trim());
    if (found === null) continue;
    const thread = Number(found[2] ?? found[1]);
    const frames = lines.flatMap((line): Frame[] => {
      const parts = frameLine.exec(line);
      return parts === null ? [] : [{ name: parts[1]!, file: parts[2]! }];
    });
    if (frames.length === 0) continue;
    const known = threads.get(thread) ?? [];
    known.push(frames);
    threads.set(thread, known);
  }
  return threads;
}
