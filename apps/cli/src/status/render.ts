import type { VotesStanding } from '@prime/sdk';
import { formatDuration, formatInteger, formatPercent, quorumOf } from '@prime/sdk/explain';
import type { Paint } from '../client/book/ladder.ts';
import { wrap } from '../why/tell.ts';
import { type Cell, cutTo, grid, type GridColumn } from './grid.ts';
import { isAnswering, newestHead, type NodeView, type StatusView, troubleOf } from './view.ts';

/** Room and colours of the terminal. */
export interface StatusLayout {
  readonly width: number;
  /** Lines at most; null is as many as there are. */
  readonly height: number | null;
  readonly paint: Paint;
}

/** A table whose rows may be left out where there is no room. */
interface Section {
  readonly head: readonly string[];
  readonly rows: readonly string[];
}

/** What a terminal of that size shows. Pure: no clock, no colours but those of the layout. */
export function statusLines(view: StatusView, layout: StatusLayout): string[] {
  const { height } = layout;
  const top = [headline(view, layout), ...troubleLines(view, layout)];
  const sections = [
    { head: ['', ...heightLines(view, layout)], rows: [] },
    nodeSection(view, layout),
    validatorSection(view, layout),
    section(view.markets, marketColumns, layout),
  ];
  return height === null
    ? [...top, ...sections.flatMap(({ head, rows }) => [...head, ...rows])]
    : fit(top, sections, height, layout);
}

/** Takes rows off the longest list until all fits; what is left out is counted. */
function fit(top: readonly string[], sections: readonly Section[], height: number, { paint }: StatusLayout): string[] {
  const kept = sections.map(({ rows }) => rows.length);
  const linesOf = (): string[] => [
    ...top,
    ...sections.flatMap(({ head, rows }, index) => {
      const hidden = rows.length - kept[index]!;
      return [...head, ...rows.slice(0, kept[index]), ...(hidden > 0 ? [paint.faint(`  and ${hidden} more`)] : [])];
    }),
  ];
  let lines = linesOf();
  while (lines.length > height && kept.some((count) => count > 0)) {
    // Of equal lists the last one: markets before validators before nodes.
    const longest = kept.lastIndexOf(Math.max(...kept));
    // The first row that goes makes a line that says so: two go at once.
    kept[longest] = Math.max(0, kept[longest]! - (kept[longest] === sections[longest]!.rows.length ? 2 : 1));
    lines = linesOf();
  }
  return lines.slice(0, height);
}

function headline(view: StatusView, { width, paint }: StatusLayout): string {
  const { network, commits, nowMs } = view;
  const head = newestHead(view);
  const newest = commits.at(-1);
  const parts = [
    network === null ? 'prime' : `${network.name}, chain ${network.chainId}`,
    head === null ? 'no block yet' : `block ${formatInteger(head)}`,
    newest === undefined ? null : `${formatDuration(Math.max(0, nowMs - newest.timestampMs))} ago`,
    rateOf(view),
    `nodes ${view.nodes.filter(isAnswering).length}/${view.nodes.length}`,
  ];
  return paint.strong(cutTo(parts.filter((part) => part !== null).join('  '), width));
}

/** Blocks from whose times a pace is told. */
const paceBlocks = 32;

function rateOf({ commits }: StatusView): string | null {
  const seen = commits.slice(-paceBlocks);
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || last.timestampMs <= first.timestampMs) return null;
  const perSecond = ((seen.length - 1) * 1_000) / (last.timestampMs - first.timestampMs);
  const rounds = seen.filter(({ round }) => round > 0).length;
  return `${perSecond.toFixed(1)} blocks/s${rounds === 0 ? '' : `, ${formatPercent(rounds / seen.length, 0)} in later rounds`}`;
}

function troubleLines(view: StatusView, { width, paint }: StatusLayout): string[] {
  const trouble = troubleOf(view);
  if (trouble === null) return [];
  const { title, text } = trouble;
  return ['', paint.ask(cutTo(title, width)), ...wrap(text, width).map((line) => cutTo(line, width))];
}

