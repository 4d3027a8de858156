import type { Static } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { LoadError } from '../../errors.ts';
import {
  countLine,
  type FlowFate,
  flowFormat,
  type FlowHeader,
  type FlowLine,
  type FlowLineOf,
  type FlowOutcome,
  headerSchema,
  type LineKind,
  lineOfRef,
  lineSchemas,
  noCounts,
} from './flow.ts';

const ajv = new Ajv({ strictTuples: false, discriminator: false });
const validators = Object.fromEntries(
  Object.entries(lineSchemas).map(([kind, schema]) => [kind, ajv.compile<FlowLine>(schema)]),
) as { readonly [Kind in LineKind]: ValidateFunction<FlowLine> };
const isHeader = ajv.compile<Static<typeof headerSchema>>(headerSchema);

/**
 * Reads a recorded flow line by line: each line is checked by itself (fields and their types) and against those before it (number, time, accounts, markets,
 * orders that come later). Nothing of the lines is kept, so that a file may be of any length.
 *
 * @param lines without their ends
 * @throws LoadError `LOAD_FLOW_FORMAT`, `LOAD_FLOW_LINE`, `LOAD_FLOW_CUT`
 */
export async function* parseFlow(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<FlowLine> {
  let reader: FlowReader | null = null;
  for await (const text of lines) {
    if (reader === null) {
      const header = parseHeader(text);
      reader = new FlowReader(header);
      yield header;
    } else yield reader.line(text);
  }
  if (reader === null) throw formatError('the file is empty');
  reader.close();
}

function formatError(reason: string): LoadError {
  return new LoadError(`no recorded flow: ${reason}`, { code: 'LOAD_FLOW_FORMAT', reason });
}

function parseHeader(text: string): FlowHeader {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw formatError('the first line is no JSON');
  }
  const format = (value as { readonly format?: unknown } | null)?.format;
  if (format !== flowFormat)
    throw formatError(`the format is ${JSON.stringify(format) ?? 'not told'}, not "${flowFormat}"`);
  if (!isHeader(value)) throw formatError(wrongField(isHeader));
  if (value.line !== 1) throw formatError(`the header is line 1, not ${value.line}`);
  return value;
}

const wrongField = ({ errors }: ValidateFunction<unknown>): string => {
  // Of a union, the last error says that none fits, and the ones before it why; the deepest one is nearest to what was meant.
  const deepest = (errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  return deepest === undefined
    ? 'not allowed'
    : `${deepest.instancePath.slice(1) || 'the line'} ${deepest.message ?? ''}`;
};

/** Checks what a single line can not say. */
class FlowReader {
  readonly #counts = noCounts();
  readonly #markets: ReadonlySet<number>;
  #line = 1;
  #ms = 0;
  #hasBegun = false;
  #end: FlowLineOf<'end'> | null = null;

  constructor(header: FlowHeader) {
    countLine(this.#counts, header);
    this.#markets = new Set(header.markets.map(({ market }) => market));
    if (this.#markets.size !== header.markets.length) throw formatError('a market is there twice');
  }

  line(text: string): FlowLine {
    this.#line++;
    if (this.#end !== null) this.#refuse('behind the last line');
    const line = this.#parse(text);
    if (line.line !== this.#line) this.#refuse(`numbered ${line.line}: lines are missing, or not in their order`);
    this.#check(line);
    countLine(this.#counts, line);
    return line;
  }

  /** The file has ended. */
  close(): void {
    if (this.#end === null) this.#cut('the last line is missing');
  }

  #parse(text: string): FlowLine {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#refuse('no JSON');
    }
    const kind = (value as { readonly kind?: unknown } | null)?.kind;
    if (typeof kind !== 'string' || !Object.hasOwn(validators, kind) || kind === 'flow')
      return this.#refuse(`of no known kind: ${JSON.stringify(kind) ?? 'none is told'}`);
    const validate = validators[kind as LineKind];
    return validate(value) ? value : this.#refuse(wrongField(validate));
  }

  #check(line: FlowLine): void {
    switch (line.kind) {
      case 'flow':
        return;
      case 'account':
        if (line.account !== this.#counts.accounts)
          this.#refuse(`account ${line.account}, the next one is ${this.#counts.accounts}`);
        return;
      case 'earlier':
        if (this.#hasBegun) this.#refuse('an earlier order behind operations');
        this.#known(line.account);
        return this.#traded(line.order.market);
      case 'end':
        return this.#checkEnd(line);
      default:
        this.#hasBegun = true;
        if (line.ms < this.#ms) this.#refuse(`at ${line.ms} ms, behind one at ${this.#ms} ms`);
        this.#ms = line.ms;
        return this.#checkOperation(line);
    }
  }

  #checkOperation(line: FlowLineOf<'action' | 'transaction' | 'contract' | 'network'>): void {
    if (line.kind === 'transaction') {
      for (const account of [line.account, line.to, line.outcome.created ?? null])
        if (account !== null) this.#known(account);
      return;
    }
    if (line.kind !== 'network') {
      this.#known(line.account);
      if (line.action !== null) this.#checkAction(line.action);
    }
    if (line.kind === 'action' && line.by !== undefined) this.#known(line.by);
    this.#checkOutcome(line.outcome);
  }

  #checkAction(action: NonNullable<FlowLineOf<'action' | 'contract'>['action']>): void {
    if (action.type === 'batch') for (const item of action.items) this.#checkAction(item);
    if ('order' in action && action.order !== null) this.#before(action.order);
    for (const name of ['to', 'agent', 'of'] as const)
      if (name in action) this.#known((action as Record<string, unknown>)[name] as number);
    // What was refused may have named a market that never was.
  }

  #checkOutcome({ fills = [], removed = [], reduced = [], takers = [], items = [], placed }: FlowOutcome): void {
    for (const { market, maker, taker } of fills) {
      this.#traded(market);
      this.#before(maker);
      this.#before(taker);
    }
    for (const { order, account, market } of [...removed, ...reduced, ...takers]) {
      this.#before(order);
      this.#known(account);
      this.#traded(market);
    }
    for (const fate of [{ placed }, ...items] as FlowFate[])
      if (fate.placed !== undefined) this.#traded(fate.placed.market);
  }

  #checkEnd(end: FlowLineOf<'end'>): void {
    this.#end = end;
    const counted = { ...this.#counts, lines: this.#line };
    for (const name of Object.keys(counted) as (keyof typeof counted)[])
      if (end.totals[name] !== counted[name])
        this.#cut(`${name}: the last line counts ${end.totals[name]}, there are ${counted[name]}`);
  }

  #known(account: number): void {
    if (account >= this.#counts.accounts) this.#refuse(`account ${account} was not introduced`);
  }

  #traded(market: number): void {
    if (!this.#markets.has(market)) this.#refuse(`market ${market} is not in the header`);
  }

  #before(order: string): void {
    if (lineOfRef(order) > this.#line) this.#refuse(`order ${order} comes later`);
  }

  #refuse(reason: string): never {
    throw new LoadError(`line ${this.#line}: ${reason}`, { code: 'LOAD_FLOW_LINE', line: this.#line, reason });
  }

  #cut(reason: string): never {
    throw new LoadError(`the flow was cut: ${reason}`, { code: 'LOAD_FLOW_CUT', line: this.#line, reason });
  }
}
