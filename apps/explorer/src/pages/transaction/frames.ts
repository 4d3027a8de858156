type Hex = `0x${string}`;

/** A call as callTracer shows it. */
export interface TraceFrame {
  readonly type: string;
  readonly from: Hex;
  readonly to?: Hex;
  readonly value?: Hex;
  readonly gasUsed: Hex;
  readonly input: Hex;
  readonly output?: Hex;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly TraceFrame[];
}

/** A call of a trace, with how deep it lies. */
export interface ShownFrame {
  readonly frame: TraceFrame;
  /** 0 is the transaction's own call. */
  readonly depth: number;
}

/** Calls in the order in which they were made, at most `max`. */
export function flatten(
  root: TraceFrame,
  max: number,
): { readonly shown: readonly ShownFrame[]; readonly more: number } {
  const shown: ShownFrame[] = [];
  let count = 0;
  const waiting: ShownFrame[] = [{ frame: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count++;
    if (shown.length < max) shown.push(next);
    for (const frame of (next.frame.calls ?? []).toReversed()) waiting.push({ frame, depth: next.depth + 1 });
  }
  return { shown, more: count - shown.length };
}