function heightLines({ status, validators }: StatusView, layout: StatusLayout): string[] {
  const { width, paint } = layout;
  if (status === null) return [paint.faint(cutTo('nobody tells of the height in progress', width))];
  const round = status.currentRound;
  const nameOf = (address: string): string =>
    validators.find((validator) => validator.address === address)?.moniker ?? address;
  const since = status.sinceMs === null ? '' : ` ${formatDuration(Math.max(0, status.nowMs - status.sinceMs))}`;
  const turn = round === null ? 'no round yet' : `round ${round.round}, turn of ${nameOf(round.proposer)}`;
  const first = `deciding ${formatInteger(status.height)}  ${turn}  waits for ${status.waitsFor}${since}`;
  const bars = (name: string, votes: VotesStanding | null): string => voteBar(name, votes, status.totalPower, layout);
  return [
    cutTo(first, width),
    bars('prevotes', round?.prevotes ?? null),
    bars('precommits', round?.precommits ?? null),
  ];
}

const nameWidth = 12;
const barMin = 10;
const barMax = 60;

/** Power of the votes as a bar, with a mark where it is enough. */
function voteBar(name: string, votes: VotesStanding | null, total: bigint, { width, paint }: StatusLayout): string {
  const power = votes?.votingPower ?? 0n;
  const told = ` ${formatInteger(power)} of ${formatInteger(total)}`;
  const room = width - nameWidth - told.length;
  if (room < barMin || total === 0n) return cutTo(`${name.padEnd(nameWidth)}${told.trim()}`, width);
  const length = Math.min(room, barMax);
  const cellsOf = (part: bigint): number => Number((part * BigInt(length)) / total);
  const [filled, enough] = [cellsOf(power), Math.min(length - 1, cellsOf(quorumOf(total)))];
  const at = (index: number): string => (index < filled ? '█' : index === enough ? '│' : '░');
  const bar = Array.from({ length }, (_, index) => at(index)).join('');
  return `${name.padEnd(nameWidth)}${power >= quorumOf(total) ? paint.bid(bar) : bar}${told}`;
}

const mib = (bytes: number | null | undefined): string =>
  bytes == null ? '-' : `${formatInteger(bytes / 2 ** 20)} MiB`;
const count = (value: number | null): string => (value === null ? '-' : formatInteger(value));

type Column = <item>(title: string, text: (item: item) => string, paint?: keyof Paint) => GridColumn<item>;
const aligned =
  (align: 'left' | 'right'): Column =>
  (title, text, paint) => ({
    title,
    align,
    cell: (item) => ({ text: text(item), ...(paint === undefined ? {} : { paint }) }),
  });
const [left, right] = [aligned('left'), aligned('right')];

/** A table with its titles; nothing for no items. */
function section<item>(items: readonly item[], columns: readonly GridColumn<item>[], layout: StatusLayout): Section {
  const { title, rows } = grid(items, columns, layout);
  return items.length === 0 ? { head: [], rows: [] } : { head: ['', title], rows };
}

function nodeSection(view: StatusView, layout: StatusLayout): Section {
  const newest = newestHead(view);
  const columns: readonly GridColumn<NodeView>[] = [
    left('NODE', ({ name }) => name),
    right('BLOCK', ({ head }) => (head === null ? '-' : formatInteger(head))),
    { title: 'STATE', align: 'left', cell: (node) => stateOf(node, newest, view.nowMs) },
    right('PEERS', ({ peers }) => count(peers)),
    right('WAIT', ({ pending }) => count(pending)),
    right('GAPS', ({ queued }) => count(queued)),
  ];
  // Of nodes whose admin endpoint is known here.
  const resourceColumns: readonly GridColumn<NodeView>[] = [
    right('MEMORY', ({ resources }) => mib(resources?.residentBytes)),
    right('FREE', ({ resources }) =>
      resources?.freeBytes == null ? '-' : `${formatInteger(resources.freeBytes / 1e9)} GB`,
    ),
    right('FILES', ({ resources }) => count(resources?.openFiles ?? null)),
    right('HOME', ({ resources }) => mib(resources?.homeBytes)),
  ];
  const hasResources = view.nodes.some(({ resources }) => resources !== null);
  return section(view.nodes, hasResources ? [...columns, ...resourceColumns] : columns, layout);
}

/** Blocks behind which a node is told to be behind: heads are asked for one after the other. */
const lagMin = 3n;

function stateOf({ head, away }: NodeView, newest: bigint | null, nowMs: number): Cell {
  if (away !== null)
    return { text: `AWAY ${formatDuration(Math.max(0, nowMs - away.sinceMs))}: ${away.reason}`, paint: 'ask' };
  if (head === null || newest === null) return { text: 'asked', paint: 'faint' };
  const lag = newest - head;
  return lag >= lagMin ? { text: `${formatInteger(lag)} behind`, paint: 'ask' } : { text: 'at the head', paint: 'bid' };
}

/** What a validator said in a round. */
function voteOf(votes: VotesStanding | null, address: string): Cell {
  if (votes === null) return { text: ' ' };
  if (votes.block.some((voter) => voter === address)) return { text: '●', paint: 'bid' };
  return votes.nil.some((voter) => voter === address) ? { text: '○', paint: 'ask' } : { text: '·', paint: 'faint' };
}

type Validator = StatusView['validators'][number];

function validatorSection(view: StatusView, layout: StatusLayout): Section {
  const { validators, status, commits } = view;
  const total = validators.reduce((sum, { votingPower }) => sum + votingPower, 0n);
  const round = status?.currentRound ?? null;
  const signedBy = (address: Validator['address']): number =>
    commits.filter(({ signers }) => signers.includes(address)).length;
  const columns: readonly GridColumn<Validator>[] = [
    {
      title: 'VALIDATOR',
      align: 'left',
      cell: ({ moniker, isPresent }) => ({ text: moniker, ...(isPresent ? {} : { paint: 'ask' }) }),
    },
    right('POWER', ({ votingPower }) =>
      formatPercent(total === 0n ? 0 : Number((votingPower * 10_000n) / total) / 10_000),
    ),
    right('BLOCK', ({ head, isPresent }) => (head === null ? (isPresent ? '-' : 'away') : formatInteger(head))),
    { title: 'PV', align: 'left', cell: ({ address }) => voteOf(round?.prevotes ?? null, address) },
    { title: 'PC', align: 'left', cell: ({ address }) => voteOf(round?.precommits ?? null, address) },
    right('SIGNED', ({ address }) =>
      commits.length === 0 ? '-' : formatPercent(signedBy(address) / commits.length, 0),
    ),
    {
      title: 'NEWEST BLOCKS ARE RIGHT',
      align: 'left',
      isWide: true,
      cell: ({ address }) => ({ text: '', fit: (width) => stripOf(commits, address, width) }),
    },
  ];
  return section(validators, columns, layout);
}

/** A sign for each of the newest blocks: proposed, signed, or not in the certificate. */
function stripOf(commits: StatusView['commits'], address: string, width: number): string {
  return commits
    .slice(-width)
    .map(({ proposer, signers }) => (proposer === address ? '▣' : signers.some((one) => one === address) ? '■' : '·'))
    .join('');
}

const marketColumns: readonly GridColumn<StatusView['markets'][number]>[] = [
  left('MARKET', ({ symbol }) => symbol),
  right('LAST', ({ last }) => last ?? '-'),
  right('MARK', ({ mark }) => mark ?? '-'),
  right('BID', ({ bid }) => bid ?? '-', 'bid'),
  right('ASK', ({ ask }) => ask ?? '-', 'ask'),
  right('24 H VOLUME', ({ volume }) => volume),
  right('TRADES', ({ trades }) => formatInteger(trades)),
  left('STATUS', ({ status }) => status),
];
